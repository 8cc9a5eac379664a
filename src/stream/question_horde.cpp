#include "stream/question_horde.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "bellwether/catalogue.hpp"
#include "bellwether/number_text.hpp"
#include "bellwether/state.hpp"
#include "stream/stream_sweep.hpp"
#include "stream/transition_check.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// Rows that are learned from at once: few enough for their numbers to be small beside the weights.
constexpr std::size_t rows_at_once = 256;

constexpr std::string_view magic = "BELLHRDE";
// 1: without projected errors.
constexpr std::uint32_t format_version = 2;
constexpr std::size_t score_bytes_of_version_1 = 6 * sizeof(double);

// The helpers' step size where the question's algorithm has none.
constexpr double usual_helper_alpha = 0.01;

template <class Number>
void write_numbers(state_format::Writer& writer, const std::vector<Number>& numbers) {
    writer.block(std::as_bytes(std::span(numbers)));
}
template <class Number>
std::vector<Number> read_numbers(state_format::Reader& reader) {
    const auto bytes = reader.block();
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
    return numbers;
}
template <class Value>
void write_value(state_format::Writer& writer, const Value& value) {
    writer.bytes(std::as_bytes(std::span(&value, 1)));
}

}  // namespace

void QuestionScore::add(const QuestionScore& other) {
    steps += other.steps;
    squared_errors += other.squared_errors;
    returns += other.returns;
    squared_return_errors += other.squared_return_errors;
    sum_of_returns += other.sum_of_returns;
    squared_returns += other.squared_returns;
    projected_steps += other.projected_steps;
    projected_errors += other.projected_errors;
}

QuestionHorde::QuestionHorde(Questions questions, std::vector<std::string> columns, std::size_t dimension, bool sparse,
                             std::size_t threads, bool rupee)
    : questions_(std::move(questions)),
      asked_(questions_.questions.size()),
      columns_(std::move(columns)),
      dimension_(dimension),
      sparse_(sparse),
      threads_(threads),
      earlier_(asked_),
      later_(asked_),
      open_(asked_) {
    if (rupee) add_helpers();
    std::map<std::pair<std::size_t, std::string_view>, std::vector<std::size_t>> by_part;
    for (std::size_t q = 0; q < all(); ++q)
        by_part[{question(q).depth, questions_.groups[question(q).group].algorithm->id}].push_back(q);
    for (auto& [key, own] : by_part) {
        const AlgorithmInfo& info = *questions_.groups[question(own[0]).group].algorithm;
        std::vector<double> parameters;
        for (std::size_t p = 0; p < info.parameters.size(); ++p)
            for (const std::size_t q : own) parameters.push_back(questions_.groups[question(q).group].parameters[p]);
        Horde horde(info, dimension, own.size(), std::move(parameters));
        parts_.push_back({std::move(own), std::move(horde)});
    }
}

void QuestionHorde::add_helpers() {
    const AlgorithmInfo& bounded = *find_algorithm("implicit-td");  // whatever the size of the features
    const auto value = [](const QuestionGroup& group, std::string_view parameter, double otherwise) {
        const ParameterInfo* found = group.algorithm->find(parameter);
        return found ? group.parameters[static_cast<std::size_t>(found - group.algorithm->parameters.data())]
                     : otherwise;
    };
    projections_.resize(asked_);
    for (std::size_t q = 0; q < asked_; ++q) {
        const QuestionGroup& asked = questions_.groups[question(q).group];
        lambda_.push_back(value(asked, "lambda", 0));
        QuestionGroup group{&bounded, {}};
        const double alpha = value(asked, "alpha", 0);
        for (const ParameterInfo& parameter : bounded.parameters)
            group.parameters.push_back(parameter.name == "lambda" ? 1 : alpha > 0 ? alpha : usual_helper_alpha);
        // A name that no question can have.
        Question helper{.name = fmt::format("rupee '{}'", question(q).name),
                        .group = questions_.groups.size(),
                        .cumulant = Expression(0.0),
                        .discount = Expression(0.0),
                        .ratio = Expression(1.0),
                        .target = std::nullopt,
                        .behaviour = std::nullopt,
                        .depth = question(q).depth + 1};
        questions_.groups.push_back(std::move(group));
        questions_.questions.push_back(std::move(helper));
    }
}

// ---- rows

