#include "stream/stream_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "bellwether/suggest.hpp"
#include "support/error.hpp"
#include "support/number.hpp"

namespace bellwether {

namespace {

// In the order of Field, without the components.
constexpr std::array<std::string_view, 8> field_names{"features", "reward", "gamma",  "rho",
                                                      "pi",       "mu",     "lambda", "interest"};

constexpr TransitionNames transition_names{{"gamma", "rho", "pi", "mu", "lambda", "lambda_next", "interest"}, false};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
    return text;
}

// Cuts the next cell off the front of a line; false after the last one.
bool next_cell(std::string_view& rest, std::string_view& cell) {
    if (rest.data() == nullptr) return false;
    const std::size_t comma = rest.find(',');
    cell = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    return true;
}

std::optional<std::size_t> component_index(std::string_view name) {
    if (name.size() < 2 || name[0] != 'x' || (name[1] == '0' && name.size() > 2)) return std::nullopt;
    return parse_count(name.substr(1));
}

}  // namespace

StreamReader::StreamReader(const std::string& path, std::optional<std::size_t> dimension,
                           const AlgorithmInfo& algorithm)
    : StreamReader(path, dimension, &algorithm) {}
StreamReader::StreamReader(const std::string& path, std::optional<std::size_t> dimension)
    : StreamReader(path, dimension, nullptr) {}

StreamReader::StreamReader(const std::string& path, std::optional<std::size_t> dimension,
                           const AlgorithmInfo* algorithm)
    : lines_(path), algorithm_(algorithm) {
    if (!lines_.next(line_))
        throw UsageError(
            fmt::format("{}:1:1: the stream is empty; its first line must name the columns", lines_.name()));
    if (line_.starts_with("\xef\xbb\xbf")) line_.remove_prefix(3);  // a byte order mark
    read_header();
    take_dimension(dimension);
}

// ---- the header ----

void StreamReader::read_header() {
    std::string_view rest = line_, name;
    while (next_cell(rest, name)) take_column(name);
    sparse_ = has(Field::features);
    check_components();
    check_fields();
}

void StreamReader::take_column(std::string_view given) {
    const std::string_view name = trimmed(given);
    Column column{Field::component};
    const bool is_field = std::find(field_names.begin(), field_names.end(), name) != field_names.end();
    if (is_field && (algorithm_ || name == name_of(Field::features))) {
        column.field = field_named(name);
        if (has(column.field)) fail(given, fmt::format("the column '{}' stands twice", name));
        cell(column.field).column = columns_.size();
    } else if (const auto index = component_index(name)) {
        column.index = *index;
        ++components_;
    } else if (!algorithm_) {
        if (std::find(other_names_.begin(), other_names_.end(), name) != other_names_.end())
            fail(given, fmt::format("the column '{}' stands twice", name));
        column = {Field::other, other_names_.size()};
        other_names_.emplace_back(name);
        other_cells_.emplace_back();
    } else {
        fail(given, fmt::format("unknown column '{}'{}{}", name, did_you_mean(name, field_names),
                                " (known: x0 x1 ..., or features; reward, gamma, rho, pi, mu, lambda, interest)"));
    }
    columns_.push_back(column);
    names_.emplace_back(name);
}

// x0 to x{d−1}, each once, or none of them in a sparse stream.
void StreamReader::check_components() const {
    if (sparse_ && components_ > 0) fail(line_, "both 'features' and x columns: a stream has one or the other");
    if (!sparse_ && components_ == 0) fail(line_, "missing column: x0, x1, ... (or 'features' for a sparse stream)");
    std::vector<bool> present(components_);
    for (const Column& column : columns_) {
        if (column.field != Field::component || column.index >= components_) continue;
        if (present[column.index]) fail(line_, fmt::format("the column 'x{}' stands twice", column.index));
        present[column.index] = true;
    }
    const auto gap = std::find(present.begin(), present.end(), false);
    if (gap != present.end())
        fail(line_, fmt::format("a gap in the x columns: 'x{}' is missing ({} x columns must be x0 to x{})",
                                gap - present.begin(), components_, components_ - 1));
}

