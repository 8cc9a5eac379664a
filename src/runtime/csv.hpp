// Tables of comma-separated values (RFC 4180), read with the line of whatever is wrong in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/published.hpp"

namespace bellwether {

// The text of a cell as it stands in a file: in quotes where it has to be.
std::string csv_cell(std::string_view text);
// "policy,algorithm,…" with the end of the line.
std::string csv_header(std::span<const std::string_view> columns);

// A row of a table that is read. Everything that is refused is a UsageError, "FILE:LINE: …".
class CsvRow {
public:
    CsvRow(const std::string& name, std::size_t line, std::span<const std::string_view> columns,
           std::vector<std::string> cells)
        : name_(&name), line_(line), columns_(columns), cells_(std::move(cells)) {}

    const std::string& text(std::string_view column) const;
    // Finite, above 0.
    double number(std::string_view column) const;
    std::optional<double> number_or_nothing(std::string_view column) const;
    std::uint64_t count(std::string_view column) const;  // from 1
    Policy policy() const;                               // the column of that name
    std::string algorithm() const;                       // likewise; one of the registry

    [[noreturn]] void fail(const std::string& problem) const;

private:
    const std::string* name_;
    std::size_t line_;
    std::span<const std::string_view> columns_;
    std::vector<std::string> cells_;
};

// The rows below the header, which must name these columns. At least one. `name` stands for the file in errors and must
// outlive the rows.
std::vector<CsvRow> parse_csv(const std::string& name, std::string_view text,
                              std::span<const std::string_view> columns);

}  // namespace bellwether
