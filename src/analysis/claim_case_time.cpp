// Claims about time: runtimes, and errors in real time.
#include <algorithm>
#include <vector>

#include "analysis/claim_case.hpp"
#include "analysis/claim_evidence.hpp"
#include "runtime/real_time.hpp"

namespace bellwether {

// ---- Runtimes.

namespace {

std::string place_of(Policy policy, TimedFeatures features) {
    return fmt::format("{}-policy, {} features: ", id_of(policy), id_of(features));
}

std::string not_measured(Policy policy, TimedFeatures features) {
    return place_of(policy, features) + "no runtimes were measured";
}

}  // namespace

void ClaimCase::runtime_order(double by, TimedFeatures features) {
    if (!published_.runtimes) return decide(Verdict::undecided, "the paper has no runtimes");
    if (!runtimes_ || !runtimes_->has(features)) return decide(Verdict::undecided, not_measured(policy_, features));
    std::size_t pairs = 0, same = 0;
    std::vector<std::string> turned;
    for (const PublishedRuntime& one : published_.runtimes->rows)
        for (const PublishedRuntime& other : published_.runtimes->rows) {
            const auto paper_one = one.microseconds(policy_), paper_other = other.microseconds(policy_);
            const Runtime* here_one = runtimes_->find(policy_, one.algorithm, features);
            const Runtime* here_other = runtimes_->find(policy_, other.algorithm, features);
            if (!paper_one || !paper_other || !here_one || !here_other) continue;
            if (*paper_one * (1 + by) >= *paper_other) continue;
            ++pairs;
            same += here_one->microseconds < here_other->microseconds;
            if (here_one->low > here_other->high)
                turned.push_back(fmt::format("{} {} and {} {}", display_name(one.algorithm),
                                             text_of(here_one->microseconds), display_name(other.algorithm),
                                             text_of(here_other->microseconds)));
        }
    std::string line = place_of(policy_, features) +
                       fmt::format("{} of {} pairs that differ by more than {} in the paper are in its order here",
                                   same, pairs, percent(by));
    if (!turned.empty()) line += fmt::format("; turned (µs): {}", fmt::join(turned, ", "));
    decide(!turned.empty() ? Verdict::not_held : same < pairs ? Verdict::undecided : Verdict::held, line);
}

void ClaimCase::fast(std::string_view one, const Names& others, double factor, TimedFeatures features) {
    const Runtime* here = runtimes_ ? runtimes_->find(policy_, one, features) : nullptr;
    if (!here) return decide(Verdict::undecided, not_measured(policy_, features));
    const Runtime* fastest = nullptr;
    for (const std::string& other : others)
        if (const Runtime* found = runtimes_->find(policy_, other, features))
            if (!fastest || found->microseconds < fastest->microseconds) fastest = found;
    if (!fastest) return decide(Verdict::undecided, "no runtimes of the others were measured");
    const Verdict verdict = here->high <= factor * fastest->low  ? Verdict::held
                            : here->low > factor * fastest->high ? Verdict::not_held
                                                                 : Verdict::undecided;
    decide(verdict, fmt::format("{}{} {} µs for {} steps, the fastest of the others {} {} µs: {:.2f} times",
                                place_of(policy_, features), display_name(one), text_of(here->microseconds),
                                runtimes_->steps, display_name(fastest->algorithm), text_of(fastest->microseconds),
                                here->microseconds / fastest->microseconds));
}

void ClaimCase::faster(std::string_view one, std::string_view other, TimedFeatures features) {
    const Runtime* here = runtimes_ ? runtimes_->find(policy_, one, features) : nullptr;
    const Runtime* there = runtimes_ ? runtimes_->find(policy_, other, features) : nullptr;
    if (!here || !there) return decide(Verdict::undecided, not_measured(policy_, features));
    const Verdict verdict = here->high < there->low   ? Verdict::held
                            : here->low > there->high ? Verdict::not_held
                                                      : Verdict::undecided;
    decide(verdict, fmt::format("{}{} {} µs, {} {} µs for {} steps", place_of(policy_, features), display_name(one),
                                text_of(here->microseconds), display_name(other), text_of(there->microseconds),
                                runtimes_->steps));
}

// ---- Real time.

std::vector<double> ClaimCase::slowest_allowed(Policy policy) const {
    return published_.real_time ? paper_costs(published_).of(policy).slowest : std::vector<double>();
}

std::string ClaimCase::text_of_pace(const Pace& pace) const {
    std::string text = fmt::format("{}, {} time, c = {} ms", place_name_, id_of(pace.time), pace.duration);
    if (pace.slowest) text += fmt::format(", slowest update {} ms", *pace.slowest);
    return text;
}

std::optional<Interval> ClaimCase::in_time(std::string_view one, std::string_view other, const Pace& pace,
                                           bool as_ratio, double& value) {
    if (!published_.real_time || !find(one) || !find(other)) return std::nullopt;
    const LearningCurve* first = find(one)->curve();
    const LearningCurve* second = find(other)->curve();
    PolicyCosts costs = paper_costs(published_).of(pace.policy);
    if (pace.slowest) costs = costs.scaled_to(*pace.slowest);
    const auto time_of_one = costs.find(one), time_of_other = costs.find(other);
    if (!first || !second || !time_of_one || !time_of_other) return std::nullopt;
    // Of every instance: the mean error over the number of samples after the last iteration.
    const auto last_errors = [&](const LearningCurve& curve, const UpdateTime& update) {
        const SampleCounts counts(pace.time, update, pace.duration, metric_->setting->steps);
        std::vector<double> errors;
        for (const auto& instance : curve.instances) errors.push_back(counts.error(instance, counts.iterations()));
        return errors;
    };
    const std::vector<double> of_one = last_errors(*first, *time_of_one);
    const std::vector<double> of_other = last_errors(*second, *time_of_other);
    const auto combined = [&](std::span<const double> times) {
        double a = 0, b = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i] == 0) continue;
            a += times[i] * of_one[i];
            b += times[i] * of_other[i];
        }
        return as_ratio ? ratio_of(a, b) : difference_of(a, b) / static_cast<double>(times.size());
    };
    value = combined(std::vector<double>(metric_->instances, 1.0));
    return resample_instances(metric_->instances, findings_.study->seed, metric_->address, combined);
}

