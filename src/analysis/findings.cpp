#include "analysis/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <span>

#include "problems/exact.hpp"
#include "problems/return_statistics.hpp"
#include "support/error.hpp"
#include "support/infinity.hpp"
#include "support/machine.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

namespace {

// The draws of instances on which configurations were chosen, where the estimates are of others.
constexpr std::uint32_t draws_of_selection = std::uint32_t{1} << 31;

// The first setting of the same domain: their instances of one number are the same problem, and are drawn together.
std::uint32_t address_of(const Study& study, std::uint32_t setting) {
    const DomainRequest* request = study.settings[setting].problem.request();
    for (std::uint32_t s = 0; request && s < setting; ++s)
        if (const DomainRequest* other = study.settings[s].problem.request(); other && other->info == request->info)
            return s;
    return setting;
}

// The error of w_0 in the instances of a setting, which for some metrics depends on λ. Problems are made again for each
// λ and not kept: of many instances they would take gigabytes, and to solve one takes much longer than to make it.
class InitialErrors {
public:
    InitialErrors(const Study& study, const Setting& setting, Metric metric, std::size_t instances,
                  std::uint32_t first = 0)
        : study_(&study), setting_(&setting), metric_(metric), instances_(instances), first_(first) {}

    // In each instance.
    const std::vector<double>& of_instances(double lambda) {
        if (!metric_info(metric_).depends_on_lambda()) lambda = 0;
        const auto [place, is_new] = errors_.try_emplace(lambda);
        if (is_new) place->second = compute(lambda);
        return place->second;
    }
    // The mean over instances.
    double at(double lambda) {
        const std::vector<double>& errors = of_instances(lambda);
        double sum = 0;
        for (const double error : errors) sum += error;
        return sum / static_cast<double>(errors.size());
    }

private:
    std::vector<double> compute(double lambda) const {
        std::vector<double> errors(instances_);
        std::atomic<bool> stop = false;
        parallel_for(
            std::min(usable_cores(), instances_), instances_, stop,
            [&](std::size_t, std::size_t i) { errors[i] = error_of_instance(static_cast<std::uint32_t>(i), lambda); },
            [] {});
        return errors;
    }
    // The mean over its questions.
    double error_of_instance(std::uint32_t instance, double lambda) const {
        const std::size_t questions = setting_->problem.questions();
        double sum = 0;
        for (std::size_t q = 0; q < questions; ++q)
            sum += error_of(setting_->problem.make(study_->seed, first_ + instance, 0, q), lambda);
        return sum / static_cast<double>(questions);
    }
    double error_of(const FiniteMdp& mdp, double lambda) const {
        const ExactSolution solution = solution_for(mdp, setting_->target, lambda);
        Eigen::VectorXd w = Eigen::VectorXd::Zero(solution.X.cols());
        const std::span<const double> initial = mdp.initial_weights();
        std::copy(initial.begin(), initial.end(), w.begin());
        return exact_error(metric_, solution, w, setting_->weighting).value();
    }

