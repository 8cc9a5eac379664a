#include "report/real_time_panels.hpp"

namespace bellwether {

namespace {

// The setting and metric of the paper's real-time study.
constexpr std::string_view setting_of(Policy policy) {
    return policy == Policy::on ? "on-tabular" : "off-tabular";
}
constexpr std::string_view metric_of_study = "mave";

}  // namespace

std::vector<double> RealTimePanels::errors(std::size_t competitor, std::size_t duration) const {
    const Competitor& one = competitors[competitor];
    return real_time_curve(one.algorithm->curve()->mean, iterations, durations[duration], one.cost);
}

std::vector<RealTimePanels> real_time_panels(const Findings& findings, const CostTable& costs) {
    std::vector<RealTimePanels> all;
    if (findings.study->paper != Paper::white2016) return all;
    for (const Policy policy : both_policies) {
        const MetricFindings* metric = findings.find(setting_of(policy), metric_of_study);
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