void StreamReader::check_fields() const {
    if (!algorithm_) return;
    for (const Field field : {Field::reward, Field::gamma})
        if (!has(field)) fail(line_, fmt::format("missing column: '{}'", name_of(field)));
    if (has(Field::pi) != has(Field::mu))
        fail(line_, fmt::format("missing column: '{}' (pi and mu come together)", has(Field::pi) ? "mu" : "pi"));
    if (algorithm_->needs_policies && !has(Field::pi))
        fail(line_, fmt::format("missing columns: 'pi' and 'mu', which {} needs", algorithm_->id));
}

void StreamReader::take_dimension(std::optional<std::size_t> given) {
    if (sparse_ && !given)
        throw UsageError(
            fmt::format("{}: a sparse stream needs --dimension, the length of its feature vectors", lines_.name()));
    dimension_ = sparse_ ? *given : components_;
    if (given && *given != dimension_)
        fail(line_, fmt::format("{} x columns where the dimension is {}", components_, *given));
    if (sparse_) seen_in_line_.assign(dimension_, 0);
}

// ---- rows ----

bool StreamReader::next(StreamRow& row) {
    do {
        if (!lines_.next(line_)) return false;
    } while (line_.empty());
    row.indices.clear();
    row.values.resize(sparse_ ? 0 : dimension_);
    split_line(row);
    if (sparse_) read_sparse(cell(Field::features).text, row);
    if (algorithm_) {
        read_numbers(row);
    } else {
        read_others(row);
    }
    return true;
}

bool StreamReader::fits(const StreamRow& row) const {
    if (!sparse_) return row.indices.empty() && row.values.size() == dimension_;
    const auto in_range = [&](std::uint32_t index) { return index < dimension_; };
    return row.indices.size() == row.values.size() && std::all_of(row.indices.begin(), row.indices.end(), in_range);
}

// Reads the components, and notes where the other cells are.
void StreamReader::split_line(StreamRow& row) {
    const char* at = line_.data();
    const char* const end = at + line_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (at > end) fail({end, end}, fmt::format("{} fields where the header has {}", i, columns_.size()));
        const Column column = columns_[i];
        if (column.field == Field::component) {
            // The common case, without looking for the comma first.
            double& value = row.values[column.index];
            const auto [stop, error] = std::from_chars(at, end, value);
            if (error == std::errc() && (stop == end || *stop == ',') && std::isfinite(value)) {
                at = stop + 1;
                continue;
            }
        }
        const char* const stop = std::find(at, end, ',');
        const std::string_view text(at, static_cast<std::size_t>(stop - at));
        if (column.field == Field::component) {
            row.values[column.index] = number(text, names_[i]);
        } else if (column.field == Field::other) {
            other_cells_[column.index] = text;
        } else {
            cell(column.field).text = text;
        }
        at = stop + 1;
    }
    if (at <= end) {
        const auto fields_there = std::count(line_.begin(), line_.end(), ',') + 1;
        fail({at, at}, fmt::format("{} fields where the header has {}", fields_there, columns_.size()));
    }
}

void StreamReader::read_sparse(std::string_view features, StreamRow& row) {
    const std::string_view text = trimmed(features);
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (*at == ' ') {
            ++at;
            continue;
        }
        const char* const stop = std::find(at, end, ' ');
        read_entry({at, static_cast<std::size_t>(stop - at)}, row);
        at = stop;
    }
}

void StreamReader::read_entry(std::string_view entry, StreamRow& row) {
    const std::size_t colon = entry.find(':');
    const auto index = parse_count(entry.substr(0, colon));
    if (colon == std::string_view::npos || !index)
        fail(entry, fmt::format("'{}' is not an entry index:value of a sparse vector", entry));
    if (*index >= dimension_)
        fail(entry, fmt::format("index {} is out of range: the dimension is {}", *index, dimension_));
    if (seen_in_line_[*index] == lines_.line_number()) fail(entry, fmt::format("index {} stands twice", *index));
    seen_in_line_[*index] = lines_.line_number();
    row.indices.push_back(static_cast<std::uint32_t>(*index));
    row.values.push_back(number(entry.substr(colon + 1), fmt::format("the value of index {}", *index)));
}

