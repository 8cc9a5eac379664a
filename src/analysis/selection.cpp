#include "analysis/selection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "plan/stored_scores.hpp"
#include "support/error.hpp"

namespace bellwether {

ConfigurationScore combine(std::span<const ScoreSummary> by_instance) {
    ConfigurationScore total;
    double sum = 0, variance = 0;  // of the mean over runs, summed over instances
    double with_mean = 0;          // instances in which some run did not diverge
    bool has_variance = true;
    for (const ScoreSummary& s : by_instance) {
        if (s.runs == 0) continue;
        ++total.instances;
        total.runs += s.runs;
        total.diverged += s.diverged;
        const auto n = static_cast<double>(s.runs - s.diverged);
        if (n > 0) {
            sum += s.mean;
            ++with_mean;
        }
        if (n > 1)
            variance += s.m2 / (n - 1) / n;
        else
            has_variance = false;
    }
    if (total.instances == 0) return total;
    const auto instances = static_cast<double>(total.instances);
    total.mean = with_mean > 0 ? sum / with_mean : std::numeric_limits<double>::infinity();
    total.score = total.mean;
    if (has_variance) total.standard_error = std::sqrt(variance) / instances;
    if (total.diverged > 0) total.score = total.standard_error.emplace(std::numeric_limits<double>::infinity());
    return total;
}

bool is_better(const ConfigurationScore& one, const ConfigurationScore& other) {
    return std::tuple(one.diverged, one.mean) < std::tuple(other.diverged, other.mean);
}

ScoreBlock::ScoreBlock(const Store& store, const Study& study, std::uint32_t setting, std::size_t instances,
                       std::uint32_t first_configuration, std::uint32_t count, bool with_questions)
    : count_(count), instances_(instances) {
    const Setting& of = study.settings[setting];
    const auto scores = with_questions ? stored_scores(of) : static_cast<std::uint32_t>(of.metrics.size());
    summaries_.resize(scores * count_ * instances_);
    for (std::size_t i = 0; i < instances_; ++i) {
        const std::vector<ScoreSummary> of_instance =
            store.summaries(setting, static_cast<std::uint32_t>(i), first_configuration, count, scores);
        for (std::size_t k = 0; k < of_instance.size(); ++k) summaries_[k * instances_ + i] = of_instance[k];
    }
}

std::optional<std::uint32_t> best_configuration(const Store& store, const Study& study, std::uint32_t setting,
                                                std::size_t instances, std::size_t metric, std::uint32_t first,
                                                std::uint32_t end) {
    std::optional<std::uint32_t> best;
    ConfigurationScore best_score;
    for_each_block(first, end, instances, [&](std::uint32_t block_first, std::uint32_t count) {
        const ScoreBlock block(store, study, setting, instances, block_first, count);
        for (std::uint32_t c = 0; c < count; ++c) {
            const ConfigurationScore total = combine(block.by_instance(metric, c));
            if (total.runs == 0 || (best && !is_better(total, best_score))) continue;
            best = block_first + c;
            best_score = total;
        }
    });
    return best;
}

std::vector<BestConfiguration> best_configurations(const Store& store, const Study& study,
                                                   std::span<const std::size_t> settings) {
    const std::vector<std::size_t> instances = stored_instances(store, study);
    std::vector<BestConfiguration> all;
    for (const std::size_t number : settings) {
        const auto s = static_cast<std::uint32_t>(number);
        const Setting& setting = study.settings[s];
        const std::vector<std::uint32_t> firsts = setting.first_configurations();
        for (std::uint32_t a = 0; a < setting.algorithms.size(); ++a)
            for (std::uint32_t m = 0; m < setting.metrics.size(); ++m) {
                const auto end = static_cast<std::uint32_t>(firsts[a] + setting.algorithms[a].configurations());
                const auto best = best_configuration(store, study, s, instances[s], m, firsts[a], end);
                if (best) all.push_back({s, a, m, *best, firsts[a]});
            }
    }
    return all;
}

std::vector<std::size_t> stored_instances(const Store& store, const Study& study) {
    std::vector<std::size_t> instances(study.settings.size(), 0);
    for (const Extent& extent : store.extents())
        if (extent.setting < instances.size()) instances[extent.setting] = extent.instances;
    for (const auto& unit : store.units()) {
        if (unit.key.setting >= instances.size())
            throw WorkError(
                "the results are damaged: they have units of a setting that is not in the study; remove them and run "
                "the study again");
        instances[unit.key.setting] = std::max(instances[unit.key.setting], std::size_t{unit.key.instance} + 1);
    }
    return instances;
}

std::vector<BestConfiguration> stated_configurations(const Study& study, std::span<const std::size_t> settings) {
    std::vector<BestConfiguration> stated;
    for (const Figure& figure : study.figures)
        for (const FigureRow& row : figure.rows) {
            if (std::find(settings.begin(), settings.end(), row.setting) == settings.end()) continue;
            const std::vector<std::uint32_t> firsts = study.settings[row.setting].first_configurations();
            for (const StatedConfiguration& one : row.of)
                stated.push_back({static_cast<std::uint32_t>(row.setting), static_cast<std::uint32_t>(one.algorithm),
                                  static_cast<std::uint32_t>(row.metric),
                                  static_cast<std::uint32_t>(firsts[one.algorithm] + one.configuration),
                                  firsts[one.algorithm]});
        }
    return stated;
}

std::vector<Recording> recordings_of(const Store& store, const BestConfiguration& best, Stage stage,
                                     std::size_t instances) {
    std::vector<Recording> recordings;
    for (std::uint32_t i = 0; i < instances; ++i)
        recordings.push_back(
            store.recording({best.setting, best.metric, i, best.configuration, stage}).value_or(Recording{}));
    return recordings;
}

std::vector<ScoreSummary> step_of(std::span<const Recording> recordings, std::size_t step) {
    std::vector<ScoreSummary> summaries;
    for (const Recording& r : recordings) {
        ScoreSummary& summary = summaries.emplace_back();
        if (r.runs == 0) continue;
        if (step >= r.curve_mean.size() || step >= r.curve_m2.size())
            throw WorkError(
                "the results are damaged: a recorded curve is too short; remove them and run the study again");
        summary.runs = r.runs;
        summary.diverged = std::isfinite(r.curve_mean[step]) ? 0 : 1;
        summary.mean = r.curve_mean[step];
        summary.m2 = r.curve_m2[step];
    }
    return summaries;
}

}  // namespace bellwether
