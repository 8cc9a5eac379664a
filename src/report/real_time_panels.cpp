#include "report/real_time_panels.hpp"

namespace bellwether {

std::vector<double> RealTimePanels::errors(std::size_t competitor, std::size_t duration) const {
    const Competitor& one = competitors[competitor];
    return real_time_curve(one.algorithm->curve()->mean, iterations, durations[duration], one.cost);
}

std::vector<RealTimePanels> real_time_panels(const Findings& findings, const CostTable& costs,
                                             const PublishedRealTime& study) {
    std::vector<RealTimePanels> all;
    for (const Policy policy : both_policies) {
        if (!study.of(policy)) continue;
        const MetricFindings* metric = findings.find(study.of(policy)->setting, study.metric);
        const PolicyCosts& of_policy = costs.of(policy);
        if (!metric || of_policy.durations.empty()) continue;
        RealTimePanels panels{costs.source,          policy, costs.unit, metric, {}, of_policy.durations,
                              metric->setting->steps};
        for (const AlgorithmFindings& algorithm : metric->algorithms)
            if (const auto cost = of_policy.find(algorithm.id()); cost && algorithm.curve())
                panels.competitors.push_back({&algorithm, *cost});
        if (!panels.competitors.empty()) all.push_back(std::move(panels));
    }
    return all;
}

}  // namespace bellwether
