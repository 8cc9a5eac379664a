#include "stream/stream_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "bellwether/suggest.hpp"
#include "support/error.hpp"
#include "support/number.hpp"
#include "support/one_line.hpp"

namespace bellwether {

namespace {

// In the order of Field, without those that are numbered.
constexpr std::array<std::string_view, 11> field_names{"features", "reward",   "gamma",  "rho",     "pi",  "mu",
                                                       "lambda",   "interest", "action", "episode", "time"};
constexpr std::size_t numbered_fields = 3;
constexpr std::uint64_t largest_action = 999'999;
constexpr double sum_tolerance = 1e-6;  // of probabilities that add up to 1: logs often carry six digits

constexpr TransitionNames transition_names{{"gamma", "rho", "pi", "mu", "lambda", "lambda_next", "interest"}, false};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    if (text.size() >= 2 && text.front() == '"' && text.back() == '"') return text.substr(1, text.size() - 2);
    return text;
}

// Cuts the next cell off the front of a line; false after the last one.
bool next_cell(std::string_view& rest, std::string_view& cell, char separator) {
    if (rest.data() == nullptr) return false;
    const std::size_t comma = rest.find(separator);
    cell = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    return true;
}

// 12 of "x12"
std::optional<std::size_t> index_after(std::string_view prefix, std::string_view name) {
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    if (name.size() > 1 && name[0] == '0') return std::nullopt;
    return parse_count(name);
}

}  // namespace

StreamReader::StreamReader(const std::string& path, std::optional<std::size_t> dimension,
                           const AlgorithmInfo* algorithm, std::optional<char> separator, bool any_columns)
    : lines_(path), algorithm_(algorithm), any_columns_(any_columns) {
    if (!lines_.next(line_))
        throw UsageError(
            fmt::format("{}:1:1: the stream is empty; its first line must name the columns", lines_.name()));
    if (line_.starts_with("\xef\xbb\xbf")) line_.remove_prefix(3);  // a byte order mark
    for (const auto& [beginning, name] : {std::pair("PAR1", "Parquet"), std::pair("ARROW1", "Arrow")})
        if (line_.starts_with(beginning))
            fail(line_, fmt::format("this is {}, which Python reads (bellwether.Log.read); here CSV or TSV", name));
    separator_ = separator.value_or(line_.find('\t') != std::string_view::npos ? '\t' : ',');
    read_header();
    take_dimension(dimension);
}

// ---- the header ----

void StreamReader::read_header() {
    if (const std::size_t zero = line_.find('\0'); zero != std::string_view::npos)
        fail(line_.substr(zero), "a byte of 0: this is no text in UTF-8 (UTF-16, a spreadsheet, an archive?)");
    if (line_.find(separator_) == std::string_view::npos && line_.find(';') != std::string_view::npos)
        fail(line_.substr(line_.find(';')), algorithm_ || any_columns_
                                                ? "columns are separated by ';' here: it must be a comma or a tab"
                                                : "columns are separated by ';' here: give --separator ';'");
    std::string_view rest = line_, name;
    while (next_cell(rest, name, separator_)) take_column(name);
    sparse_ = has(Field::features);
    check_components();
    check_numbered(Field::target, "pi", targets_);
    check_numbered(Field::behaviour, "mu", behaviours_);
    check_fields();
    check_policies();
    probabilities_.resize(targets_ + behaviours_);
}

void StreamReader::take_column(std::string_view given) {
    const std::string_view name = trimmed(given);
    Column column{Field::component};
    const bool is_field = std::find(field_names.begin(), field_names.end(), name) != field_names.end();
    if (is_field && (!any_columns_ || name == name_of(Field::features))) {
        column.field = field_named(name);
        if (has(column.field)) fail(given, fmt::format("the column '{}' stands twice", name));
        cell(column.field).column = columns_.size();
    } else if (const auto component = index_after("x", name)) {
        column.index = *component;
        ++components_;
    } else if (any_columns_) {
        if (std::find(other_names_.begin(), other_names_.end(), name) != other_names_.end())
            fail(given, fmt::format("the column '{}' stands twice", name));
        column = {Field::other, other_names_.size()};
        other_names_.emplace_back(name);
        other_cells_.emplace_back();
    } else if (const auto target = index_after("pi", name)) {
        column = {Field::target, *target};
        ++targets_;
    } else if (const auto behaviour = index_after("mu", name)) {
        column = {Field::behaviour, *behaviour};
        ++behaviours_;
    } else {
        fail(given, fmt::format("unknown column '{}'{}{}", name, did_you_mean(name, field_names),
                                " (known: x0 x1 ..., or features; reward, gamma, rho, pi, mu, lambda, interest, "
                                "action, pi0 pi1 ..., mu0 mu1 ..., episode, time)"));
    }
    columns_.push_back(column);
    names_.emplace_back(name);
}

// x0 to x{d−1}, each once, or none of them in a sparse stream.
void StreamReader::check_components() const {
    if (sparse_ && components_ > 0) fail(line_, "both 'features' and x columns: a stream has one or the other");
    if (!sparse_ && components_ == 0) fail(line_, "missing column: x0, x1, ... (or 'features' for a sparse stream)");
    check_numbered(Field::component, "x", components_);
}

