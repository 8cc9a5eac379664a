#include "runtime/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/catalogue.hpp"
#include "support/error.hpp"
#include "support/number.hpp"
#include "support/one_line.hpp"

namespace bellwether {

namespace {

[[noreturn]] void fail_at(const std::string& name, std::size_t line, const std::string& problem) {
    throw UsageError(one_line(fmt::format("{}:{}: {}", name, line, problem)));
}

// Takes records off the front of a text.
class Scanner {
public:
    Scanner(const std::string& name, std::string_view text) : name_(name), rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    std::size_t line() const { return line_; }  // where the next record begins

    std::vector<std::string> record() {
        std::vector<std::string> cells{cell()};
        while (take(",")) cells.push_back(cell());
        if (take("\r\n") || take("\n")) ++line_;
        return cells;
    }

private:
    bool take(std::string_view front) {
        if (!rest_.starts_with(front)) return false;
        rest_.remove_prefix(front.size());
        return true;
    }

    std::string_view take_until(std::size_t end) {
        const std::string_view taken = rest_.substr(0, end);
        rest_.remove_prefix(taken.size());
        return taken;
    }

    std::string cell() {
        if (take("\"")) return quoted();
        const std::size_t end = rest_.find_first_of(",\n");
        const bool before_line_feed = end != std::string_view::npos && rest_[end] == '\n';
        const bool carriage_return = before_line_feed && end > 0 && rest_[end - 1] == '\r';
        return std::string(take_until(carriage_return ? end - 1 : end));
    }

    std::string quoted() {
        std::string text;
        for (;;) {
            const std::size_t quote = rest_.find('"');
            if (quote == std::string_view::npos) fail_at(name_, line_, "a quotation mark is not closed");
            text += take_until(quote);
            take("\"");
            if (!take("\"")) break;
            text += '"';
        }
        if (!at_end() && rest_.find_first_of(",\r\n") != 0)
            fail_at(name_, line_, "a comma or the end of the line must follow a closing quotation mark");
        line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        return text;
    }

    const std::string& name_;
    std::string_view rest_;
    std::size_t line_ = 1;
};

}  // namespace

std::string csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string cell = "\"";
    for (const char character : text) cell.append(character == '"' ? 2 : 1, character);
    return cell + '"';
}

std::string csv_header(std::span<const std::string_view> columns) {
    return fmt::format("{}\n", fmt::join(columns, ","));
}

const std::string& CsvRow::text(std::string_view column) const {
    return cells_.at(static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin()));
}

double CsvRow::number(std::string_view column) const {
    const auto value = parse_number(text(column));
    if (!value || !std::isfinite(*value) || *value <= 0)
        fail(fmt::format("{}: '{}' is not a finite number above 0", column, text(column)));
    return *value;
}

std::optional<double> CsvRow::number_or_nothing(std::string_view column) const {
    if (text(column).empty()) return std::nullopt;
    return number(column);
}

std::uint64_t CsvRow::count(std::string_view column) const {
    const auto value = parse_count(text(column));
    if (!value || *value == 0) fail(fmt::format("{}: '{}' is not a whole number from 1", column, text(column)));
    return *value;
}

Policy CsvRow::policy() const {
    for (const Policy policy : both_policies)
        if (text("policy") == id_of(policy)) return policy;
    fail(fmt::format("policy: '{}' is neither on nor off", text("policy")));
}

std::string CsvRow::algorithm() const {
    auto info = require_algorithm(text("algorithm"));
    if (!info) fail(info.error());
    return std::string(info->id);
}

void CsvRow::fail(const std::string& problem) const {
    fail_at(*name_, line_, problem);
}

std::vector<CsvRow> parse_csv(const std::string& name, std::string_view text,
                              std::span<const std::string_view> columns) {
    Scanner scanner(name, text);
    const std::vector<std::string> header = scanner.record();
    if (!std::equal(header.begin(), header.end(), columns.begin(), columns.end()))
        fail_at(name, 1, fmt::format("the first line must be '{}'", fmt::join(columns, ",")));
    std::vector<CsvRow> rows;
    while (!scanner.at_end()) {
        const std::size_t line = scanner.line();
        std::vector<std::string> cells = scanner.record();
        if (cells.size() != columns.size())
            fail_at(name, line, fmt::format("{} cells where the header has {}", cells.size(), columns.size()));
        rows.emplace_back(name, line, columns, std::move(cells));
    }
    if (rows.empty()) fail_at(name, scanner.line(), "there must be a row below the header");
    return rows;
}

}  // namespace bellwether
