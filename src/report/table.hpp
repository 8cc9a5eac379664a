// A table that is written twice: as CSV with every number in full, and as Markdown with a few digits, for people.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellwether {

class Table {
public:
    // A text, a whole number, a number, or nothing.
    class Cell {
    public:
        Cell() = default;
        Cell(std::string_view text);
        Cell(const std::string& text) : Cell(std::string_view(text)) {}
        Cell(const char* text) : Cell(std::string_view(text)) {}
        Cell(std::integral auto count) : exact(std::to_string(count)), brief(exact) {}
        Cell(double number);
        Cell(const std::optional<double>& number);

        std::string exact, brief;  // as they stand in CSV and in Markdown
    };

    explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

    void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }

    std::string csv() const;
    std::string markdown() const;

private:
    std::vector<std::string> columns_;
    std::vector<std::vector<Cell>> rows_;
};

}  // namespace bellwether