    const Study* study_;
    const Setting* setting_;
    Metric metric_;
    std::size_t instances_;
    std::uint32_t first_;
    std::map<double, std::vector<double>> errors_;
};

// The place of a parameter in an algorithm's list.
std::optional<std::size_t> place_of(const AlgorithmGrid& grid, std::string_view parameter) {
    const ParameterInfo* found = grid.info->find(parameter);
    if (!found) return std::nullopt;
    return static_cast<std::size_t>(found - grid.info->parameters.data());
}

ScoreDistribution distribution_of(const AlgorithmFindings& algorithm, InitialErrors& initial) {
    ScoreDistribution shares;
    const std::size_t count = algorithm.configurations.size();
    const double best = algorithm.configurations[algorithm.best].score;
    const auto lambda = place_of(*algorithm.grid, "lambda");
    std::vector<double> scores, values(algorithm.grid->values.size());
    for (std::size_t c = 0; c < count; ++c) {
        const double score = algorithm.configurations[c].score;
        algorithm.grid->parameters(c, values);
        shares.diverged += std::isinf(score);
        shares.worse_than_start += score > initial.at(lambda ? values[*lambda] : 0);
        shares.within_10 += std::isfinite(score) && score <= 1.1 * best;
        shares.within_50 += std::isfinite(score) && score <= 1.5 * best;
        scores.push_back(score);
    }
    for (double* share : {&shares.diverged, &shares.worse_than_start, &shares.within_10, &shares.within_50})
        *share /= static_cast<double>(count);
    std::sort(scores.begin(), scores.end());
    for (const double level : ScoreDistribution::quantile_levels)
        shares.quantiles.push_back(
            scores[static_cast<std::size_t>(std::round(level * static_cast<double>(count - 1)))]);
    return shares;
}

// The mean over instances of their curves, and its standard error over runs.
LearningCurve curve_of(std::span<const Recording> recordings) {
    LearningCurve curve;
    for (const Recording& recording : recordings) curve.instances.push_back(recording.curve_mean);
    for (std::size_t t = 0; t < recordings.front().curve_mean.size(); ++t) {
        const ConfigurationScore total = combine(step_of(recordings, t));
        curve.mean.push_back(total.score);
        curve.standard_error.push_back(total.standard_error.value_or(0));
    }
    return curve;
}

StageFindings stage_of(std::span<const Recording> recordings, Aggregate aggregate) {
    StageFindings stage;
    stage.curve = curve_of(recordings);
    std::vector<ScoreSummary> summaries;
    for (const Recording& recording : recordings) {
        stage.scores.push_back(recording.scores);
        ScoreSummary& summary = summaries.emplace_back();
        if (aggregate == Aggregate::median)
            summary = ScoreSummary::of_median(recording.scores, infinity);
        else
            for (const double score : recording.scores) summary.add(score, infinity);
    }
    const ConfigurationScore total = combine(summaries);
    stage.estimate = {
        .runs = total.runs, .diverged = total.diverged, .score = total.score, .standard_error = total.standard_error};
    const double deviation = deviation_between_runs(stage.scores);
    if (!std::isnan(deviation)) stage.estimate.deviation = deviation;
    return stage;
}

// The recordings of all instances; none where one is missing.
std::optional<StageFindings> read_stage(const Store& store, const BestConfiguration& best, Stage stage,
                                        std::size_t instances, Aggregate aggregate) {
    const std::vector<Recording> recordings = recordings_of(store, best, stage, instances);
    for (const Recording& recording : recordings)
        if (recording.runs == 0) return std::nullopt;
    return stage_of(recordings, aggregate);
}

class MetricReader {
public:
    MetricReader(const Store& store, const Study& study, std::uint32_t setting, std::size_t instances)
        : store_(store), study_(study), setting_(setting), instances_(instances) {}

    // The findings of every metric of the setting; empty where some configuration lacks results.
    std::vector<MetricFindings> read() const {
        const Setting& setting = study_.settings[setting_];
        std::vector<MetricFindings> all;
        for (std::uint32_t m = 0; m < setting.metrics.size(); ++m)
            all.push_back({.setting = &setting,
                           .metric = m,
                           .instances = instances_,
                           .address = address_of(study_, setting_),
                           .selection_address = address_of(study_, setting_)});
        const std::vector<std::uint32_t> firsts = setting.first_configurations();
        for (std::uint32_t a = 0; a < setting.algorithms.size(); ++a) {
            const AlgorithmGrid& grid = setting.algorithms[a];
            for (MetricFindings& metric : all) add_algorithm(metric, grid);
            bool is_whole = true;
            const auto end = firsts[a] + static_cast<std::uint32_t>(grid.configurations());
            for_each_block(firsts[a], end, instances_, [&](std::uint32_t first, std::uint32_t count) {
                if (!is_whole) return;
                const ScoreBlock block(store_, study_, setting_, instances_, first, count);
                for (MetricFindings& metric : all) is_whole = is_whole && add_scores(metric, block, count);
            });
            if (!is_whole) return {};
        }
        for (MetricFindings& metric : all) complete(metric, firsts);
        return all;
    }

private:
    void add_algorithm(MetricFindings& metric, const AlgorithmGrid& grid) const {
        AlgorithmFindings& algorithm = metric.algorithms.emplace_back();
        algorithm.grid = &grid;
        if (study_.reading)
            for (const auto& [other, stand_in] : study_.reading->stand_ins)
                if (stand_in == algorithm.id()) algorithm.stands_for = other;
    }

    // Of the algorithm that was added last, its next configurations; false where some have no runs.
    static bool add_scores(MetricFindings& metric, const ScoreBlock& block, std::size_t count) {
        AlgorithmFindings& algorithm = metric.algorithms.back();
        for (std::size_t k = 0; k < count; ++k) {
            const std::span<const ScoreSummary> summaries = block.by_instance(metric.metric, k);
            for (const ScoreSummary& summary : summaries) {
                if (summary.runs == 0) return false;
                metric.runs = metric.runs == 0 ? summary.runs : std::min<std::size_t>(metric.runs, summary.runs);
                algorithm.instance_means.push_back(summary.diverged > 0 ? infinity : summary.mean);
            }
            const std::size_t c = algorithm.configurations.size();
            algorithm.configurations.push_back(combine(summaries));
            if (is_better(algorithm.configurations[c], algorithm.configurations[algorithm.best])) algorithm.best = c;
        }
        return true;
    }

