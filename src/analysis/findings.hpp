// Everything a study's results say, in one place: tables, figures, claims and the report's page are made from this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/robust.hpp"
#include "analysis/selection.hpp"
#include "analysis/sensitivity.hpp"
#include "analysis/spread.hpp"
#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

// What the best configuration of an algorithm does.
struct Estimate {
    std::uint64_t runs = 0, diverged = 0;    // over all instances
    double score = 0;                        // infinite where some run diverged
    std::optional<double> standard_error{};  // over runs, as in the paper; infinite likewise
    std::optional<double> deviation{};       // between runs of one instance
    std::optional<Interval> interval{};      // of the score: bootstrap over instances and runs
    std::optional<double> first{};           // the probability that no algorithm has a lower score
};

// The error of w_0 and each that is measured: the mean over runs and instances, infinite from where some run was not
// finite.
struct LearningCurve {
    std::vector<double> mean;
    std::vector<double> standard_error;            // 0 where there is one run
    std::vector<std::vector<double>> instances{};  // each one's mean
};

// What was recorded of the best configuration in one stage.
struct StageFindings {
    Estimate estimate;
    LearningCurve curve;
    RunScores scores;
};

// How the scores of all configurations lie.
struct ScoreDistribution {
    // Shares of the configurations.
    double diverged = 0, worse_than_start = 0;  // the score is above the error of w_0: diverged ones included
    double within_10 = 0, within_50 = 0;        // of the best score, in percent
    static constexpr double quantile_levels[] = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};
    std::vector<double> quantiles{};
};

struct AlgorithmFindings {
    const AlgorithmGrid* grid = nullptr;
    std::string_view stands_for{};  // the algorithm whose place it takes in a reading; "" where there is none
    std::vector<ConfigurationScore> configurations{};  // on the runs of the selection
    std::vector<double> instance_means{};              // configurations × instances; infinite where a run diverged
    std::size_t best = 0;                              // number within the grid
    std::vector<double> probabilities_best{};          // of each configuration; empty where there is one instance
    std::vector<double> choice_costs{};                // by resample (spread.hpp); empty where there is one instance
    ScoreDistribution distribution{};
    Estimate selection{};  // from the sweep, and its deviation from the recording where there is one
    std::optional<StageFindings> recorded_selection{}, fresh{};
    std::optional<RobustStatistics> robust{};  // of the runs that the spread is of

    std::string_view id() const { return grid->info->id; }
    std::string_view id_in_claims() const { return stands_for.empty() ? id() : stands_for; }
    // The value of a parameter in the best configuration; none where the algorithm does not have it.
    std::optional<double> best_value(std::string_view parameter) const;
    // Empty where the algorithm does not have the parameter.
    std::vector<SensitivityPoint> sensitivity(std::string_view parameter,
                                              SensitivityView view = SensitivityView::reselected) const;
    // Of the fresh runs where there are some, of the selection elsewhere.
    const Estimate& estimate() const { return fresh ? fresh->estimate : selection; }
    const LearningCurve* curve() const;
};

// One metric of one setting: what was selected on separately.
struct MetricFindings {
    const Setting* setting = nullptr;
    std::size_t metric = 0;                               // number in the setting's list
    std::size_t instances = 0, runs = 0, fresh_runs = 0;  // runs: of each instance
    double initial_error = 0;  // of w_0, the mean over instances (projected errors: at λ = 0)
    std::vector<AlgorithmFindings> algorithms{};
    // Of its bootstraps: of what the estimates are made from, and of the selection. The same in all settings of a
    // domain, whose instances of one number are the same problem.
    std::uint32_t address = 0, selection_address = 0;
    bool is_on_fresh_instances = false;  // or fresh runs of the instances of the selection
    std::optional<Bootstrap> spread{};   // of the algorithms in their order, on fresh runs if there are
    std::vector<double> thresholds{};    // of the performance profiles; empty where there is no spread

    std::string metric_id() const { return setting->metrics[metric].id(); }
    // The place of an algorithm, or of the one that stands for it; none where the setting does not have it.
    std::optional<std::size_t> find(std::string_view algorithm) const;
    bool is_fresh() const;  // whether estimates and curves are those of fresh runs
};

// A configuration that a figure of curves states (plan/study.hpp), as it was recorded on fresh runs.
struct StatedCurve {
    std::size_t setting, metric;  // number in the study, and in the setting's list
    StatedConfiguration configuration;
    LearningCurve curve;
};

struct Findings {
    const Study* study = nullptr;
    std::vector<MetricFindings> metrics{};  // setting by setting, metric by metric
    std::vector<std::string> left_out{};    // settings that lack results of some configurations
    std::vector<StatedCurve> stated{};      // each once, of the settings that are not left out

    // The metric's id; without a score, where it has several, the first of them.
    const MetricFindings* find(std::string_view setting, std::string_view metric) const;
    // Null where it was not recorded.
    const LearningCurve* stated_curve(std::size_t setting, std::size_t metric,
                                      const StatedConfiguration& configuration) const;
};

// Of the sweeps that there are findings of.
double agent_steps_of(const Findings& findings);

// The study must outlive what is found.
Findings find_all(const Store& store, const Study& study);

}  // namespace bellwether
