// The stream format: logged transitions as CSV, one row per time step (docs/stream-format.md). Every cell is checked as
// it is read; an error names file:line:column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/info.hpp"
#include "stream/line_reader.hpp"

namespace bellwether {

// One row. `indices` and `values` for a sparse stream, `values` alone for a dense one.
struct StreamRow {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    bool closes_segment = false;  // features only: the step before bootstraps on it, and the next row starts afresh
    double reward = 0;
    double gamma = 0;
    double rho = 1;
    double pi = 1;
    double mu = 1;
    double interest = 1;
    std::optional<double> lambda;
};

class StreamReader {
public:
    // Reads the header. `dimension` is required for sparse streams and checked for dense ones. The algorithm decides
    // what a row must have (π and μ) and must not (ρ ≠ 1).
    StreamReader(const std::string& path, std::optional<std::size_t> dimension, const AlgorithmInfo& algorithm);

    bool next(StreamRow& row);

    bool sparse() const { return sparse_; }
    std::size_t dimension() const { return dimension_; }
    const LineReader& lines() const { return lines_; }

    // Refuses the row last read, as a whole.
    [[noreturn]] void fail_row(const std::string& problem) const;

private:
    enum class Field { component, features, reward, gamma, rho, pi, mu, lambda, interest };
    struct Column {
        Field field;
        std::size_t index = 0;  // of a component
    };

    void read_header(std::optional<std::size_t> dimension, const AlgorithmInfo& algorithm);
    void read_sparse(std::string_view cell, StreamRow& row);
    void check_row(StreamRow& row);
    bool has(Field field) const { return cells_[static_cast<std::size_t>(field)].column != no_column; }
    double number(std::string_view cell, std::string_view name) const;
    double required_cell(Field field) const;
    [[noreturn]] void fail(std::string_view at, const std::string& problem) const;

    static constexpr std::size_t fields = 9;
    static constexpr std::size_t no_column = SIZE_MAX;
    struct Cell {
        std::size_t column = no_column;
        std::string_view text;  // in the current line
    };

    LineReader lines_;
    std::string_view line_;
    std::vector<Column> columns_;
    std::vector<std::string> names_;
    Cell cells_[fields];  // where each field other than the components stands
    bool sparse_ = false;
    bool on_policy_only_ = false;
    std::string algorithm_;
    std::size_t dimension_ = 0;
    std::vector<std::size_t> seen_in_line_;  // per index of a sparse stream: the last line it stood in
};

}  // namespace bellwether