void QuestionHorde::take(const StreamRow& row, std::string where, const Observe& observe) {
    indices_.insert(indices_.end(), row.indices.begin(), row.indices.end());
    values_.insert(values_.end(), row.values.begin(), row.values.end());
    first_.push_back(static_cast<std::uint32_t>(indices_.size()));
    others_.insert(others_.end(), row.others.begin(), row.others.end());
    others_.resize((where_.size() + 1) * columns_.size());
    marks_.push_back(
        static_cast<std::uint8_t>((segment_closed_ ? begins_segment : 0) | (row.closes_segment ? is_no_step : 0)));
    where_.push_back(std::move(where));
    segment_closed_ = row.closes_segment;
    if (where_.size() > rows_at_once) flush(observe);
}

void QuestionHorde::flush(const Observe& observe) {
    if (where_.empty()) return;
    const std::size_t entries = where_.size() - 1;
    if (entries > 0) learn(entries, observe);
    keep_rows_from(segment_closed_ ? where_.size() : entries);
}

void QuestionHorde::finish(const Observe& observe) {
    flush(observe);
    if (where_.empty()) return;
    const std::size_t width = columns_.size();
    const std::vector<double> none(all());
    const auto ends = [&](const Question& one) {
        return one.discount.value(std::span(others_).first(width), none, none) == 0;
    };
    const auto first = questions_.questions.begin();
    if (!std::all_of(first, first + static_cast<std::ptrdiff_t>(asked_), ends)) return;
    StreamRow next;
    next.indices = indices_;
    next.values = values_;
    next.closes_segment = true;
    take(next, where_.back(), observe);
    marks_.back() = is_no_step;
    flush(observe);
    segment_closed_ = false;  // an episode ended, and no segment was cut
}

void QuestionHorde::keep_rows_from(std::size_t row) {
    const auto drop = [](auto& numbers, std::size_t count) {
        numbers.erase(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count));
    };
    const std::uint32_t entries = first_[row];
    drop(values_, sparse_ ? entries : row * dimension_);
    drop(indices_, entries);
    drop(first_, row);
    for (std::uint32_t& first : first_) first -= entries;
    drop(others_, row * columns_.size());
    drop(marks_, row);
    drop(where_, row);
}

// ---- learning

StreamView QuestionHorde::view(std::size_t entries) const {
    const LaneFeatures x{.kind = sparse_ ? LaneFeatures::Kind::sparse : LaneFeatures::Kind::dense,
                         .dimension = dimension_,
                         .first = first_.data(),
                         .indices = indices_.data(),
                         .values = values_.data()};
    return {.steps = entries,
            .x = x,
            .x_next = rows_from(x, 1),
            .reward = constant_one,
            .gamma = constant_one,
            .rows_follow = true,
            .marks = marks_.data(),
            .reward_name = "cumulants"};
}

double QuestionHorde::checked(const Question& question, std::string_view what, const Expression& expression,
                              std::size_t entry) const {
    const std::size_t width = columns_.size();
    const double value = expression.value(std::span(others_).subspan(entry * width, width),
                                          std::span(next_).subspan(entry * all(), all()),
                                          std::span(errors_).subspan(entry * all(), all()));
    if (!std::isfinite(value))
        throw UsageError(fmt::format("{}: question '{}': the {} is {}, not a finite number", where_[entry],
                                     question.name, what, number_text(value)));
    return value;
}

QuestionHorde::Signals QuestionHorde::signals_of(const Part& part, std::size_t entries) const {
    const std::size_t count = entries * part.questions.size();
    Signals signals{std::vector<double>(count), std::vector<double>(count), std::vector<double>(count, 1.0),
                    std::vector<double>(count, 1.0), std::vector<double>(count, 1.0)};
    for (std::size_t t = 0, at = 0; t < entries; ++t) {
        if (marks_[t] & is_no_step) {
            at += part.questions.size();
            continue;
        }
        for (const std::size_t q : part.questions) {
            if (is_helper(q)) {
                const std::size_t of = q - asked_, from = t * all() + of;
                // Where a question has diverged its helper has nothing to learn.
                signals.cumulants[at] = std::isfinite(errors_[from]) ? errors_[from] : 0;
                signals.discounts[at] = discounts_[from] * lambda_[of];
                signals.ratios[at] = ratios_[from];
                ++at;
                continue;
            }
            const Question& asked = question(q);
            signals.cumulants[at] = checked(asked, "cumulant", asked.cumulant, t);
            TransitionNumbers numbers{.gamma = checked(asked, "discount", asked.discount, t)};
            if (asked.target) {
                numbers.pi = checked(asked, "target", *asked.target, t);
                numbers.mu = checked(asked, "behaviour", *asked.behaviour, t);
            } else {
                numbers.rho = checked(asked, "ratio", asked.ratio, t);
            }
            static constexpr TransitionNames names{
                {"discount", "ratio", "target", "behaviour", "lambda", "lambda_next", "interest"}, false};
            auto problem = find_problem(numbers, names);
            if (!problem) problem = find_off_policy(part.horde.info(), numbers.ratio());
            if (problem)
                throw UsageError(fmt::format("{}: question '{}': the {} {}", where_[t], asked.name,
                                             names[problem->field], problem->text));
            signals.discounts[at] = numbers.gamma;
            signals.ratios[at] = numbers.ratio();
            signals.targets[at] = numbers.pi.value_or(1);
            signals.behaviours[at] = numbers.mu.value_or(1);
            ++at;
        }
    }
    return signals;
}

