// Claims about time: runtimes, and errors in real time.
#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/claim_case.hpp"
#include "analysis/claim_evidence.hpp"
#include "runtime/real_time.hpp"

namespace bellwether {

namespace {

// One runtime over another, with the measured spread of both.
Interval runtime_ratio(const Runtime& one, const Runtime& other) {
    return {one.low / other.high, one.high / other.low};
}

std::string place_of(Policy policy, TimedFeatures features) {
    return fmt::format("{}-policy, {} features", id_of(policy), id_of(features));
}

}  // namespace

// ---- Runtimes.

const Runtime* ClaimCase::runtime_of(std::string_view algorithm, TimedFeatures features) {
    place_name_ = place_of(policy_, features);
    const Runtime* found = runtimes_ ? runtimes_->find(policy_, algorithm, features) : nullptr;
    if (!found) leave_open(fmt::format("{}: no runtime of {} was measured", place_name_, display_name(algorithm)));
    return found;
}

// Of the pairs that are apart in the paper, the one that is nearest to being the other way round.
void ClaimCase::runtime_order(double by, TimedFeatures features) {
    place_name_ = place_of(policy_, features);
    if (!published_.runtimes) return leave_open("the paper has no runtimes");
    std::size_t pairs = 0, same = 0;
    std::vector<std::string> turned;
    const Runtime *nearest_one = nullptr, *nearest_other = nullptr;
    for (const PublishedRuntime& one : published_.runtimes->rows)
        for (const PublishedRuntime& other : published_.runtimes->rows) {
            const auto paper_one = one.microseconds(policy_), paper_other = other.microseconds(policy_);
            const Runtime* here_one = runtimes_ ? runtimes_->find(policy_, one.algorithm, features) : nullptr;
            const Runtime* here_other = runtimes_ ? runtimes_->find(policy_, other.algorithm, features) : nullptr;
            if (!paper_one || !paper_other || !here_one || !here_other) continue;
            if (*paper_one * (1 + by) >= *paper_other) continue;
            ++pairs;
            same += here_one->microseconds < here_other->microseconds;
            if (here_one->low > here_other->high)
                turned.push_back(fmt::format("{} {} and {} {}", display_name(one.algorithm),
                                             text_of(here_one->microseconds), display_name(other.algorithm),
                                             text_of(here_other->microseconds)));
            if (!nearest_one ||
                runtime_ratio(*here_one, *here_other).low > runtime_ratio(*nearest_one, *nearest_other).low)
                nearest_one = here_one, nearest_other = here_other;
        }
    if (pairs == 0) return leave_open(fmt::format("{}: no runtimes to compare were measured", place_name_));
    const Interval interval = runtime_ratio(*nearest_one, *nearest_other);
    std::string line = fmt::format("{}: {} of {} pairs that differ by more than {} in the paper are in its order here",
                                   place_name_, same, pairs, percent(by));
    if (!turned.empty()) line += fmt::format("; turned (µs): {}", fmt::join(turned, ", "));
    add_measured(fmt::format("{} over {}, the pair nearest to turning", display_name(nearest_one->algorithm),
                             display_name(nearest_other->algorithm)),
                 line, nearest_one->microseconds / nearest_other->microseconds, interval, {0, 1},
                 !turned.empty() ? Verdict::not_held
                 : same < pairs  ? Verdict::undecided
                                 : Verdict::held,
                 Evidence::Unit::ratio);
}

void ClaimCase::fast(std::string_view one, const Names& others, double factor, TimedFeatures features) {
    const Runtime* here = runtime_of(one, features);
    if (!here) return;
    const Runtime* fastest = nullptr;
    for (const std::string& other : others)
        if (const Runtime* found = runtimes_->find(policy_, other, features))
            if (!fastest || found->microseconds < fastest->microseconds) fastest = found;
    if (!fastest) return leave_open(fmt::format("{}: no runtimes of the others were measured", place_name_));
    const Interval interval = runtime_ratio(*here, *fastest);
    add_measured(
        fmt::format("{} over {}, the fastest", display_name(one), display_name(fastest->algorithm)),
        fmt::format("{}: {} {} µs for {} steps, the fastest of the others {} {} µs: {:.2f} times", place_name_,
                    display_name(one), text_of(here->microseconds), runtimes_->steps, display_name(fastest->algorithm),
                    text_of(fastest->microseconds), here->microseconds / fastest->microseconds),
        here->microseconds / fastest->microseconds, interval, {0, factor}, verdict_of(interval, below(factor)),
        Evidence::Unit::ratio);
}

void ClaimCase::faster(std::string_view one, std::string_view other, TimedFeatures features) {
    const Runtime* here = runtime_of(one, features);
    const Runtime* there = here ? runtime_of(other, features) : nullptr;
    if (!here || !there) return;
    const Interval interval = runtime_ratio(*here, *there);
    add_measured(
        fmt::format("{} over {}", display_name(one), display_name(other)),
        fmt::format("{}: {} {} µs, {} {} µs for {} steps", place_name_, display_name(one), text_of(here->microseconds),
                    display_name(other), text_of(there->microseconds), runtimes_->steps),
        here->microseconds / there->microseconds, interval, {0, 1}, verdict_of(interval, below(1)),
        Evidence::Unit::ratio);
}

// ---- Real time.

std::vector<double> ClaimCase::slowest_allowed(Policy policy) const {
    return published_.real_time ? paper_costs(published_).of(policy).slowest : std::vector<double>();
}

std::string ClaimCase::text_of_pace(const Pace& pace) const {
    std::string text = fmt::format("{} time, c = {} ms", id_of(pace.time), pace.duration);
    if (pace.slowest) text += fmt::format(", slowest update {} ms", *pace.slowest);
    return text;
}

const Resampled* ClaimCase::error_in_time(std::string_view one, const Pace& pace) {
    if (!published_.real_time || !place(one) || !metric_->setting->is_measured_every_step()) return nullptr;
    PolicyCosts costs = paper_costs(published_).of(pace.policy);
    if (pace.slowest) costs = costs.scaled_to(*pace.slowest);
    const auto update = costs.find(one);
    if (!metric_->algorithms[*place(one)].curve() || !update) return nullptr;
    return &quantities_.error_in_time(*metric_, *place(one), pace.time, *update, pace.duration);
}

void ClaimCase::compare_in_time(std::string_view one, std::string_view other, const Pace& pace, Interval target) {
    const Resampled *first = error_in_time(one, pace), *second = error_in_time(other, pace);
    if (!first || !second) return leave_open(fmt::format("{} has no learning curves", place_name_));
    compare(
        fmt::format("{} over {}, {}", display_name(one), display_name(other), text_of_pace(pace)),
        fmt::format("{}, {}: error of {} {} over that of {} {}:", place_name_, text_of_pace(pace), display_name(one),
                    text_of(std::exp(first->value)), display_name(other), text_of(std::exp(second->value))),
        difference_of(*first, *second), target);
}

void ClaimCase::lower_in_time(std::string_view one, std::string_view other, const Pace& pace) {
    compare_in_time(one, other, pace, below(0));
}

void ClaimCase::similar_in_time(std::string_view one, std::string_view other, const Pace& pace, double within) {
    compare_in_time(one, other, pace, near_one(within));
}

void ClaimCase::similar_to_start_in_time(std::string_view one, std::string_view other, const Pace& pace,
                                         double within) {
    const Resampled *first = error_in_time(one, pace), *second = error_in_time(other, pace);
    if (!first || !second) return leave_open(fmt::format("{} has no learning curves", place_name_));
    compare(fmt::format("{} less {}, {}", display_name(one), display_name(other), text_of_pace(pace)),
            fmt::format("{}, {}: error of {} {} less that of {} {}, in parts of the error of w_0:", place_name_,
                        text_of_pace(pace), display_name(one), text_of(std::exp(first->value)), display_name(other),
                        text_of(std::exp(second->value))),
            difference_in_parts(*first, *second, metric_->initial_error), {-within, within},
            Evidence::Unit::difference);
}

void ClaimCase::lowest_in_time(std::string_view one, const Names& tied, const Pace& pace) {
    const Resampled* first = error_in_time(one, pace);
    std::vector<const Resampled*> others;
    std::vector<std::string> better;
    for (const std::string& other : algorithms()) {
        if (other == one || std::find(tied.begin(), tied.end(), other) != tied.end()) continue;
        const Resampled* error = error_in_time(other, pace);
        if (!error) return leave_open(fmt::format("{} has no learning curves", place_name_));
        others.push_back(error);
        if (first && error->value < first->value) better.push_back(display_name(other));
    }
    if (!first || others.empty()) return leave_open(fmt::format("{} has no learning curves", place_name_));
    std::string what = fmt::format("{}, {}: error of {} after the last iteration {}", place_name_, text_of_pace(pace),
                                   display_name(one), text_of(std::exp(first->value)));
    if (!better.empty()) what += fmt::format("; lower: {}", fmt::join(better, ", "));
    compare(fmt::format("{} over the best of the others, {}", display_name(one), text_of_pace(pace)),
            what + "; ratio to the best of the others", difference_of(*first, least_of(others)), below(0));
}

}  // namespace bellwether