    void complete(MetricFindings& metric, std::span<const std::uint32_t> firsts) const {
        const Metric scored = metric.setting->metrics[metric.metric].metric;
        InitialErrors initial(study_, *metric.setting, scored, instances_);
        metric.initial_error = initial.at(0);
        for (std::uint32_t a = 0; a < metric.algorithms.size(); ++a) {
            AlgorithmFindings& algorithm = metric.algorithms[a];
            algorithm.distribution = distribution_of(algorithm, initial);
            const BestConfiguration best{setting_, a, static_cast<std::uint32_t>(metric.metric),
                                         static_cast<std::uint32_t>(firsts[a] + algorithm.best), firsts[a]};
            const Aggregate aggregate = metric.setting->aggregate;
            algorithm.recorded_selection = read_stage(store_, best, Stage::selection, instances_, aggregate);
            algorithm.fresh = read_stage(store_, best, fresh_stage(*metric.setting), instances_, aggregate);
            const ConfigurationScore& chosen = algorithm.configurations[algorithm.best];
            algorithm.selection = {.runs = chosen.runs,
                                   .diverged = chosen.diverged,
                                   .score = chosen.score,
                                   .standard_error = chosen.standard_error};
            if (algorithm.recorded_selection)
                algorithm.selection.deviation = algorithm.recorded_selection->estimate.deviation;
        }
        metric.is_on_fresh_instances = metric.setting->fresh_instances && metric.is_fresh();
        if (metric.is_on_fresh_instances) {
            metric.selection_address |= draws_of_selection;
            initial = InitialErrors(study_, *metric.setting, scored, instances_, first_fresh_instance);
        }
        add_choices(metric);
        add_spread(metric, initial);
    }

    void add_choices(MetricFindings& metric) const {
        if (instances_ == 1) return;
        for (AlgorithmFindings& algorithm : metric.algorithms) {
            ResampledChoice choice = resample_choice(algorithm.instance_means, instances_, algorithm.best, study_.seed,
                                                     metric.selection_address);
            algorithm.probabilities_best = std::move(choice.probabilities);
            algorithm.choice_costs = std::move(choice.costs);
        }
    }

    // Where every algorithm has been recorded on the same runs.
    void add_spread(MetricFindings& metric, InitialErrors& initial) const {
        const bool fresh = metric.is_fresh();
        std::vector<RunScores> competitors;
        for (AlgorithmFindings& algorithm : metric.algorithms) {
            if (!fresh) algorithm.fresh.reset();  // all or none, so that all are compared on the same runs
            const auto& stage = fresh ? algorithm.fresh : algorithm.recorded_selection;
            if (!stage) return;
            competitors.push_back(stage->scores);
        }
        cut_to_common_runs(competitors);
        if (fresh) metric.fresh_runs = competitors.front().front().size();
        metric.spread.emplace(competitors, study_.seed, metric.address, bootstrap_resamples, metric.setting->aggregate);
        for (std::size_t a = 0; a < metric.algorithms.size(); ++a) {
            AlgorithmFindings& algorithm = metric.algorithms[a];
            Estimate& estimate = fresh ? algorithm.fresh->estimate : algorithm.selection;
            estimate.interval = metric.spread->score(a);
            estimate.first = metric.spread->probability_first(a);
        }
        add_robust(metric, competitors, initial);
    }

    void add_robust(MetricFindings& metric, std::span<const RunScores> competitors, InitialErrors& initial) const {
        std::vector<std::vector<double>> start_errors;
        for (const AlgorithmFindings& algorithm : metric.algorithms)
            start_errors.push_back(initial.of_instances(algorithm.best_value("lambda").value_or(0)));
        metric.thresholds = profile_thresholds(competitors, metric.initial_error);
        std::vector<RobustStatistics> all =
            robust_statistics(competitors, start_errors, metric.thresholds, study_.seed, metric.address);
        for (std::size_t a = 0; a < all.size(); ++a) metric.algorithms[a].robust = std::move(all[a]);
    }

    static void cut_to_common_runs(std::vector<RunScores>& competitors) {
        std::size_t least = competitors.front().front().size();
        for (const RunScores& scores : competitors)
            for (const std::vector<double>& runs : scores) least = std::min(least, runs.size());
        for (RunScores& scores : competitors)
            for (std::vector<double>& runs : scores) runs.resize(least);
    }

    const Store& store_;
    const Study& study_;
    std::uint32_t setting_;
    std::size_t instances_;
};

}  // namespace