void QuestionHorde::learn_part(Part& part, std::size_t entries) {
    const std::size_t width = part.questions.size();
    const Signals signals = signals_of(part, entries);
    StreamView stream = view(entries);
    stream.reward = {signals.cumulants.data(), width, true};
    stream.gamma = {signals.discounts.data(), width, true};
    stream.rho = {signals.ratios.data(), width, true};
    stream.pi = {signals.targets.data(), width, true};
    stream.mu = {signals.behaviours.data(), width, true};
    stream.has_policies = part.horde.info().needs_policies;
    std::vector<double> now(entries * width), next(now), errors(now);
    part.horde.learn(stream, HordeOutputs{now.data(), next.data(), errors.data()}, threads_, {});
    for (std::size_t t = 0, at = 0; t < entries; ++t)
        for (std::size_t k = 0; k < width; ++k, ++at) {
            const std::size_t to = t * all() + part.questions[k];
            now_[to] = now[at];
            next_[to] = next[at];
            errors_[to] = errors[at];
            cumulants_[to] = signals.cumulants[at];
            discounts_[to] = signals.discounts[at];
            ratios_[to] = signals.ratios[at];
        }
}

void QuestionHorde::learn(std::size_t entries, const Observe& observe) {
    for (std::vector<double>* numbers : {&now_, &next_, &errors_, &cumulants_, &discounts_, &ratios_})
        numbers->assign(entries * all(), 0.0);
    for (Part& part : parts_) learn_part(part, entries);
    for (std::size_t t = 0; t < entries; ++t) {
        if (marks_[t] & begins_segment) {
            for (OpenReturn& open : open_) open = {};
            for (Projection& projection : projections_) projection = {};
        }
        if (marks_[t] & is_no_step) continue;
        if (observe) observe(steps_, std::span(now_).subspan(t * all(), asked_));
        add_scores(t);
        if (!projections_.empty()) add_projected_errors(t);
        ++steps_;
        if (std::has_single_bit(steps_)) {
            earlier_ = later_;
            std::fill(later_.begin(), later_.end(), QuestionScore{});
        }
    }
}

// A return is followed from a step until its discount is small: G = ρ(C + γG').
void QuestionHorde::add_scores(std::size_t entry) {
    for (std::size_t q = 0; q < asked_; ++q) {
        const std::size_t at = entry * all() + q;
        QuestionScore& score = later_[q];
        score.steps += 1;
        score.squared_errors += errors_[at] * errors_[at];
        OpenReturn& open = open_[q];
        if (!open.open) open = {.prediction = now_[at], .open = 1};
        open.weight *= ratios_[at];
        open.sum += open.weight * cumulants_[at];
        open.weight *= discounts_[at];
        open.discount *= discounts_[at];
        if (open.discount >= least_discount) continue;
        const double error = open.prediction - open.sum;
        score.returns += 1;
        score.squared_return_errors += error * error;
        score.sum_of_returns += open.sum;
        score.squared_returns += open.sum * open.sum;
        open.open = 0;
    }
}

void QuestionHorde::add_projected_errors(std::size_t entry) {
    for (std::size_t q = 0; q < asked_; ++q) {
        const std::size_t at = entry * all() + q;
        Projection& projection = projections_[q];
        projection.trace = ratios_[at] * (projection.decay * projection.trace + now_[at + asked_]);
        projection.decay = discounts_[at] * lambda_[q];
        later_[q].projected_steps += 1;
        later_[q].projected_errors += errors_[at] * projection.trace;
    }
}

QuestionScore QuestionHorde::score(std::size_t q) const {
    QuestionScore both = earlier_[q];
    both.add(later_[q]);
    return both;
}

std::vector<double> QuestionHorde::weights(std::size_t q) const {
    for (const Part& part : parts_) {
        const auto found = std::find(part.questions.begin(), part.questions.end(), q);
        if (found != part.questions.end())
            return part.horde.weights(static_cast<std::size_t>(found - part.questions.begin()));
    }
    return {};
}

