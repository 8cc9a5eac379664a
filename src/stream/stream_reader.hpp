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
#include "stream/transition_check.hpp"

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
    std::vector<double> others;  // of a stream of any columns: all that are not features
};

class StreamReader {
public:
    // Reads the header. `dimension` is required for sparse streams and checked for dense ones. The algorithm decides
    // what a row must have (π and μ) and must not (ρ ≠ 1).
    StreamReader(const std::string& path, std::optional<std::size_t> dimension, const AlgorithmInfo& algorithm);

    // A stream of any columns: beside its features they may have any names, and what they mean is for the reader to
    // say. A row in which all of them are empty closes a segment.
    StreamReader(const std::string& path, std::optional<std::size_t> dimension);

    bool next(StreamRow& row);

    // Whether a row kept from an earlier part has the form of this stream's rows.
    bool fits(const StreamRow& row) const;

    // The columns that are not features, of a stream of any columns.
    const std::vector<std::string>& others() const { return other_names_; }

    bool sparse() const { return sparse_; }
    std::size_t dimension() const { return dimension_; }
    const LineReader& lines() const { return lines_; }

    // Refuses the row last read, as a whole.
    [[noreturn]] void fail_row(const std::string& problem) const;

private:
    enum class Field { component, features, reward, gamma, rho, pi, mu, lambda, interest, other };
    struct Column {
        Field field;
        std::size_t index = 0;  // of a component, or among the others
    };
    static constexpr std::size_t fields = 9;
    static constexpr std::size_t no_column = SIZE_MAX;
    struct Cell {
        std::size_t column = no_column;
        std::string_view text;  // in the current line
    };

    // The header: its columns, whether they are those of a stream, and how long feature vectors are.
    StreamReader(const std::string& path, std::optional<std::size_t> dimension, const AlgorithmInfo* algorithm);
    void read_header();
    void take_column(std::string_view given);
    void check_components() const;
    void check_fields() const;
    void take_dimension(std::optional<std::size_t> given);

    // A row: its cells by column, then what they say.
    void split_line(StreamRow& row);
    void read_sparse(std::string_view features, StreamRow& row);
    void read_entry(std::string_view entry, StreamRow& row);
    void read_numbers(StreamRow& row) const;
    void read_others(StreamRow& row) const;
    TransitionNumbers transition_numbers(const StreamRow& row) const;
    bool closes_segment() const;
    void refuse(const std::optional<TransitionProblem>& problem) const;

    static std::string_view name_of(Field field);
    static Field field_named(std::string_view name);
    Cell& cell(Field field) { return cells_[static_cast<std::size_t>(field)]; }
    const Cell& cell(Field field) const { return cells_[static_cast<std::size_t>(field)]; }
    bool has(Field field) const { return cell(field).column != no_column; }
    bool is_empty(Field field) const;
    double number(std::string_view text, std::string_view name) const;
    double required_cell(Field field) const;
    std::optional<double> optional_cell(Field field) const;  // none where there is no such column
    [[noreturn]] void fail(std::string_view at, const std::string& problem) const;

    LineReader lines_;
    std::string_view line_;
    std::vector<Column> columns_;
    std::vector<std::string> names_;
    Cell cells_[fields];                    // where each field other than the components stands
    const AlgorithmInfo* algorithm_;        // null: a stream of any columns
    std::vector<std::string> other_names_;  // of which these are not features
    std::vector<std::string_view> other_cells_;
    bool sparse_ = false;
    std::size_t components_ = 0;  // how many x columns there are
    std::size_t dimension_ = 0;
    std::vector<std::size_t> seen_in_line_;  // per index of a sparse stream: the last line it stood in
};

}  // namespace bellwether
