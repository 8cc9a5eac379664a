// Claims about time: runtimes, and errors in real time.
#include <algorithm>
#include <vector>

#include "analysis/claim_case.hpp"
#include "analysis/claim_evidence.hpp"
#include "runtime/real_time.hpp"

namespace bellwether {

// ---- Runtimes.

void ClaimCase::runtime_order(double by) {
    if (!published_.runtimes) return decide(Verdict::undecided, "the paper has no runtimes");
    if (!runtimes_) return decide(Verdict::undecided, "no runtimes were measured");
    std::size_t pairs = 0, same = 0;
    std::vector<std::string> turned;
    for (const PublishedRuntime& one : published_.runtimes->rows)
        for (const PublishedRuntime& other : published_.runtimes->rows) {
            const auto paper_one = one.microseconds(policy_), paper_other = other.microseconds(policy_);
            const Runtime* here_one = runtimes_->find(policy_, one.algorithm);
            const Runtime* here_other = runtimes_->find(policy_, other.algorithm);
            if (!paper_one || !paper_other || !here_one || !here_other) continue;
            if (*paper_one * (1 + by) >= *paper_other) continue;
            ++pairs;
            same += here_one->microseconds < here_other->microseconds;
            if (here_one->low > here_other->high)
                turned.push_back(fmt::format("{} {} and {} {}", display_name(one.algorithm),
                                             text_of(here_one->microseconds), display_name(other.algorithm),
                                             text_of(here_other->microseconds)));
        }
    std::string line =
        fmt::format("{}-policy: {} of {} pairs that differ by more than {} in the paper are in its order here",
                    id_of(policy_), same, pairs, percent(by));
    if (!turned.empty()) line += fmt::format("; turned (µs): {}", fmt::join(turned, ", "));
    decide(!turned.empty() ? Verdict::not_held : same < pairs ? Verdict::undecided : Verdict::held, line);
}

void ClaimCase::fast(std::string_view one, const Names& others, double factor) {
    const Runtime* here = runtimes_ ? runtimes_->find(policy_, one) : nullptr;
    if (!here) return decide(Verdict::undecided, fmt::format("no runtime of {} was measured", one));
    const Runtime* fastest = nullptr;
    for (const std::string& other : others)
        if (const Runtime* found = runtimes_->find(policy_, other))
            if (!fastest || found->microseconds < fastest->microseconds) fastest = found;
    if (!fastest) return decide(Verdict::undecided, "no runtimes of the others were measured");
    const Verdict verdict = here->high <= factor * fastest->low  ? Verdict::held
                            : here->low > factor * fastest->high ? Verdict::not_held
                                                                 : Verdict::undecided;
    decide(verdict, fmt::format("{}-policy: {} {} µs for {} steps, the fastest of the others {} {} µs: {:.2f} times",
                                id_of(policy_), display_name(one), text_of(here->microseconds), runtimes_->steps,
                                display_name(fastest->algorithm), text_of(fastest->microseconds),
                                here->microseconds / fastest->microseconds));
}

void ClaimCase::faster(std::string_view one, std::string_view other) {
    const Runtime* here = runtimes_ ? runtimes_->find(policy_, one) : nullptr;
    const Runtime* there = runtimes_ ? runtimes_->find(policy_, other) : nullptr;
    if (!here || !there) return decide(Verdict::undecided, "no runtimes were measured");
    const Verdict verdict = here->high < there->low   ? Verdict::held
                            : here->low > there->high ? Verdict::not_held
                                                      : Verdict::undecided;
    decide(verdict, fmt::format("{}-policy: {} {} µs, {} {} µs for {} steps", id_of(policy_), display_name(one),
                                text_of(here->microseconds), display_name(other), text_of(there->microseconds),
                                runtimes_->steps));
}

// ---- Real time.

std::optional<Interval> ClaimCase::in_time(std::string_view one, std::string_view other, const Pace& pace,
                                           bool as_ratio, double& value) {
    if (!published_.real_time || !find(one) || !find(other)) return std::nullopt;
    const LearningCurve* first = find(one)->curve();
    const LearningCurve* second = find(other)->curve();
    const CostTable table = paper_costs(published_);
    const PolicyCosts& costs = table.of(pace.policy);
    if (!first || !second || !costs.find(one) || !costs.find(other)) return std::nullopt;
    const std::size_t iterations = metric_->setting->steps;
    const std::size_t n = samples_processed(iterations, pace.duration, *costs.find(one));
    const std::size_t m = samples_processed(iterations, pace.duration, *costs.find(other));
    const auto combined = [&](std::span<const double> times) {
        double a = 0, b = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (times[i] == 0) continue;
            a += times[i] * first->instances[i][n];
            b += times[i] * second->instances[i][m];
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
           fmt::format("{}, c = {} ms: error of {} less that of {}: {} {}", place_name_, pace.duration,
                       display_name(one), display_name(other), text_of(value), text_of(*interval)));
}

void ClaimCase::similar_in_time(std::string_view one, std::string_view other, const Pace& pace, double within_share) {
    double value = 0;
    const auto interval = in_time(one, other, pace, true, value);
    if (!interval) return decide(Verdict::undecided, fmt::format("{} has no learning curves", place_name_));
    decide(similar_ratio(*interval, within_share),
           fmt::format("{}, c = {} ms: error of {} over that of {}: {} {}", place_name_, pace.duration,
                       display_name(one), display_name(other), text_of(value), text_of(*interval)));
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
    std::string line = fmt::format("{}, c = {} ms: error of {} after the last iteration", place_name_, pace.duration,
                                   display_name(one));
    if (!better.empty()) line += fmt::format("; lower: {}", fmt::join(better, ", "));
    if (!open.empty()) line += fmt::format("; not told apart: {}", fmt::join(open, ", "));
    if (better.empty() && open.empty()) line += " is the lowest";
    decide(!better.empty() ? Verdict::not_held : open.empty() ? Verdict::held : Verdict::undecided, line);
}

}  // namespace bellwether