// Everything of a row but its features.
void StreamReader::read_numbers(StreamRow& row) const {
    row.lambda.reset();
    if (has(Field::lambda) && !is_empty(Field::lambda)) row.lambda = required_cell(Field::lambda);
    row.closes_segment = closes_segment();
    if (row.closes_segment) {
        if (row.lambda) refuse(find_problem(TransitionField::lambda, *row.lambda));
        return;
    }
    if (!row.lambda) row.lambda = optional_cell(Field::lambda);
    row.reward = required_cell(Field::reward);
    const TransitionNumbers numbers = transition_numbers(row);
    refuse(find_problem(numbers, transition_names));
    refuse(find_off_policy(*algorithm_, numbers.ratio()));
    row.gamma = numbers.gamma;
    row.rho = numbers.ratio();
    row.pi = numbers.pi.value_or(1);
    row.mu = numbers.mu.value_or(1);
    row.interest = numbers.interest.value_or(1);
}

void StreamReader::read_others(StreamRow& row) const {
    row.others.clear();
    row.closes_segment = std::all_of(other_cells_.begin(), other_cells_.end(),
                                     [](std::string_view cell) { return trimmed(cell).empty(); });
    if (row.closes_segment) return;
    for (std::size_t k = 0; k < other_cells_.size(); ++k)
        row.others.push_back(number(other_cells_[k], other_names_[k]));
}

TransitionNumbers StreamReader::transition_numbers(const StreamRow& row) const {
    return {.gamma = required_cell(Field::gamma),
            .rho = optional_cell(Field::rho),
            .pi = optional_cell(Field::pi),
            .mu = optional_cell(Field::mu),
            .lambda = row.lambda,
            .interest = optional_cell(Field::interest)};
}

bool StreamReader::closes_segment() const {
    for (const Field field : {Field::reward, Field::gamma, Field::rho, Field::pi, Field::mu, Field::interest})
        if (has(field) && !is_empty(field)) return false;
    return true;
}

// Says in which cell the problem is, if there is one.
void StreamReader::refuse(const std::optional<TransitionProblem>& problem) const {
    if (!problem) return;
    const std::string_view name = transition_names[problem->field];
    Field field = field_named(name);
    if (!has(field)) field = Field::pi;  // rho as the ratio of pi and mu
    fail(trimmed(cell(field).text), fmt::format("{} {}", name, problem->text));
}

std::string_view StreamReader::name_of(Field field) {
    return field_names[static_cast<std::size_t>(field) - 1];
}

StreamReader::Field StreamReader::field_named(std::string_view name) {
    return static_cast<Field>(std::find(field_names.begin(), field_names.end(), name) - field_names.begin() + 1);
}

bool StreamReader::is_empty(Field field) const {
    return trimmed(cell(field).text).empty();
}

std::optional<double> StreamReader::optional_cell(Field field) const {
    return has(field) ? std::optional(required_cell(field)) : std::nullopt;
}

double StreamReader::required_cell(Field field) const {
    return number(cell(field).text, name_of(field));
}

double StreamReader::number(std::string_view text, std::string_view name) const {
    if (trimmed(text).empty()) fail(text, fmt::format("{} is empty", name));
    const auto value = parse_number(text);
    if (!value) fail(text, fmt::format("{} is '{}', not a number", name, text));
    if (!std::isfinite(*value)) fail(text, fmt::format("{} is '{}', not a finite number", name, text));
    return *value;
}

void StreamReader::fail(std::string_view at, const std::string& problem) const {
    throw UsageError(
        fmt::format("{}:{}:{}: {}", lines_.name(), lines_.line_number(), at.data() - line_.data() + 1, problem));
}

void StreamReader::fail_row(const std::string& problem) const {
    throw UsageError(fmt::format("{}:{}:1: {}", lines_.name(), lines_.line_number(), problem));
}

}  // namespace bellwether
