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

// How far a given rho may be from pi/mu: logs often carry six digits.
constexpr double rho_tolerance = 1e-6;

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
    : lines_(path), on_policy_only_(algorithm.on_policy_only), algorithm_(algorithm.id) {
    if (!lines_.next(line_))
        throw UsageError(
            fmt::format("{}:1:1: the stream is empty; its first line must name the columns", lines_.name()));
    if (line_.starts_with("\xef\xbb\xbf")) line_.remove_prefix(3);  // a byte order mark
    read_header(dimension, algorithm);
}

void StreamReader::read_header(std::optional<std::size_t> dimension, const AlgorithmInfo& algorithm) {
    std::size_t components = 0;
    std::string_view rest = line_, cell;
    while (next_cell(rest, cell)) {
        const std::string_view name = trimmed(cell);
        Column column{Field::component};
        const auto known = std::find(field_names.begin(), field_names.end(), name);
        if (known != field_names.end()) {
            column.field = static_cast<Field>(known - field_names.begin() + 1);
            Cell& place = cells_[static_cast<std::size_t>(column.field)];
            if (place.column != no_column) fail(cell, fmt::format("the column '{}' stands twice", name));
            place.column = columns_.size();
        } else if (const auto index = component_index(name)) {
            column.index = *index;
            ++components;
        } else {
            fail(cell, fmt::format("unknown column '{}'{}{}", name, did_you_mean(name, field_names),
                                   " (known: x0 x1 ..., or features; reward, gamma, rho, pi, mu, lambda, interest)"));
        }
        columns_.push_back(column);
        names_.emplace_back(name);
    }
    sparse_ = has(Field::features);
    if (sparse_ && components > 0) fail(line_, "both 'features' and x columns: a stream has one or the other");
    if (!sparse_ && components == 0) fail(line_, "missing column: x0, x1, ... (or 'features' for a sparse stream)");
    std::vector<bool> present(components);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (columns_[i].field != Field::component) continue;
        const std::size_t index = columns_[i].index;
        if (index < components && present[index]) fail(line_, fmt::format("the column 'x{}' stands twice", index));
        if (index < components) present[index] = true;
    }
    const auto gap = std::find(present.begin(), present.end(), false);
    if (gap != present.end())
        fail(line_, fmt::format("a gap in the x columns: 'x{}' is missing ({} x columns must be x0 to x{})",
                                gap - present.begin(), components, components - 1));
    for (const Field field : {Field::reward, Field::gamma})
        if (!has(field))
            fail(line_, fmt::format("missing column: '{}'", field_names[static_cast<std::size_t>(field) - 1]));
    if (has(Field::pi) != has(Field::mu))
        fail(line_, fmt::format("missing column: '{}' (pi and mu come together)", has(Field::pi) ? "mu" : "pi"));
    if (algorithm.needs_policies && !has(Field::pi))
        fail(line_, fmt::format("missing columns: 'pi' and 'mu', which {} needs", algorithm.id));
    if (sparse_ && !dimension)
        throw UsageError(
            fmt::format("{}: a sparse stream needs --dimension, the length of its feature vectors", lines_.name()));
    dimension_ = sparse_ ? *dimension : components;
    if (!sparse_ && dimension && *dimension != components)
        fail(line_, fmt::format("{} x columns where the dimension is {}", components, *dimension));
    if (sparse_) seen_in_line_.assign(dimension_, 0);
}

bool StreamReader::next(StreamRow& row) {
    do {
        if (!lines_.next(line_)) return false;
    } while (line_.empty());
    row.indices.clear();
    row.values.resize(sparse_ ? 0 : dimension_);
    const char* at = line_.data();
    const char* const end = at + line_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (at > end) fail({end, 0}, fmt::format("{} fields where the header has {}", i, columns_.size()));
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
        const std::string_view cell(at, static_cast<std::size_t>(stop - at));
        if (column.field == Field::component) {
            row.values[column.index] = number(cell, names_[i]);
        } else {
            cells_[static_cast<std::size_t>(column.field)].text = cell;
        }
        at = stop + 1;
    }
    if (at <= end) {
        const auto fields_there = std::count(line_.begin(), line_.end(), ',') + 1;
        fail({at, 0}, fmt::format("{} fields where the header has {}", fields_there, columns_.size()));
    }
    if (sparse_) read_sparse(cells_[static_cast<std::size_t>(Field::features)].text, row);
    check_row(row);
    return true;
}

