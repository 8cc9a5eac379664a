// What speaks for a claim and against it: comparisons that leave their numbers behind.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claim_quantities.hpp"
#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "runtime/real_time.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

inline constexpr std::array<std::string_view, 4> bound_relations{"above", "below", "at least", "at most"};

// How scores of several settings become one number.
inline constexpr std::array<std::string_view, 2> summary_means{"geometric", "interquartile"};

// Every check adds comparisons. They are decided together, by intervals that hold together: a comparison is held where
// its interval lies where it should, not held where it lies outside, and undecided where the interval leaves it open
// or nothing was measured.
class ClaimCase {
public:
    using Names = std::vector<std::string>;

    ClaimCase(ClaimQuantities& quantities, const Findings& findings, const Published& published,
              const RuntimeTable* runtimes)
        : quantities_(quantities), findings_(findings), published_(published), runtimes_(runtimes) {}

    // One setting and metric, or one policy, for the checks that follow.
    void at(std::string_view setting, std::string_view metric);
    void at(Policy policy) { policy_ = policy; }

    // ---- Scores of the best configurations.
    void lower(std::string_view one, std::string_view other);
    void lower_by_far(std::string_view one, std::string_view other, double by);  // by more than this part
    // Not lower than the best of the others by more than this part.
    void not_lower_by_far(std::string_view one, const Names& others, double by);
    // Above the best of the others by at most this part, or lower.
    void near_best(std::string_view one, const Names& others, double within);
    void similar(std::string_view one, std::string_view other, double within);           // this part of each other
    void similar_to_start(std::string_view one, std::string_view other, double within);  // this part of w_0's error
    // Lower than the best of the others.
    void lowest(std::string_view one);
    // The score is below this part of the error of w_0 and no run diverged; or it is above.
    void reduces_error(std::string_view one, double to);
    void does_not_reduce_error(std::string_view one, double to);
    void never_diverges(std::string_view one);
    bool can_reduce_error(std::string_view one, double to) const;

    // ---- Several settings at once, with the algorithms that all of them have.
    void lowest_across(std::string_view one, const Names& settings, std::string_view metric, std::string_view mean);
    // In more than this share of the settings the score is above the median of the others.
    void poor_in_most(std::string_view one, const Names& settings, std::string_view metric, double share);
    // Lower than the score of an algorithm, or of this one, in another setting, by more than this part; or within this
    // part of it.
    void lower_than_in(std::string_view one, std::string_view other, std::string_view setting, std::string_view metric,
                       double by);
    void similar_to_in(std::string_view one, std::string_view other, std::string_view setting, std::string_view metric,
                       double within);
    // Its score is fewer times what it is in another setting than that of another algorithm is.
    void less_affected(std::string_view one, std::string_view other, std::string_view setting, std::string_view metric);
    // Pairs of algorithms that differ by more than this part here are in the same order there.
    void same_order(std::string_view setting, std::string_view metric, double by);

    // ---- Spread and sensitivity.
    // The deviation between runs is higher than that of another, than every other, than the median of the others.
    void more_variable(std::string_view one, std::string_view other);
    void most_variable(std::string_view one);
    void variable(std::string_view one);
    // The area under the sensitivity curves is smaller; larger than the median of the others'; within this part of the
    // best score.
    void less_sensitive(std::string_view one, std::string_view other, const Names& parameters);
    void less_sensitive_than_in(std::string_view one, std::string_view other, std::string_view setting,
                                std::string_view metric, const Names& parameters);
    void sensitive(std::string_view one, const Names& parameters);
    void reasonable(std::string_view one, std::string_view parameter, double within);

    // ---- Values of parameters, by the scores of the selection.
    // The best configuration's value is what it should be, in this share of the resamples of the instances.
    void best_value(std::string_view one, std::string_view parameter, const Bound& bound, double probability);
    // The best score with these values is lower than with the others, by more than this part.
    void better_with(std::string_view one, std::string_view parameter, const Bound& bound, double by);
    // The best score with these values is within noise of that with the others, or lower.
    void as_good_with(std::string_view one, std::string_view parameter, const Bound& bound);
    // The parameter changes no score, as long as nothing overflows.
    void indifferent(std::string_view one, std::string_view parameter);

    // ---- Runtimes, with features of that kind. Their intervals are those of the measurement.
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
    void similar_to_start_in_time(std::string_view one, std::string_view other, const Pace& pace, double within);
    // Lower than everybody but those it may tie with.
    void lowest_in_time(std::string_view one, const Names& tied, const Pace& pace);

    Names algorithms() const;  // of the setting; empty where there is none
    const std::string& place_name() const { return place_name_; }
    void leave_open(std::string why);

    // ---- After the checks.
    std::size_t size() const { return entries_.size(); }
    // The critical value of all comparisons together.
    double critical() const;
    // What the comparisons first … end − 1 say with such intervals.
    std::vector<Evidence> decide(double critical, std::size_t first, std::size_t end) const;

private:
    // A comparison that waits for its interval; or what has one, or needs none, and is decided.
    struct Entry {
        Evidence evidence;
        std::optional<Resampled> quantity{};  // logarithms where the unit is a ratio
        bool may_touch = false;               // held where the interval reaches the target at all
    };
    void compare(std::string label, std::string what, Resampled quantity, Interval target,
                 Evidence::Unit unit = Evidence::Unit::ratio);
    void add_measured(std::string label, std::string what, double estimate, std::optional<Interval> interval,
                      Interval target, Verdict verdict, Evidence::Unit unit);

    // The algorithm's findings; where there are none, the case is undecided.
    const AlgorithmFindings* find(std::string_view algorithm);
    std::optional<std::size_t> place(std::string_view algorithm) const;
    bool has_spread(std::string_view one, std::string_view other);
    // Of every algorithm of the setting but this one and those.
    std::vector<const Resampled*> scores_of_others(std::string_view one, const Names& but = {});
    std::vector<const Resampled*> scores_of(const Names& algorithms);
    // All with recorded runs, and the algorithm in all; empty, and undecided, elsewhere.
    std::vector<const MetricFindings*> metrics_of(std::string_view one, const Names& settings, std::string_view metric);
    // An algorithm in another setting; none, and undecided, where either has no results.
    struct Elsewhere {
        const MetricFindings* findings;
        std::size_t place;  // of the algorithm there
    };
    std::optional<Elsewhere> find_elsewhere(std::string_view one, std::string_view other, std::string_view setting,
                                            std::string_view metric);
    // The ratio of the score to that of an algorithm in another setting.
    void compare_with_score_in(std::string_view one, std::string_view other, std::string_view setting,
                               std::string_view metric, Interval target);
    // The ratio of the score to the best of the others'.
    void compare_with_best(std::string_view one, const Names& others, Interval target);
    // "GTD 0.11 against TD 0.12"
    std::string scores_text(std::string_view one, std::string_view other);
    // Null, and undecided, where there is no runtime.
    const Runtime* runtime_of(std::string_view algorithm, TimedFeatures features);
    // The error after the last iteration; null where there is none.
    const Resampled* error_in_time(std::string_view one, const Pace& pace);
    // Compares two in time; undecided where there are no learning curves.
    void compare_in_time(std::string_view one, std::string_view other, const Pace& pace, Interval target);
    std::string text_of_pace(const Pace& pace) const;

    ClaimQuantities& quantities_;
    const Findings& findings_;
    const Published& published_;
    const RuntimeTable* runtimes_;
    std::string place_name_;
    Policy policy_ = Policy::on;
    const MetricFindings* metric_ = nullptr;
    std::vector<Entry> entries_;
};

}  // namespace bellwether