// ---- saving
//     8 bytes "BELLHRDE", u32 version, u64 dimension, u32 sparse, u64 steps, u32 segment_closed
//     u32 columns, a text each; first, indices, values, others, marks of the rows that wait, a block each
//     u64 questions and helpers; each a text, its name, a block, its learner's state, its scores and its projection
//     u64 checksum

std::vector<std::byte> QuestionHorde::save() const {
    state_format::Writer writer;
    writer.bytes(std::as_bytes(std::span(magic)));
    writer.number(format_version);
    writer.number(std::uint64_t{dimension_});
    writer.number(std::uint32_t{sparse_});
    writer.number(steps_);
    writer.number(std::uint32_t{segment_closed_});
    writer.number(static_cast<std::uint32_t>(columns_.size()));
    for (const std::string& column : columns_) writer.text(column);
    write_numbers(writer, first_);
    write_numbers(writer, indices_);
    write_numbers(writer, values_);
    write_numbers(writer, others_);
    write_numbers(writer, marks_);
    writer.number(std::uint64_t{all()});
    for (const Part& part : parts_)
        for (std::size_t k = 0; k < part.questions.size(); ++k) {
            const std::size_t q = part.questions[k];
            writer.text(question(q).name);
            writer.block(part.horde.save(k));
            // A helper's scores are its question's.
            write_value(writer, is_helper(q) ? QuestionScore{} : earlier_[q]);
            write_value(writer, is_helper(q) ? QuestionScore{} : later_[q]);
            write_value(writer, is_helper(q) ? OpenReturn{} : open_[q]);
            write_value(writer, is_helper(q) ? projections_[q - asked_] : Projection{});
        }
    writer.number(state_format::checksum(writer.out_));
    return std::move(writer.out_);
}

std::string QuestionHorde::load(std::span<const std::byte> bytes) {
    if (bytes.size() < magic.size() + 8 || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
        return "it is not a saved horde";
    std::uint64_t checksum = 0;
    std::memcpy(&checksum, bytes.data() + bytes.size() - 8, 8);
    if (state_format::checksum(bytes.first(bytes.size() - 8)) != checksum)
        return "it is corrupted or truncated: the checksum does not match";
    state_format::Reader reader(bytes.subspan(magic.size()));
    const auto version = reader.number<std::uint32_t>();
    if (version == 0 || version > format_version)
        return fmt::format("its format version is {}, this program reads versions up to {}", version, format_version);
    if (const auto dimension = reader.number<std::uint64_t>(); dimension != dimension_)
        return fmt::format("its features have the dimension {}, the stream's {}", dimension, dimension_);
    if (const bool sparse = reader.number<std::uint32_t>() != 0; sparse != sparse_)
        return fmt::format("its stream is {}, this one is not", sparse ? "sparse" : "dense");
    steps_ = reader.number<std::uint64_t>();
    segment_closed_ = reader.number<std::uint32_t>() != 0;
    std::vector<std::string> columns(reader.number<std::uint32_t>());
    for (std::string& column : columns) column = reader.text();
    first_ = read_numbers<std::uint32_t>(reader);
    indices_ = read_numbers<std::uint32_t>(reader);
    values_ = read_numbers<double>(reader);
    others_ = read_numbers<double>(reader);
    marks_ = read_numbers<std::uint8_t>(reader);
    where_.assign(marks_.size(), "the row that waited");
    if (!marks_.empty() && columns != columns_) return "a row of its stream waits, whose columns are not this stream's";
    const auto count = reader.number<std::uint64_t>();
    for (std::uint64_t n = 0; n < count && reader.good(); ++n) {
        const std::string_view name = reader.text();
        const auto state = reader.block();
        QuestionScore scores[2];
        OpenReturn open;
        Projection projection;
        const auto read = [&](auto& value, std::size_t length) {
            const auto saved = reader.take(length);
            if (reader.good()) std::memcpy(&value, saved.data(), length);
        };
        for (QuestionScore& score : scores) read(score, version == 1 ? score_bytes_of_version_1 : sizeof score);
        read(open, sizeof open);
        if (version > 1) read(projection, sizeof projection);
        if (!reader.good()) break;
        for (Part& part : parts_)
            for (std::size_t k = 0; k < part.questions.size(); ++k) {
                const std::size_t q = part.questions[k];
                if (question(q).name != name) continue;
                if (const std::string problem = part.horde.restore(k, state); !problem.empty())
                    return fmt::format("question '{}': {}", name, problem);
                if (is_helper(q)) {
                    projections_[q - asked_] = projection;
                    continue;
                }
                earlier_[q] = scores[0];
                later_[q] = scores[1];
                open_[q] = open;
            }
    }
    return reader.good() ? "" : "it is corrupted: its parts do not fit its size";
}

}  // namespace bellwether
