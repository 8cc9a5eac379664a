// The stream format: logged transitions as CSV, one row per time step (docs/stream-format.md). Every cell is checked as
// it is read; an error names file:line:column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
    std::vector<double> others;       // of a stream of any columns: all that are not features
    std::uint32_t action = 0;         // the action taken, where the stream has that column
    std::vector<double> pis, mus;     // the policies' probabilities of every action, where the stream has them
    std::uint64_t missing_steps = 0;  // between the row before and this one, by the column `time`
};

class StreamReader {
public:
    // Reads the header. `dimension` is required for sparse streams and checked for dense ones. The algorithm decides
    // what a row must have (π and μ) and must not (ρ ≠ 1).
    StreamReader(const std::string& path, std::optional<std::size_t> dimension, const AlgorithmInfo& algorithm)
        : StreamReader(path, dimension, &algorithm, std::nullopt, false) {}
    // A log that is not learned from by an algorithm: one policy may stand without the other. `separator`: between two
    // cells; none: a tab where the header has one, else a comma.
    StreamReader(const std::string& path, std::optional<std::size_t> dimension, std::optional<char> separator)
        : StreamReader(path, dimension, nullptr, separator, false) {}

    // A stream of any columns: beside its features they may have any names, and what they mean is for the reader to
    // say. A row in which all of them are empty closes a segment.
    StreamReader(const std::string& path, std::optional<std::size_t> dimension)
        : StreamReader(path, dimension, nullptr, std::nullopt, true) {}

    bool next(StreamRow& row);
    // Whether the row last read is a step that waits for the row after it.
    bool within_segment() const { return within_segment_; }

    // Whether a row kept from an earlier part has the form of this stream's rows.
    bool fits(const StreamRow& row) const;

    // The columns that are not features, of a stream of any columns.
    const std::vector<std::string>& others() const { return other_names_; }

    bool sparse() const { return sparse_; }
    std::size_t dimension() const { return dimension_; }
    std::size_t target_actions() const { return targets_; }        // columns pi0, pi1, ...
    std::size_t behaviour_actions() const { return behaviours_; }  // columns mu0, mu1, ...
    bool has_action() const { return has(Field::action); }
    bool has_time() const { return has(Field::time); }
    bool has_rho() const { return has(Field::rho); }
    bool has_pi() const { return has(Field::pi) || targets_ > 0; }
    bool has_mu() const { return has(Field::mu) || behaviours_ > 0; }
    const LineReader& lines() const { return lines_; }

    // Refuses the row last read, as a whole.
    [[noreturn]] void fail_row(const std::string& problem) const;

private:
    enum class Field {
        component,  // x0, x1, ...
        target,     // pi0, pi1, ...
        behaviour,  // mu0, mu1, ...
        features,
        reward,
        gamma,
        rho,
        pi,
        mu,
        lambda,
        interest,
        action,
        episode,
        time,
        other  // of a stream of any columns
    };
    struct Column {
        Field field;
        std::size_t index = 0;  // of a component, a target's or a behaviour's probability, or among the others
    };
    static constexpr std::size_t fields = 15;
    static constexpr std::size_t no_column = SIZE_MAX;
    struct Cell {
        std::size_t column = no_column;
        std::string_view text;  // in the current line
    };

    StreamReader(const std::string& path, std::optional<std::size_t> dimension, const AlgorithmInfo* algorithm,
                 std::optional<char> separator, bool any_columns);

    // The header: its columns, whether they are those of a stream, and how long feature vectors are.
    void read_header();
    void take_column(std::string_view given);
    void check_components() const;
    void check_numbered(Field field, std::string_view prefix, std::size_t count) const;
    void check_fields() const;
    void check_policies() const;
    void take_dimension(std::optional<std::size_t> given);

    // A row: its cells by column, then what they say.
    void split_line(StreamRow& row);
    void read_sparse(std::string_view features, StreamRow& row);
    void read_entry(std::string_view entry, StreamRow& row);
    void read_numbers(StreamRow& row) const;
    void read_others(StreamRow& row) const;
    void read_policies(StreamRow& row) const;
    void read_probabilities(Field field, std::string_view whose, std::vector<double>& numbers) const;
    void read_action(StreamRow& row) const;
    void follow_order(StreamRow& row);
    std::optional<double> taken(Field policy, std::span<const double> of_all, const StreamRow& row) const;
    TransitionNumbers transition_numbers(const StreamRow& row, std::optional<double> pi,
                                         std::optional<double> mu) const;
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
    Cell cells_[fields];                           // where each field other than the components stands
    std::vector<std::string_view> probabilities_;  // of the current line: cells of pi0 ..., then of mu0 ...
    const AlgorithmInfo* algorithm_;               // null: none, the stream is a log
    char separator_ = ',';
    bool any_columns_;
    std::vector<std::string> other_names_;  // of a stream of any columns: those that are not features
    std::vector<std::string_view> other_cells_;
    bool sparse_ = false;
    std::size_t components_ = 0;  // how many x columns there are
    std::size_t targets_ = 0, behaviours_ = 0;
    std::string episode_;          // of the row before
    std::int64_t time_ = 0;        // likewise
    bool within_segment_ = false;  // the row before is a step that goes on to this row
    std::size_t dimension_ = 0;
    std::vector<std::size_t> seen_in_line_;  // per index of a sparse stream: the last line it stood in
};

}  // namespace bellwether