void StreamReader::check_numbered(Field field, std::string_view prefix, std::size_t count) const {
    std::vector<bool> present(count);
    for (const Column& column : columns_) {
        if (column.field != field || column.index >= count) continue;
        if (present[column.index]) fail(line_, fmt::format("the column '{}{}' stands twice", prefix, column.index));
        present[column.index] = true;
    }
    const auto gap = std::find(present.begin(), present.end(), false);
    if (gap != present.end())
        fail(line_,
             fmt::format("a gap in the {0} columns: '{0}{1}' is missing ({2} {0} columns must be {0}0 to {0}{3})",
                         prefix, gap - present.begin(), count, count - 1));
}

void StreamReader::check_fields() const {
    if (any_columns_) return;
    for (const Field field : {Field::reward, Field::gamma})
        if (!has(field)) fail(line_, fmt::format("missing column: '{}'", name_of(field)));
    if (has(Field::pi) && targets_ > 0) fail(line_, "both 'pi' and 'pi0': a stream has one or the other");
    if (has(Field::mu) && behaviours_ > 0) fail(line_, "both 'mu' and 'mu0': a stream has one or the other");
    if (targets_ + behaviours_ > 0 && !has(Field::action))
        fail(line_, fmt::format("missing column: 'action', without which {}0 says nothing of the step",
                                targets_ > 0 ? "pi" : "mu"));
    if (targets_ > 0 && behaviours_ > 0 && targets_ != behaviours_)
        fail(line_, fmt::format("{} columns pi0 ... and {} columns mu0 ...: both policies have the same actions",
                                targets_, behaviours_));
}

