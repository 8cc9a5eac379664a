#include "report/real_time_panels.hpp"

#include <cmath>

namespace bellwether {

void RealTimePanels::run() {
    for (const double duration : durations) {
        std::vector<Course>& of_duration = courses.emplace_back();
        for (const Competitor& one : competitors) {
            const SampleCounts counts(time, one.update, duration, iterations);
            of_duration.push_back({counts.mean(iterations), real_time_curve(one.algorithm->curve()->mean, counts)});
        }
    }
}

namespace {

// The table's own costs come first.
std::vector<std::optional<double>> scales_of(const PolicyCosts& costs) {
    if (costs.slowest.empty()) return {std::nullopt};
    std::vector<std::optional<double>> scales{costs.slowest_mean()};
    for (const double slowest : costs.slowest)
        if (std::abs(slowest - costs.slowest_mean()) <= 1e-12 * slowest)  // but for its rounding
            scales.front() = slowest;
        else
            scales.emplace_back(slowest);
    return scales;
}

}  // namespace

std::vector<RealTimePanels> real_time_panels(const Findings& findings, const CostTable& costs,
                                             std::span<const TimeReading> times, const PublishedRealTime& study) {
    std::vector<RealTimePanels> all;
    for (const Policy policy : both_policies) {
        if (!study.of(policy)) continue;
        const MetricFindings* metric = findings.find(study.of(policy)->setting, study.metric);
        const PolicyCosts& own = costs.of(policy);
        if (!metric || own.durations.empty() || !metric->setting->is_measured_every_step()) continue;
        const std::vector<std::optional<double>> scales = scales_of(own);
        for (const TimeReading time : times)
            for (std::size_t k = 0; k < scales.size(); ++k) {
                const PolicyCosts scaled = k == 0 ? own : own.scaled_to(*scales[k]);
                RealTimePanels panels{costs.source, time,   policy, costs.unit,    scales[k],
                                      k == 0,       metric, {},     own.durations, metric->setting->steps};
                for (const AlgorithmFindings& algorithm : metric->algorithms)
                    if (const auto update = scaled.find(algorithm.id()); update && algorithm.curve())
                        panels.competitors.push_back({&algorithm, *update});
                if (panels.competitors.empty()) continue;
                panels.run();
                all.push_back(std::move(panels));
            }
    }
    return all;
}

}  // namespace bellwether
