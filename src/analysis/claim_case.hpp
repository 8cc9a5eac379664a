// What speaks for a claim and against it: comparisons that leave their numbers behind.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "runtime/real_time.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

// What a value should be: "above", "below", "at least" or "at most" a bound.
struct Bound {
    std::string relation;
    double value;

    bool holds(double of) const;
};
inline constexpr std::array<std::string_view, 4> bound_relations{"above", "below", "at least", "at most"};

// Every check adds a line of numbers and its own verdict. A claim holds where all its checks do; it does not where one
// of them does not; elsewhere it is undecided. A comparison is decided by its interval: what the interval leaves open,
// and what was not measured, is undecided.
class ClaimCase {
public:
    using Names = std::vector<std::string>;

    ClaimCase(const Findings& findings, const Published& published, const RuntimeTable* runtimes)
        : findings_(findings), published_(published), runtimes_(runtimes) {}

    // One setting and metric, or one policy, for the checks that follow.
    void at(std::string_view setting, std::string_view metric);
    void at(Policy policy) { policy_ = policy; }

    // ---- Scores of the best configurations.
    void lower(std::string_view one, std::string_view other);
    void lower_by_far(std::string_view one, std::string_view other, double by);  // by more than this part
    void similar(std::string_view one, std::string_view other, double within);   // this part of each other
    // Nobody is lower than this one.
    void lowest(std::string_view one);
    // The whole interval of the score is below this part of the error of w_0 and no run diverged; or it is above.
    void reduces_error(std::string_view one, double to);
    void does_not_reduce_error(std::string_view one, double to);
    void never_diverges(std::string_view one);
    bool can_reduce_error(std::string_view one, double to) const;

    // ---- Spread and sensitivity.
    // The deviation between runs is higher than that of every other.
    void most_variable(std::string_view one);
    // It is higher than the median of the others.
    void variable(std::string_view one);
    // The breadth is larger: the share of the values of each of these parameters that keep the score within this part
    // of the best, the other parameters at their best; the mean of the shares.
    void less_sensitive(std::string_view one, std::string_view other, const Names& parameters, double within);
    // The breadth is smaller than the median of the others'.
    void sensitive(std::string_view one, const Names& parameters, double within);
    // At least this share of a parameter's values, the others at their best, are within this part of the best score.
    void reasonable(std::string_view one, std::string_view parameter, double within, double share);
    // The best configuration's value is what it should be, in this share of the resamples of the instances.
    void best_value(std::string_view one, std::string_view parameter, const Bound& bound, double probability);
    // The best value is above a bound, and with values up to it the best score is worse by more than this part.
    void needs_more_than(std::string_view one, std::string_view parameter, double bound, double by);
    // The parameter changes no score, as long as nothing overflows.
    void indifferent(std::string_view one, std::string_view parameter);

    // ---- Settings compared: pairs of algorithms that differ by more than this part here are in the same order there.
    void same_order(std::string_view setting, std::string_view metric, double by);

    // ---- Runtimes, with features of that kind.
    // Pairs that differ by more than this part in the paper are in the same order here.
    void runtime_order(double by, TimedFeatures features);
    // At most this many times as long as the fastest of the others.
    void fast(std::string_view one, const Names& others, double factor, TimedFeatures features);
    void faster(std::string_view one, std::string_view other, TimedFeatures features);

    // ---- Real time, with the paper's costs: errors after the last iteration of that duration, in milliseconds.
    struct Pace {
        Policy policy;
        double duration;
        TimeReading time = TimeReading::quantised;
        std::optional<double> slowest{};  // to whose mean the costs are scaled; none: as paper_costs has them
    };
    // What the paper's panels allow as the mean cost of the slowest update; empty where it is not open.
    std::vector<double> slowest_allowed(Policy policy) const;
    void lower_in_time(std::string_view one, std::string_view other, const Pace& pace);
    void similar_in_time(std::string_view one, std::string_view other, const Pace& pace, double within);
    // Lower than everybody but those it may tie with.
    void lowest_in_time(std::string_view one, const Names& tied, const Pace& pace);

    Names algorithms() const;  // of the setting; empty where there is none
    const std::string& place_name() const { return place_name_; }
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
    // The errors of two at their sample counts, in the mean over these, per instance, combined.
    std::optional<Interval> in_time(std::string_view one, std::string_view other, const Pace& pace, bool as_ratio,
                                    double& value);
    std::string text_of_pace(const Pace& pace) const;

    const Findings& findings_;
    const Published& published_;
    const RuntimeTable* runtimes_;
    std::string place_name_;
    Policy policy_ = Policy::on;
    const MetricFindings* metric_ = nullptr;
    Verdict verdict_ = Verdict::held;
    struct Line {
        Verdict verdict;
        std::string text;
    };
    std::vector<Line> lines_;
};

}  // namespace bellwether
