// What speaks for a claim and against it: comparisons that leave their numbers behind.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

using Ids = std::initializer_list<std::string_view>;

// Scores within this part of each other are similar, and an advantage up to it is slight.
inline constexpr double similar_share = 0.10;

// Every check adds a line of numbers and its own verdict. A claim holds where all its checks do; it does not where one
// of them does not; elsewhere it is undecided. A comparison is decided by its interval: what the interval leaves open,
// and what was not measured, is undecided.
class ClaimCase {
public:
    ClaimCase(const Findings& findings, const RuntimeTable* runtimes) : findings_(findings), runtimes_(runtimes) {}

    // One setting and metric for the checks that follow.
    void at(std::string_view setting, std::string_view metric);

    // ---- Scores of the best configurations.
    void lower(std::string_view one, std::string_view other);
    void lower_by_far(std::string_view one, std::string_view other);  // by more than a tenth
    void similar(std::string_view one, std::string_view other);
    // Nobody is lower than this one.
    void lowest(std::string_view one);
    // The whole interval of the score is below half of the error of w_0 and no run diverged; or it is above.
    void halves_the_error(std::string_view one);
    void does_not_halve_the_error(std::string_view one);
    void never_diverges(std::string_view one);
    bool can_halve_the_error(std::string_view one) const;

    // ---- Spread and sensitivity.
    // The deviation between runs is higher than that of every other.
    void most_variable(std::string_view one);
    // It is higher than the median of the others.
    void variable(std::string_view one);
    // The breadth is larger: the share of the values of alpha, and of those of lambda, that keep the score within 50%
    // of the best, the other parameters at their best; the mean of the two shares.
    void less_sensitive(std::string_view one, std::string_view other);
    // The breadth is smaller than the median of the others'.
    void sensitive(std::string_view one);
    // At least half of a parameter's values, the others at their best, are within 50% of the best score.
    void reasonable(std::string_view one, std::string_view parameter);
    // The best configuration's value is what it should be, in 95% of the resamples of the instances.
    void best_value(std::string_view one, std::string_view parameter, std::string_view what,
                    const std::function<bool(double)>& is_right);
    // With values up to a bound the best score is worse by more than a tenth.
    void needs_more_than(std::string_view one, std::string_view parameter, double bound);
    // The parameter changes no score, as long as nothing overflows.
    void indifferent(std::string_view one, std::string_view parameter);

    // ---- Settings compared: pairs of algorithms that differ by more than a tenth here are in the same order there.
    void same_order(std::string_view setting, std::string_view metric);

    // ---- Runtimes.
    void runtime_order_of_paper(Policy policy);
    void fast(std::string_view one, Policy policy, double factor, Ids others);
    void faster(std::string_view one, std::string_view other, Policy policy);

    // ---- Real time, with the paper's costs: errors after the last iteration of that duration, in milliseconds.
    void lower_in_time(std::string_view one, std::string_view other, Policy policy, double duration);
    void similar_in_time(std::string_view one, std::string_view other, Policy policy, double duration);
    // Lower than everybody but the one it may tie with.
    void lowest_in_time(std::string_view one, std::string_view tied, Policy policy, double duration);

    std::vector<std::string_view> algorithms() const;  // of the setting; empty where there is none
    void leave_open(std::string why) { decide(Verdict::undecided, std::move(why)); }
    Verdict verdict() const { return verdict_; }
    // What decided comes first: what speaks against, what is open, what speaks for it.
    std::vector<std::string> numbers() const;

private:
    void decide(Verdict verdict, std::string line);
    // The algorithm's findings; where there are none, the case is undecided.
    const AlgorithmFindings* find(std::string_view algorithm);
    std::optional<std::size_t> place(std::string_view algorithm) const;
    bool has_spread(std::string_view one, std::string_view other);
    // The errors of two at their sample counts, per instance, combined.
    std::optional<Interval> in_time(std::string_view one, std::string_view other, Policy policy, double duration,
                                    bool as_ratio, double& value);

    const Findings& findings_;
    const RuntimeTable* runtimes_;
    std::string place_name_;
    const MetricFindings* metric_ = nullptr;
    Verdict verdict_ = Verdict::held;
    struct Line {
        Verdict verdict;
        std::string text;
    };
    std::vector<Line> lines_;
};

}  // namespace bellwether
