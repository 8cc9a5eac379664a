#include "tables/columns.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace bellwether {

namespace {

Column::Kind kind_of(std::string_view name) {
    constexpr std::array<std::string_view, 10> texts{"setting", "algorithm", "metric", "stage",    "parameter",
                                                     "other",   "view",      "edges",  "settings", "worst_setting"};
    constexpr std::array<std::string_view, 13> counts{
        "runs",       "diverged",       "step",           "instance", "configurations",
        "fresh_runs", "fresh_diverged", "selection_runs", "failed",   "selection_diverged",
        "tried",      "values",         "question"};
    const auto has = [name](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
    return has(texts) ? Column::Kind::text : has(counts) ? Column::Kind::count : Column::Kind::number;
}

// Neighbours are mostly equal.
std::int32_t place_of(Column& column, std::string_view text) {
    if (!column.places.empty() && column.texts[static_cast<std::size_t>(column.places.back())] == text)
        return column.places.back();
    const auto found = std::find(column.texts.begin(), column.texts.end(), text);
    const auto place = static_cast<std::int32_t>(found - column.texts.begin());
    if (found == column.texts.end()) column.texts.emplace_back(text);
    return place;
}

template <class Number>
Number read(std::string_view cell, Number missing) {
    Number number = missing;
    std::from_chars(cell.data(), cell.data() + cell.size(), number);
    return number;
}

void add_cell(Column& column, std::string_view cell) {
    if (column.kind == Column::Kind::text) return column.places.push_back(place_of(column, cell));
    column.present.push_back(!cell.empty());
    column.missing += cell.empty();
    if (column.kind == Column::Kind::count)
        column.counts.push_back(read<std::int64_t>(cell, 0));
    else
        column.numbers.push_back(read(cell, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace

void ColumnReader::add(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            rest_ += text;
            return;
        }
        if (rest_.empty()) {
            add_line(text.substr(0, end));
        } else {
            rest_ += text.substr(0, end);
            add_line(rest_);
            rest_.clear();
        }
        text.remove_prefix(end + 1);
    }
}

void ColumnReader::add_line(std::string_view line) {
    const bool is_header = columns_.empty();
    for (std::size_t k = 0;; ++k) {
        const std::size_t end = std::min(line.find(','), line.size());
        const std::string_view cell = line.substr(0, end);
        if (is_header)
            columns_.push_back({.name = std::string(cell), .kind = kind_of(cell)});
        else
            add_cell(columns_.at(k), cell);
        if (end == line.size()) return;
        line.remove_prefix(end + 1);
    }
}

Columns ColumnReader::take() {
    Columns empty;
    for (const Column& column : columns_) empty.push_back({.name = column.name, .kind = column.kind});
    std::swap(empty, columns_);
    return empty;
}

}  // namespace bellwether
