#include "report/table.hpp"

#include <fmt/format.h>

#include "bellwether/number_text.hpp"
#include "runtime/csv.hpp"

namespace bellwether {

namespace {

// The text as Markdown shows it as it is, in one line.
std::string markdown_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\n') {
            escaped += "<br>";
            continue;
        }
        if (std::string_view("|<\\*_`[]").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

}  // namespace

Table::Cell::Cell(std::string_view text) : exact(csv_cell(text)), brief(markdown_text(text)) {}
Table::Cell::Cell(double number) : exact(number_text(number)), brief(fmt::format("{:.4g}", number)) {}
Table::Cell::Cell(const std::optional<double>& number) {
    if (number) *this = Cell(*number);
}

std::string Table::csv() const {
    std::string text = fmt::format("{}\n", fmt::join(columns_, ","));
    for (const std::vector<Cell>& row : rows_) {
        std::string_view separator;
        for (const Cell& cell : row) {
            text += separator;
            text += cell.exact;
            separator = ",";
        }
        text += '\n';
    }
    return text;
}

std::string Table::markdown() const {
    std::string text = fmt::format("| {} |\n|", fmt::join(columns_, " | "));
    for (std::size_t k = 0; k < columns_.size(); ++k) text += "---|";
    text += '\n';
    for (const std::vector<Cell>& row : rows_) {
        text += '|';
        for (const Cell& cell : row) text += fmt::format(" {} |", cell.brief);
        text += '\n';
    }
    return text;
}

}  // namespace bellwether