// What an algorithm needs of them.
void StreamReader::check_policies() const {
    if (!algorithm_) return;
    const bool ratio_is_given = has(Field::rho) && !has(Field::pi) && !has(Field::mu);
    if (has_pi() != has_mu() && !ratio_is_given)
        fail(line_, fmt::format("missing column: '{}' (pi and mu come together)", has_pi() ? "mu" : "pi"));
    if (algorithm_->needs_policies && !(has_pi() && has_mu()))
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
    if (any_columns_) return read_others(row), true;
    row.closes_segment = closes_segment();
    if (has(Field::episode) || has(Field::time)) follow_order(row);
    if (targets_ + behaviours_ > 0 || has(Field::action)) read_policies(row);
    read_numbers(row);
    within_segment_ = !row.closes_segment && row.gamma != 0;
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
            if (error == std::errc() && (stop == end || *stop == separator_) && std::isfinite(value)) {
                at = stop + 1;
                continue;
            }
        }
        const char* const stop = std::find(at, end, separator_);
        const std::string_view text(at, static_cast<std::size_t>(stop - at));
        if (column.field == Field::component) {
            row.values[column.index] = number(text, names_[i]);
        } else if (column.field == Field::other) {
            other_cells_[column.index] = text;
        } else if (column.field == Field::target) {
            probabilities_[column.index] = text;
        } else if (column.field == Field::behaviour) {
            probabilities_[targets_ + column.index] = text;
        } else {
            cell(column.field).text = text;
        }
        at = stop + 1;
    }
    if (at <= end) {
        const auto fields_there = std::count(line_.begin(), line_.end(), separator_) + 1;
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
    if (row.closes_segment) {
        if (row.lambda) refuse(find_problem(TransitionField::lambda, *row.lambda));
        return;
    }
    if (!row.lambda) row.lambda = optional_cell(Field::lambda);
    row.reward = required_cell(Field::reward);
    const std::optional<double> pi = taken(Field::pi, row.pis, row), mu = taken(Field::mu, row.mus, row);
    const TransitionNumbers numbers = transition_numbers(row, pi, mu);
    if (!algorithm_ && mu == 0) fail(trimmed(cell(Field::mu).text), "mu is 0 for an action that was taken");
    refuse(find_problem(numbers, transition_names));
    if (pi && !numbers.pi) refuse(find_problem(TransitionField::pi, *pi));
    if (mu && !numbers.mu) refuse(find_problem(TransitionField::mu, *mu));
    if (algorithm_) refuse(find_off_policy(*algorithm_, numbers.ratio()));
    row.gamma = numbers.gamma;
    row.rho = numbers.ratio();
    row.pi = pi.value_or(1);
    row.mu = mu.value_or(1);
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

// The probabilities of every action, which a row that closes a segment has too, and the action taken, which it has not.
void StreamReader::read_policies(StreamRow& row) const {
    row.pis.resize(targets_);
    row.mus.resize(behaviours_);
    read_probabilities(Field::target, "target", row.pis);
    read_probabilities(Field::behaviour, "behaviour", row.mus);
    if (has(Field::action) && !row.closes_segment) read_action(row);
}

void StreamReader::read_probabilities(Field field, std::string_view whose, std::vector<double>& numbers) const {
    if (numbers.empty()) return;
    const bool of_target = field == Field::target;
    const std::string_view* const cells = probabilities_.data() + (of_target ? 0 : targets_);
    double sum = 0;
    for (std::size_t a = 0; a < numbers.size(); ++a) {
        const auto [stop, error] = std::from_chars(cells[a].data(), cells[a].data() + cells[a].size(), numbers[a]);
        const bool plain = error == std::errc() && stop == cells[a].data() + cells[a].size();
        if (!plain) numbers[a] = number(cells[a], fmt::format("{}{}", of_target ? "pi" : "mu", a));
        if (!(numbers[a] >= 0 && numbers[a] <= 1))
            fail(cells[a], fmt::format("{}{} = {}: a probability must be in [0, 1]", of_target ? "pi" : "mu", a,
                                       trimmed(cells[a])));
        sum += numbers[a];
    }
    if (!(std::abs(sum - 1) <= sum_tolerance))
        fail(cells[0], fmt::format("the {}'s probabilities add up to {:.6g}, not 1", whose, sum));
}

void StreamReader::read_action(StreamRow& row) const {
    const std::string_view text = trimmed(cell(Field::action).text);
    const auto action = parse_count(text);
    if (text.empty()) fail(text, "action is empty");
    if (!action || *action > largest_action)
        fail(text, fmt::format("action is '{}', not a whole number from 0 to {}", text, largest_action));
    if (const std::size_t known = std::max(targets_, behaviours_); known > 0 && *action >= known)
        fail(text, fmt::format("action {0}: {1}0 ... {1}{2} know actions 0 to {2}", *action, targets_ > 0 ? "pi" : "mu",
                               known - 1));
    row.action = static_cast<std::uint32_t>(*action);
    if (behaviours_ > 0 && row.mus[row.action] == 0)
        fail(probabilities_[targets_ + row.action], fmt::format("mu{} is 0 for an action that was taken", row.action));
}

// Rows in the order of their episodes and of time.
void StreamReader::follow_order(StreamRow& row) {
    row.missing_steps = 0;
    const std::string_view episode = has(Field::episode) ? trimmed(cell(Field::episode).text) : std::string_view();
    if (within_segment_ && episode != episode_)
        fail(trimmed(cell(Field::episode).text),
             fmt::format("episode {} begins, and the segment before it ends without gamma 0 and without a closing row "
                         "(features only): the state after its last step is not known",
                         episode));
    episode_.assign(episode);
    if (!has(Field::time)) return;
    const std::string_view text = trimmed(cell(Field::time).text);
    const auto time = parse_number(text);
    if (!time || *time != std::floor(*time) || std::abs(*time) > 9e15)
        fail(text, fmt::format("time is '{}', not a whole number", text));
    const auto now = static_cast<std::int64_t>(*time);
    if (within_segment_ && now <= time_)
        fail(text, fmt::format("time goes from {} to {} within an episode", time_, now));
    if (within_segment_) row.missing_steps = static_cast<std::uint64_t>(now - time_ - 1);
    time_ = now;
}

// A policy's probability of the action taken: from its one column, or from those of all actions.
std::optional<double> StreamReader::taken(Field policy, std::span<const double> of_all, const StreamRow& row) const {
    return of_all.empty() ? optional_cell(policy) : std::optional(of_all[row.action]);
}

TransitionNumbers StreamReader::transition_numbers(const StreamRow& row, std::optional<double> pi,
                                                   std::optional<double> mu) const {
    // One policy alone is no ratio: whoever reads the log makes one.
    const bool both = pi.has_value() && mu.has_value();
    return {.gamma = required_cell(Field::gamma),
            .rho = optional_cell(Field::rho),
            .pi = both ? pi : std::nullopt,
            .mu = both ? mu : std::nullopt,
            .lambda = row.lambda,
            .interest = optional_cell(Field::interest)};
}

bool StreamReader::closes_segment() const {
    for (const Field field :
         {Field::reward, Field::gamma, Field::rho, Field::pi, Field::mu, Field::interest, Field::action})
        if (has(field) && !is_empty(field)) return false;
    return true;
}

// Says in which cell the problem is, if there is one.
void StreamReader::refuse(const std::optional<TransitionProblem>& problem) const {
    if (!problem) return;
    const std::string_view name = transition_names[problem->field];
    Field field = field_named(name);
    if (!has(field)) field = has(Field::pi) ? Field::pi : Field::reward;  // rho as the ratio of pi and mu
    fail(trimmed(cell(field).text), fmt::format("{} {}", name, problem->text));
}

std::string_view StreamReader::name_of(Field field) {
    return field_names[static_cast<std::size_t>(field) - numbered_fields];
}

StreamReader::Field StreamReader::field_named(std::string_view name) {
    return static_cast<Field>(
        static_cast<std::size_t>(std::find(field_names.begin(), field_names.end(), name) - field_names.begin()) +
        numbered_fields);
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
    throw UsageError(one_line(
        fmt::format("{}:{}:{}: {}", lines_.name(), lines_.line_number(), at.data() - line_.data() + 1, problem)));
}

void StreamReader::fail_row(const std::string& problem) const {
    throw UsageError(one_line(fmt::format("{}:{}:1: {}", lines_.name(), lines_.line_number(), problem)));
}

}  // namespace bellwether
