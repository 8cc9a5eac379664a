#include "run/unit_work.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "analysis/stored_study.hpp"
#include "plan/stored_scores.hpp"

namespace bellwether {

namespace {

// A part of a unit is a multiple of what any kernel moves together and takes some milliseconds.
constexpr std::size_t lanes_multiple = 32;
constexpr std::size_t agent_steps_of_part = 4'000'000;

std::size_t part_size(std::size_t steps, const Backend& backend) {
    if (backend.agent_steps_at_once() > 0) return most_configurations_of_unit;
    return std::clamp(agent_steps_of_part / steps / lanes_multiple * lanes_multiple, lanes_multiple,
                      most_configurations_of_unit);
}

UnitResult without_runs(const Unit& unit, const Setting& setting) {
    return {key_of(unit), unit.count, 0, std::vector<ScoreSummary>(std::size_t{stored_scores(setting)} * unit.count)};
}

}  // namespace

UnitWork::UnitWork(InstanceCache& instances, const Backend* backend, const Unit& unit,
                   const std::optional<UnitResult>& so_far)
    : setting_(instances.study().settings[unit.setting]),
      backend_(backend),
      result_(so_far ? *so_far : without_runs(unit, setting_)),
      kept_(stored_scores(setting_)) {
    // Medians of fewer runs are of no use.
    if (setting_.aggregate == Aggregate::median)
        for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
            if (!is_done(m)) forget(m);
    std::vector<std::size_t> configurations(unit.count);
    std::iota(configurations.begin(), configurations.end(), std::size_t{unit.first});
    const std::size_t size = part_size(setting_.steps, *backend);
    for (std::size_t first = 0; first < configurations.size(); first += size)
        blocks_.emplace_back(instances, backend, unit.setting, unit.algorithm, unit.instance,
                             std::span(configurations).subspan(first, std::min(size, configurations.size() - first)));
}

void UnitWork::forget(std::size_t metric) {
    const auto clear = [&](std::size_t score) {
        std::fill_n(result_.summaries.begin() + static_cast<std::ptrdiff_t>(score * result_.configurations),
                    result_.configurations, ScoreSummary{});
    };
    clear(metric);
    for (std::size_t q = 0; q < questions_apart(setting_); ++q) clear(place_of_question(setting_, metric, q));
}

bool UnitWork::done() const {
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
        if (!is_done(m)) return false;
    return true;
}

std::size_t UnitWork::run_next(const std::atomic<bool>& stop) {
    std::uint64_t run = UINT64_MAX;
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m)
        if (!is_done(m)) run = std::min(run, runs_done(m));
    // The metrics that need it, and the runs that all of these need and no other.
    std::vector<std::size_t> metrics;
    std::uint64_t end = UINT64_MAX;
    for (std::size_t m = 0; m < setting_.metrics.size(); ++m) {
        if (is_done(m)) continue;
        if (runs_done(m) == run) metrics.push_back(m);
        end = std::min(end, runs_done(m) == run ? setting_.metrics[m].runs : runs_done(m));
    }
    const std::size_t runs = runs_at_once(*backend_, setting_, result_.configurations, end - run);
    for (ConfigurationBlock& block : blocks_) {
        if (stop) return 0;
        block.run(static_cast<std::uint32_t>(run), runs, metrics);
    }
    for (std::size_t place = 0; place < metrics.size(); ++place)
        for (std::size_t n = 0; n < runs; ++n) add_scores(metrics[place], place, n);
    result_.runs = std::max(result_.runs, run + runs);
    if (done()) result_.runs = std::max<std::uint64_t>(result_.runs, setting_.runs);
    return runs;
}

bool UnitWork::has_questions_apart(std::size_t metric) const {
    for (std::size_t q = 0; q < questions_apart(setting_); ++q)
        if (runs_done(place_of_question(setting_, metric, q)) != runs_done(metric)) return false;
    return true;
}

template <class Add>
void UnitWork::for_each_score(std::size_t metric, std::size_t place, std::size_t run,
                              std::optional<std::size_t> question, Add add) const {
    for (const ConfigurationBlock& block : blocks_)
        for (std::size_t c = 0; c < block.configurations(); ++c)
            if (question)
                add(block.score_of_question(*question, place, c, run),
                    block.initial_error_of_question(*question, metric, c));
            else
                add(block.score(place, c, run), block.initial_error(metric, c));
}

void UnitWork::add_scores(std::size_t metric, std::size_t place, std::size_t run) {
    const auto add = [&](std::size_t score, std::optional<std::size_t> question) {
        if (setting_.aggregate == Aggregate::median) return keep_scores(score, metric, place, run, question);
        ScoreSummary* summary = result_.summaries.data() + score * result_.configurations;
        for_each_score(metric, place, run, question,
                       [&](double found, double initial) { (summary++)->add(found, initial); });
    };
    if (has_questions_apart(metric))
        for (std::size_t q = 0; q < questions_apart(setting_); ++q) add(place_of_question(setting_, metric, q), q);
    add(metric, std::nullopt);
}

void UnitWork::keep_scores(std::size_t score, std::size_t metric, std::size_t place, std::size_t run,
                           std::optional<std::size_t> question) {
    std::vector<double>& kept = kept_[score];
    for_each_score(metric, place, run, question, [&](double found, double) { kept.push_back(found); });
    const std::size_t width = result_.configurations, runs = kept.size() / width;
    if (runs < setting_.metrics[metric].runs) return;
    ScoreSummary* summary = result_.summaries.data() + score * width;
    std::vector<double> scores(runs);
    std::size_t number = 0;
    for_each_score(metric, place, run, question, [&](double, double initial) {
        for (std::size_t r = 0; r < runs; ++r) scores[r] = kept[r * width + number];
        summary[number++] = ScoreSummary::of_median(scores, initial);
    });
    kept.clear();
}

}  // namespace bellwether