void StreamReader::check_row(StreamRow& row) {
    const auto text = [&](Field field) { return trimmed(cells_[static_cast<std::size_t>(field)].text); };
    row.lambda.reset();
    if (has(Field::lambda) && !text(Field::lambda).empty()) {
        row.lambda = required_cell(Field::lambda);
        if (*row.lambda < 0 || *row.lambda > 1)
            fail(text(Field::lambda), fmt::format("lambda is {}: it must be in [0, 1]", *row.lambda));
    }
    row.closes_segment = true;
    for (const Field field : {Field::reward, Field::gamma, Field::rho, Field::pi, Field::mu, Field::interest})
        if (has(field) && !text(field).empty()) row.closes_segment = false;
    if (row.closes_segment) return;

    if (has(Field::lambda) && !row.lambda) required_cell(Field::lambda);
    row.reward = required_cell(Field::reward);
    row.gamma = required_cell(Field::gamma);
    if (row.gamma < 0 || row.gamma > 1)
        fail(text(Field::gamma), fmt::format("gamma is {}: it must be in [0, 1]", row.gamma));
    if (has(Field::pi)) {
        row.pi = required_cell(Field::pi);
        row.mu = required_cell(Field::mu);
        if (row.pi < 0 || row.pi > 1) fail(text(Field::pi), fmt::format("pi is {}: it must be in [0, 1]", row.pi));
        if (row.mu <= 0 || row.mu > 1)
            fail(text(Field::mu), fmt::format("mu is {}: it must be above 0 and at most 1", row.mu));
        row.rho = row.pi / row.mu;
    }
    if (has(Field::rho)) {
        const double rho = required_cell(Field::rho);
        if (rho < 0) fail(text(Field::rho), fmt::format("rho is {}: it must be at least 0", rho));
        if (has(Field::pi) && std::abs(rho - row.rho) > rho_tolerance * std::max(1.0, row.rho))
            fail(text(Field::rho), fmt::format("rho is {}, but pi/mu is {}", rho, row.rho));
        row.rho = rho;
    }
    if (on_policy_only_ && row.rho != 1)
        fail(has(Field::rho) ? text(Field::rho) : text(Field::pi),
             fmt::format("rho is {}: {} learns on-policy only, where rho is 1", row.rho, algorithm_));
    if (has(Field::interest)) {
        row.interest = required_cell(Field::interest);
        if (row.interest < 0)
            fail(text(Field::interest), fmt::format("interest is {}: it must be at least 0", row.interest));
    }
}

void StreamReader::read_sparse(std::string_view cell, StreamRow& row) {
    const std::string_view text = trimmed(cell);
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (*at == ' ') {
            ++at;
            continue;
        }
        const char* const stop = std::find(at, end, ' ');
        const std::string_view entry(at, static_cast<std::size_t>(stop - at));
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
        at = stop;
    }
}

double StreamReader::required_cell(Field field) const {
    return number(cells_[static_cast<std::size_t>(field)].text, field_names[static_cast<std::size_t>(field) - 1]);
}

double StreamReader::number(std::string_view cell, std::string_view name) const {
    if (trimmed(cell).empty()) fail(cell, fmt::format("{} is empty", name));
    const auto value = parse_number(cell);
    if (!value) fail(cell, fmt::format("{} is '{}', not a number", name, cell));
    if (!std::isfinite(*value)) fail(cell, fmt::format("{} is '{}', not a finite number", name, cell));
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
