#include "report/atlas_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bellwether/catalogue.hpp"
#include "report/page.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

namespace {

using Cell = Table::Cell;
constexpr double nanoseconds = 1e9;

PageJson share_or_null(const RobustStatistics* robust) {
    return robust ? page_number(robust->failure_rate(), 4) : PageJson(nullptr);
}

PageJson interval_of(const std::optional<Interval>& interval) {
    return interval ? PageJson::array({page_number(interval->low), page_number(interval->high)}) : PageJson(nullptr);
}

const RobustStatistics* robust_of(const AtlasEntry& entry) {
    return entry.findings->robust ? &*entry.findings->robust : nullptr;
}

// "0.12", "3e+04": a column of ratios.
std::string ratio_text(double ratio) {
    return ratio < 1000 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.1e}", ratio);
}

}  // namespace

Table atlas_table(const Atlas& atlas) {
    Table table({"study", "setting", "metric", "policy", "algorithm", "configurations", "score", "low", "high",
                 "score_over_best", "within_50_share", "diverged_share", "failure_rate", "failure_low", "failure_high",
                 "nanoseconds"});
    for (const AtlasProblem& problem : atlas.problems)
        for (const AtlasEntry& entry : problem.entries) {
            const AlgorithmFindings& findings = *entry.findings;
            const Estimate& estimate = findings.estimate();
            const RobustStatistics* robust = robust_of(entry);
            table.add({problem.study, problem.findings->setting->id, problem.findings->metric_id(),
                       problem.on_policy ? "on" : "off", findings.id(), findings.configurations.size(), estimate.score,
                       estimate.interval ? Cell(estimate.interval->low) : Cell(),
                       estimate.interval ? Cell(estimate.interval->high) : Cell(), entry.ratio,
                       findings.distribution.within_50, findings.distribution.diverged,
                       robust ? Cell(robust->failure_rate()) : Cell(),
                       robust ? Cell(robust->failure_interval.low) : Cell(),
                       robust ? Cell(robust->failure_interval.high) : Cell(),
                       entry.cost ? Cell(nanoseconds * *entry.cost) : Cell()});
        }
    return table;
}

Table atlas_summary_table(const Atlas& atlas) {
    Table table({"algorithm", "problems", "typical_over_best", "worst_over_best", "worst_in", "within_50_share",
                 "highest_failure_rate", "cost_over_cheapest"});
    for (const AtlasSummary& one : atlas.summaries)
        table.add({one.algorithm, one.problems, one.typical, one.worst, one.worst_in->id(), one.within_50,
                   one.failure_rate, one.cost});
    return table;
}

std::string atlas_text(const Atlas& atlas, const std::vector<Advice>& advice) {
    std::size_t width = 9;
    for (const AtlasSummary& one : atlas.summaries) width = std::max(width, one.algorithm.size());
    std::string text = fmt::format("{:<{}}  {:>8}  {:>7}  {:>7}  {:>10}  {:>8}  {:>5}  {}\n", "algorithm", width,
                                   "problems", "typical", "worst", "within 50%", "failures", "cost", "worst in");
    for (const AtlasSummary& one : atlas.summaries)
        text +=
            fmt::format("{:<{}}  {:>8}  {:>7}  {:>7}  {:>9.0f}%  {:>7.1f}%  {:>5}  {}\n", one.algorithm, width,
                        one.problems, ratio_text(one.typical), ratio_text(one.worst), 100 * one.within_50,
                        100 * one.failure_rate, one.cost ? fmt::format("{:.2f}", *one.cost) : "-", one.worst_in->id());
    for (const Advice& one : advice) {
        text += fmt::format("\n{}: {}: {}\n", one.situation, one.paper, name_of(one.verdict));
        for (const std::string& line : numbers_of(one.evidence)) text += "    " + line + "\n";
    }
    return text;
}

std::string atlas_page(const Atlas& atlas, const std::vector<Advice>& advice, const std::string& program) {
    std::map<std::string_view, std::size_t> places;
    PageJson algorithms = PageJson::array(), summaries = PageJson::array(), problems = PageJson::array(),
             advised = PageJson::array();
    for (const AtlasSummary& one : atlas.summaries) {
        places.emplace(one.algorithm, algorithms.size());
        algorithms.push_back(page_algorithm(algorithm_named(one.algorithm)));
        summaries.push_back({{"algorithm", places[one.algorithm]},
                             {"problems", one.problems},
                             {"typical", page_number(one.typical)},
                             {"worst", page_number(one.worst)},
                             {"worstIn", one.worst_in - atlas.problems.data()},
                             {"within50", page_number(one.within_50, 4)},
                             {"failureRate", page_number(one.failure_rate, 4)},
                             {"cost", one.cost ? page_number(*one.cost, 4) : PageJson(nullptr)}});
    }
    for (const AtlasProblem& problem : atlas.problems) {
        PageJson entries = PageJson::array();
        for (const AtlasEntry& entry : problem.entries)
            entries.push_back(
                {{"algorithm", places[entry.findings->id()]},
                 {"configurations", entry.findings->configurations.size()},
                 {"score", page_number(entry.findings->estimate().score)},
                 {"interval", interval_of(entry.findings->estimate().interval)},
                 {"ratio", page_number(entry.ratio)},
                 {"within50", page_number(entry.findings->distribution.within_50, 4)},
                 {"failureRate", share_or_null(robust_of(entry))},
                 {"nanoseconds", entry.cost ? page_number(nanoseconds * *entry.cost, 4) : PageJson(nullptr)}});
        problems.push_back({{"study", problem.study},
                            {"setting", problem.findings->setting->id},
                            {"title", problem.findings->setting->title},
                            {"metric", problem.findings->metric_id()},
                            {"policy", problem.on_policy ? "on" : "off"},
                            {"entries", std::move(entries)}});
    }
    for (const Advice& one : advice)
        advised.push_back({{"situation", one.situation},
                           {"paper", one.paper},
                           {"verdict", name_of(one.verdict)},
                           {"numbers", numbers_of(one.evidence)}});
    return fill_page("Atlas", {{"format", 1},
                               {"kind", "atlas"},
                               {"program", program},
                               {"algorithms", std::move(algorithms)},
                               {"summaries", std::move(summaries)},
                               {"problems", std::move(problems)},
                               {"advice", std::move(advised)}});
}

}  // namespace bellwether
