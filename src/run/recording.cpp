#include "run/recording.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/selection.hpp"
#include "support/infinity.hpp"

namespace bellwether {

namespace {

// One step of Welford's method for one step of the curve. A value that is not finite stays.
void add_value(double value, double n, double& mean, double& m2) {
    if (!std::isfinite(mean)) return;
    if (!std::isfinite(value)) {
        mean = m2 = infinity;
        return;
    }
    const double delta = value - mean;
    mean += delta / n;
    m2 += delta * (value - mean);
}

}  // namespace

std::vector<PlannedRecording> plan_recordings(const Store& store, const Study& study,
                                              std::span<const std::size_t> settings) {
    std::vector<std::size_t> recorded;
    for (const std::size_t s : settings)
        if (study.settings[s].record) recorded.push_back(s);
    std::vector<PlannedRecording> planned;
    const auto add = [&](const BestConfiguration& chosen, Stage stage) {
        const Setting& setting = study.settings[chosen.setting];
        for (std::uint32_t instance = 0; instance < setting.instances; ++instance)
            planned.push_back(
                {.key = {chosen.setting, chosen.metric, instance, chosen.configuration, stage},
                 .algorithm = chosen.algorithm,
                 .configuration = chosen.configuration - chosen.first_configuration,
                 .runs = stage == Stage::selection ? setting.metrics[chosen.metric].runs : setting.fresh_runs});
    };
    const std::vector<BestConfiguration> best = best_configurations(store, study, recorded);
    for (const BestConfiguration& chosen : best)
        for (const Stage stage : {Stage::selection, fresh_stage(study.settings[chosen.setting])}) add(chosen, stage);
    std::vector<BestConfiguration> done = best;
    for (const BestConfiguration& stated : stated_configurations(study, recorded)) {
        if (std::find(done.begin(), done.end(), stated) != done.end()) continue;
        add(stated, fresh_stage(study.settings[stated.setting]));
        done.push_back(stated);
    }
    return planned;
}

bool is_whole(const Recording& recording, const Setting& setting) {
    const std::size_t length = setting.measurements() + 1;
    return recording.curve_mean.size() == length && recording.curve_m2.size() == length &&
           recording.scores.size() == recording.runs;
}

RecordingWork::RecordingWork(InstanceCache& instances, const Backend* backend, const PlannedRecording& planned,
                             std::optional<Recording> so_far)
    : setting_(instances.study().settings[planned.key.setting]),
      backend_(backend),
      planned_(planned),
      block_(instances, backend, planned.key.setting, planned.algorithm, planned.instance(),
             std::array<std::size_t, 1>{planned.configuration}) {
    block_.keep_curves();
    if (so_far) {
        recording_ = std::move(*so_far);
        return;
    }
    const std::size_t length = setting_.measurements() + 1;
    recording_.curve_mean.resize(length);
    recording_.curve_m2.resize(length);
}

std::size_t RecordingWork::run_next() {
    const std::array<std::size_t, 1> metrics{planned_.key.metric};
    const std::size_t runs = runs_at_once(*backend_, setting_, 1, planned_.runs - recording_.runs);
    block_.run(planned_.first_run() + static_cast<std::uint32_t>(recording_.runs), runs, metrics);
    for (std::size_t r = 0; r < runs; ++r) {
        const std::span<const double> curve = block_.curve(0, 0, r);
        const auto n = static_cast<double>(++recording_.runs);
        for (std::size_t t = 0; t < curve.size(); ++t)
            add_value(curve[t], n, recording_.curve_mean[t], recording_.curve_m2[t]);
        const double score = block_.score(0, 0, r);
        recording_.scores.push_back(std::isfinite(score) ? score : infinity);  // a NaN's bits mean nothing
    }
    return runs;
}

}  // namespace bellwether
