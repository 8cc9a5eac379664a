#include "analysis/export.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "analysis/selection.hpp"
#include "bellwether/number_text.hpp"
#include "plan/stored_scores.hpp"

namespace bellwether {

namespace {

std::string header_of_parameters(const Study& study) {
    std::string text;
    for (const std::string_view name : study.parameter_names()) text += fmt::format("{},", name);
    return text;
}

// A configuration's values in the columns of the study: "0.1,,0.9,".
std::string cells_of_parameters(const Study& study, const AlgorithmGrid& grid, std::size_t configuration) {
    std::vector<double> values(grid.values.size());
    grid.parameters(configuration, values);
    std::string text;
    for (const std::string_view name : study.parameter_names()) {
        for (std::size_t p = 0; p < values.size(); ++p)
            if (grid.info->parameters[p].name == name) text += number_text(values[p]);
        text += ',';
    }
    return text;
}

// "score,stderr"
std::string cells_of_score(const ConfigurationScore& total) {
    return number_text(total.score) + "," + (total.standard_error ? number_text(*total.standard_error) : "");
}

// Calls use(cells, summaries) for all instances together, or for each one: cells is "" or "instance,".
template <class Use>
void by_one_or_all(std::span<const ScoreSummary> instances, bool by_instance, Use use) {
    if (!by_instance) return use(std::string(), instances);
    for (std::size_t i = 0; i < instances.size(); ++i) use(fmt::format("{},", i), instances.subspan(i, 1));
}

class ScoreTable {
public:
    ScoreTable(const Store& store, const Study& study, bool by_instance, bool by_question, const TextSink& write)
        : store_(store), study_(study), by_instance_(by_instance), by_question_(by_question), write_(write) {}

    void write() const {
        write_(fmt::format("setting,algorithm,{}metric,{}{}runs,diverged,score,stderr\n", header_of_parameters(study_),
                           by_question_ ? "question," : "", by_instance_ ? "instance," : ""));
        const std::vector<std::size_t> instances = stored_instances(store_, study_);
        for (std::uint32_t s = 0; s < study_.settings.size(); ++s) {
            const std::vector<std::uint32_t> firsts = study_.settings[s].first_configurations();
            for (std::size_t a = 0; a < firsts.size(); ++a) {
                const auto count = static_cast<std::uint32_t>(study_.settings[s].algorithms[a].configurations());
                for_each_block(
                    firsts[a], firsts[a] + count, instances[s], [&](std::uint32_t first, std::uint32_t of_block) {
                        const ScoreBlock block(store_, study_, s, instances[s], first, of_block, by_question_);
                        for (std::uint32_t c = 0; c < of_block; ++c)
                            write_configuration(study_.settings[s], a, first - firsts[a] + c, block, c);
                    });
            }
        }
    }

private:
    void write_configuration(const Setting& setting, std::size_t algorithm, std::size_t configuration,
                             const ScoreBlock& block, std::size_t place) const {
        const AlgorithmGrid& grid = setting.algorithms[algorithm];
        const std::string front =
            fmt::format("{},{},{}", setting.id, grid.info->id, cells_of_parameters(study_, grid, configuration));
        const auto write_rows = [&](std::size_t m, const std::string& question, std::size_t score) {
            by_one_or_all(block.by_instance(score, place), by_instance_,
                          [&](const std::string& instance, auto summaries) {
                              const ConfigurationScore total = combine(summaries);
                              if (total.runs == 0) return;
                              write_(fmt::format("{}{},{}{}{},{},{}\n", front, setting.metrics[m].id(), question,
                                                 instance, total.runs, total.diverged, cells_of_score(total)));
                          });
        };
        for (std::size_t m = 0; m < setting.metrics.size(); ++m) {
            write_rows(m, by_question_ ? "," : "", m);
            for (std::size_t q = 0; by_question_ && q < questions_apart(setting); ++q)
                write_rows(m, fmt::format("{},", q), place_of_question(setting, m, q));
        }
    }

    const Store& store_;
    const Study& study_;
    bool by_instance_, by_question_;
    const TextSink& write_;
};

}  // namespace

void export_scores(const Store& store, const Study& study, bool by_instance, const TextSink& write) {
    ScoreTable(store, study, by_instance, false, write).write();
}

void export_questions(const Store& store, const Study& study, bool by_instance, const TextSink& write) {
    ScoreTable(store, study, by_instance, true, write).write();
}

std::vector<std::string> settings_without_questions(const Store& store, const Study& study) {
    std::vector<std::string> without;
    const std::vector<Store::UnitProgress> units = store.units();
    for (std::uint32_t s = 0; s < study.settings.size(); ++s) {
        const Setting& setting = study.settings[s];
        if (questions_apart(setting) == 0) continue;
        // A unit has them all or none.
        for (const Store::UnitProgress& unit : units) {
            if (unit.key.setting != s) continue;
            const std::vector<ScoreSummary> first =
                store.summaries(s, unit.key.instance, unit.key.first_configuration, 1, stored_scores(setting));
            if (first[0].runs == first[place_of_question(setting, 0, 0)].runs) continue;
            without.push_back(setting.id);
            break;
        }
    }
    return without;
}

void export_curves(const Store& store, const Study& study, bool by_instance, const TextSink& write) {
    write(fmt::format("setting,algorithm,metric,stage,{}step,{}runs,mean,stderr\n", header_of_parameters(study),
                      by_instance ? "instance," : ""));
    std::vector<std::size_t> settings(study.settings.size());
    std::iota(settings.begin(), settings.end(), std::size_t{0});
    const std::vector<std::size_t> instances = stored_instances(store, study);
    for (const BestConfiguration& best : best_configurations(store, study, settings)) {
        const Setting& setting = study.settings[best.setting];
        const AlgorithmGrid& grid = setting.algorithms[best.algorithm];
        for (const Stage stage : {Stage::selection, fresh_stage(setting)}) {
            const std::vector<Recording> recordings = recordings_of(store, best, stage, instances[best.setting]);
            const std::string front =
                fmt::format("{},{},{},{},{}", setting.id, grid.info->id, setting.metrics[best.metric].id(),
                            stage == Stage::selection ? "selection" : "fresh",
                            cells_of_parameters(study, grid, best.configuration - best.first_configuration));
            for (std::size_t k = 0; k <= setting.measurements(); ++k) {
                const std::size_t step = setting.time_of(k);
                const std::vector<ScoreSummary> summaries = step_of(recordings, k);
                by_one_or_all(summaries, by_instance, [&](const std::string& instance, auto of_instances) {
                    const ConfigurationScore total = combine(of_instances);
                    if (total.runs > 0)
                        write(fmt::format("{}{},{}{},{}\n", front, step, instance, total.runs, cells_of_score(total)));
                });
            }
        }
    }
}

}  // namespace bellwether