void ClaimCase::lower_in_time(std::string_view one, std::string_view other, const Pace& pace) {
    double value = 0;
    const auto interval = in_time(one, other, pace, false, value);
    if (!interval) return decide(Verdict::undecided, fmt::format("{} has no learning curves", place_name_));
    decide(below(*interval, 0),
           fmt::format("{}: error of {} less that of {}: {} {}", text_of_pace(pace), display_name(one),
                       display_name(other), text_of(value), text_of(*interval)));
}

void ClaimCase::similar_in_time(std::string_view one, std::string_view other, const Pace& pace, double within_share) {
    double value = 0;
    const auto interval = in_time(one, other, pace, true, value);
    if (!interval) return decide(Verdict::undecided, fmt::format("{} has no learning curves", place_name_));
    decide(similar_ratio(*interval, within_share),
           fmt::format("{}: error of {} over that of {}: {} {}", text_of_pace(pace), display_name(one),
                       display_name(other), text_of(value), text_of(*interval)));
}

void ClaimCase::lowest_in_time(std::string_view one, const Names& tied, const Pace& pace) {
    std::vector<std::string> better, open;
    for (const std::string& other : algorithms()) {
        if (other == one || std::find(tied.begin(), tied.end(), other) != tied.end()) continue;
        double value = 0;
        const auto interval = in_time(one, other, pace, false, value);
        if (!interval) return decide(Verdict::undecided, fmt::format("{} has no learning curves", place_name_));
        if (interval->low > 0)
            better.push_back(fmt::format("{} by {}", display_name(other), text_of(*interval)));
        else if (interval->high >= 0)
            open.push_back(display_name(other));
    }
    std::string line = fmt::format("{}: error of {} after the last iteration", text_of_pace(pace), display_name(one));
    if (!better.empty()) line += fmt::format("; lower: {}", fmt::join(better, ", "));
    if (!open.empty()) line += fmt::format("; not told apart: {}", fmt::join(open, ", "));
    if (better.empty() && open.empty()) line += " is the lowest";
    decide(!better.empty() ? Verdict::not_held : open.empty() ? Verdict::held : Verdict::undecided, line);
}

}  // namespace bellwether