std::optional<double> AlgorithmFindings::best_value(std::string_view parameter) const {
    const auto place = place_of(*grid, parameter);
    if (!place) return std::nullopt;
    return grid->values[*place][grid->place(best, *place)];
}

std::vector<SensitivityPoint> AlgorithmFindings::sensitivity(std::string_view parameter, SensitivityView view) const {
    const auto place = place_of(*grid, parameter);
    if (!place) return {};
    return sensitivity_curve(*grid, configurations, best, *place, view);
}

const LearningCurve* AlgorithmFindings::curve() const {
    if (fresh) return &fresh->curve;
    return recorded_selection ? &recorded_selection->curve : nullptr;
}

std::optional<std::size_t> MetricFindings::find(std::string_view algorithm) const {
    const auto found = std::find_if(algorithms.begin(), algorithms.end(), [&](const AlgorithmFindings& candidate) {
        return candidate.id() == algorithm || candidate.stands_for == algorithm;
    });
    if (found == algorithms.end()) return std::nullopt;
    return static_cast<std::size_t>(found - algorithms.begin());
}

bool MetricFindings::is_fresh() const {
    return std::all_of(algorithms.begin(), algorithms.end(),
                       [](const AlgorithmFindings& algorithm) { return algorithm.fresh.has_value(); });
}

const MetricFindings* Findings::find(std::string_view setting, std::string_view metric) const {
    const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const MetricFindings& candidate) {
        return candidate.setting->id == setting &&
               (candidate.metric_id() == metric ||
                id_of(candidate.setting->metrics[candidate.metric].metric) == metric);
    });
    return found == metrics.end() ? nullptr : &*found;
}

const LearningCurve* Findings::stated_curve(std::size_t setting, std::size_t metric,
                                            const StatedConfiguration& configuration) const {
    const auto found = std::find_if(stated.begin(), stated.end(), [&](const StatedCurve& one) {
        return one.setting == setting && one.metric == metric && one.configuration == configuration;
    });
    return found == stated.end() ? nullptr : &found->curve;
}

double agent_steps_of(const Findings& findings) {
    double total = 0;
    for (const MetricFindings& metric : findings.metrics)
        if (metric.metric == 0)
            total += static_cast<double>(metric.setting->configurations() * metric.instances * metric.runs) *
                     static_cast<double>(metric.setting->steps);
    return total;
}

namespace {

void read_stated(const Store& store, std::span<const std::size_t> instances, Findings& findings) {
    const Study& study = *findings.study;
    std::vector<std::size_t> found;
    for (std::size_t s = 0; s < study.settings.size(); ++s)
        if (std::find(findings.left_out.begin(), findings.left_out.end(), study.settings[s].id) ==
            findings.left_out.end())
            found.push_back(s);
    for (const BestConfiguration& one : stated_configurations(study, found)) {
        const Setting& setting = study.settings[one.setting];
        const StatedConfiguration configuration{one.algorithm, one.configuration - one.first_configuration};
        if (findings.stated_curve(one.setting, one.metric, configuration)) continue;
        auto stage = read_stage(store, one, fresh_stage(setting), instances[one.setting], setting.aggregate);
        if (stage) findings.stated.push_back({one.setting, one.metric, configuration, std::move(stage->curve)});
    }
}

}  // namespace

namespace {

// Scores are kept by configuration and instance, and once more while choices among those of an algorithm are resampled.
void refuse_too_large(const Study& study, std::span<const std::size_t> instances) {
    double numbers = 0;
    for (std::size_t s = 0; s < study.settings.size(); ++s)
        numbers += 2.0 * static_cast<double>(study.settings[s].configurations()) *
                   static_cast<double>(study.settings[s].metrics.size() * instances[s]);
    const double needed = numbers * sizeof(double);
    if (const double there = memory_of_machine(); needed > there)
        throw UsageError(fmt::format(
            "a report on so many configurations and instances needs {:.3g} GB of memory; this machine has {:.3g} GB "
            "('bellwether export' needs less)",
            needed / 1e9, there / 1e9));
}

}  // namespace

Findings find_all(const Store& store, const Study& study) {
    Findings findings{.study = &study};
    const std::vector<std::size_t> instances = stored_instances(store, study);
    refuse_too_large(study, instances);
    for (std::uint32_t s = 0; s < study.settings.size(); ++s) {
        std::vector<MetricFindings> metrics;
        if (instances[s] > 0) metrics = MetricReader(store, study, s, instances[s]).read();
        if (metrics.empty()) findings.left_out.push_back(study.settings[s].id);
        std::move(metrics.begin(), metrics.end(), std::back_inserter(findings.metrics));
    }
    read_stated(store, instances, findings);
    return findings;
}

}  // namespace bellwether
