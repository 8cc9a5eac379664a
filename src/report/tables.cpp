#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/tuning.hpp"
#include "report/robust_tables.hpp"
#include "report/table_rows.hpp"

namespace bellwether {

namespace {

using Cell = Table::Cell;

// A score is shown with what it hides, where the statistics are of the same runs.
void add_estimate(const Estimate& estimate, std::vector<Cell>& row, const RobustStatistics* statistics = nullptr,
                  double initial_error = 0) {
    row.insert(row.end(), {estimate.runs, estimate.diverged, score_cell(estimate.score, statistics, initial_error),
                           estimate.standard_error, estimate.deviation});
}

// The best configurations: on fresh runs, and beside it on the runs they were chosen on.
Table best_table(const Findings& findings) {
    const bool several =
        std::any_of(findings.metrics.begin(), findings.metrics.end(),
                    [](const MetricFindings& metric) { return !metric.setting->metrics[metric.metric].score.empty(); });
    std::vector<std::string> front{"setting", "metric", "algorithm"};
    if (several) front.emplace_back("score");  // which of them
    Table table(with_parameters(
        *findings.study, std::move(front),
        {"edges", "fresh_runs", "fresh_diverged", "fresh_score", "fresh_stderr", "fresh_deviation", "fresh_low",
         "fresh_high", "iqm", "median", "failure_rate", "first_probability", "selection_runs", "selection_diverged",
         "selection_score", "selection_stderr", "selection_deviation", "best_probability"}));
    for_each_algorithm(findings, [&](const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        std::vector<Cell> row = front_cells(metric, algorithm);
        if (several) row.emplace_back(metric.setting->metrics[metric.metric].score);
        add_parameters(*findings.study, *algorithm.grid, algorithm.best, row);
        row.emplace_back(edges_text(*algorithm.grid, algorithm.best));
        const RobustStatistics* robust = algorithm.robust ? &*algorithm.robust : nullptr;
        if (algorithm.fresh)
            add_estimate(algorithm.fresh->estimate, row, robust, metric.initial_error);
        else
            row.resize(row.size() + 5);
        const auto& interval = algorithm.fresh ? algorithm.fresh->estimate.interval : std::nullopt;
        row.push_back(interval ? Cell(interval->low) : Cell());
        row.push_back(interval ? Cell(interval->high) : Cell());
        if (robust)
            row.insert(row.end(), {robust->interquartile_mean.value, robust->median.value, robust->failure_rate()});
        else
            row.resize(row.size() + 3);
        row.push_back(algorithm.estimate().first);
        add_estimate(algorithm.selection, row, algorithm.fresh ? nullptr : robust, metric.initial_error);
        row.push_back(algorithm.probabilities_best.empty() ? Cell()
                                                           : Cell(algorithm.probabilities_best[algorithm.best]));
        table.add(std::move(row));
    });
    return table;
}

template <class Use>
void for_each_sensitivity(const Findings& findings, Use use) {
    for_each_algorithm(findings, [&](const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        for (const ParameterInfo& parameter : algorithm.grid->info->parameters)
            for (const SensitivityView view : sensitivity_views) {
                std::vector<Cell> front = front_cells(metric, algorithm);
                front.insert(front.end(), {parameter.name, name_of(view)});
                use(metric, parameter.name, algorithm.sensitivity(parameter.name, view), front);
            }
    });
}

Table sensitivity_table(const Findings& findings) {
    Table table(
        {"setting", "metric", "algorithm", "parameter", "view", "value", "runs", "diverged", "score", "stderr"});
    for_each_sensitivity(findings, [&](const MetricFindings&, std::string_view,
                                       const std::vector<SensitivityPoint>& points, const std::vector<Cell>& front) {
        for (const SensitivityPoint& point : points) {
            std::vector<Cell> row = front;
            row.insert(row.end(), {point.value, point.score.runs, point.score.diverged, point.score.score,
                                   point.score.standard_error});
            table.add(std::move(row));
        }
    });
    return table;
}

// The curves of the table above as one number each.
Table sensitivity_area_table(const Findings& findings) {
    Table table({"setting", "metric", "algorithm", "parameter", "view", "values", "area", "least", "clip"});
    for_each_sensitivity(findings, [&](const MetricFindings& metric, std::string_view parameter,
                                       const std::vector<SensitivityPoint>& points, const std::vector<Cell>& front) {
        if (points.size() < 2) return;
        double least = points.front().score.score;
        for (const SensitivityPoint& point : points) least = std::min(least, point.score.score);
        std::vector<Cell> row = front;
        row.insert(row.end(), {points.size(), sensitivity_area(points, spacing_of(parameter), metric.initial_error),
                               least, metric.initial_error});
        table.add(std::move(row));
    });
    return table;
}

Table distribution_table(const Findings& findings) {
    Table table({"setting", "metric", "algorithm", "configurations", "diverged_share", "worse_than_start_share",
                 "within_10_share", "within_50_share", "least", "quantile_5", "quantile_25", "median", "quantile_75",
                 "quantile_95", "greatest"});
    for_each_algorithm(findings, [&](const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        const ScoreDistribution& shares = algorithm.distribution;
        std::vector<Cell> row = front_cells(metric, algorithm);
        row.insert(row.end(), {algorithm.configurations.size(), shares.diverged, shares.worse_than_start,
                               shares.within_10, shares.within_50});
        row.insert(row.end(), shares.quantiles.begin(), shares.quantiles.end());
        table.add(std::move(row));
    });
    return table;
}

// Paired differences on common runs.
Table difference_table(const Findings& findings) {
    Table table({"setting", "metric", "algorithm", "other", "difference", "low", "high"});
    for (const MetricFindings& metric : findings.metrics) {
        if (!metric.spread) continue;
        for (std::size_t a = 0; a < metric.algorithms.size(); ++a)
            for (std::size_t b = a + 1; b < metric.algorithms.size(); ++b) {
                const Interval interval = metric.spread->difference(a, b);
                const double one = metric.algorithms[a].estimate().score, other = metric.algorithms[b].estimate().score;
                std::vector<Cell> row = front_cells(metric, metric.algorithms[a]);
                row.insert(row.end(),
                           {metric.algorithms[b].id(), difference_of(one, other), interval.low, interval.high});
                table.add(std::move(row));
            }
    }
    return table;
}

// The configurations that are the best of their algorithm in some resample of the instances.
Table probability_table(const Findings& findings) {
    Table table(with_parameters(*findings.study, {"setting", "metric", "algorithm"}, {"score", "best_probability"}));
    for_each_algorithm(findings, [&](const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        for (std::size_t c = 0; c < algorithm.probabilities_best.size(); ++c) {
            const double probability = algorithm.probabilities_best[c];
            if (probability == 0) continue;
            std::vector<Cell> row = front_cells(metric, algorithm);
            add_parameters(*findings.study, *algorithm.grid, c, row);
            row.insert(row.end(), {algorithm.configurations[c].score, probability});
            table.add(std::move(row));
        }
    });
    return table;
}

// A row for every claim and, where it is in parts, for each of them.
Table claims_table(const std::vector<Claim>& claims) {
    Table table({"claim", "statement", "verdict", "rule", "numbers", "thresholds"});
    for (const Claim& claim : claims) {
        if (claim.is_in_parts()) table.add({claim.id, claim.statement, name_of(claim.verdict), Cell(), Cell(), Cell()});
        for (const ClaimPart& part : claim.parts) {
            std::vector<std::string> thresholds;
            for (const ThresholdRange& range : part.thresholds) thresholds.push_back(text_of(range));
            table.add({part.id, part.statement, name_of(part.verdict), part.rule,
                       fmt::format("{}", fmt::join(numbers_of(part.evidence), "\n")),
                       fmt::format("{}", fmt::join(thresholds, "\n"))});
        }
    }
    return table;
}

// Every comparison of every claim.
Table evidence_table(const std::vector<Claim>& claims) {
    Table table({"claim", "part", "place", "comparison", "unit", "estimate", "low", "high", "from", "to", "verdict"});
    for (const Claim& claim : claims)
        for (const ClaimPart& part : claim.parts)
            for (const Evidence& one : part.evidence) {
                const bool has_numbers = !std::isnan(one.estimate);
                const auto bound = [&](double value) { return has_numbers ? Cell(value) : Cell(); };
                table.add({claim.id, part.id, one.place, one.label, has_numbers ? Cell(name_of(one.unit)) : Cell(),
                           bound(one.estimate), one.interval ? Cell(one.interval->low) : Cell(),
                           one.interval ? Cell(one.interval->high) : Cell(), bound(one.target.low),
                           bound(one.target.high), name_of(one.verdict)});
            }
    return table;
}

Table runtimes_table(const RuntimeTable& runtimes) {
    const std::string over = "over_" + runtimes.reference;
    Table table({"policy", "algorithm", "features", "microseconds", "low", "high", over, "paper_microseconds",
                 "paper_" + over, "sweep_nanoseconds"});
    for (const Runtime& row : runtimes.rows) {
        const Runtime* base = runtimes.find(row.policy, runtimes.reference, row.features);
        const auto paper = row.paper_microseconds;
        const auto paper_base = runtimes.paper_microseconds(row.policy, runtimes.reference);
        table.add({id_of(row.policy), row.algorithm, id_of(row.features), row.microseconds, row.low, row.high,
                   base ? Cell(row.microseconds / base->microseconds) : Cell(), paper,
                   paper && paper_base ? Cell(*paper / *paper_base) : Cell(), row.sweep_nanoseconds});
    }
    return table;
}

// Errors after the last iteration.
Table real_time_table(const std::vector<RealTimePanels>& all) {
    Table table({"costs", "time", "setting", "metric", "unit", "slowest", "duration", "algorithm", "cost", "iterations",
                 "samples", "error"});
    for (const RealTimePanels& panels : all)
        for (std::size_t d = 0; d < panels.durations.size(); ++d)
            for (std::size_t k = 0; k < panels.competitors.size(); ++k) {
                const RealTimePanels::Competitor& one = panels.competitors[k];
                const RealTimePanels::Course& course = panels.courses[d][k];
                table.add({panels.costs, id_of(panels.time), panels.findings->setting->id, panels.findings->metric_id(),
                           panels.unit, panels.slowest, panels.durations[d], one.algorithm->id(), one.update.mean(),
                           panels.iterations, course.samples, course.errors.back()});
            }
    return table;
}

}  // namespace

std::vector<NamedTable> make_tables(const Findings& findings, const std::vector<Claim>& claims,
                                    const RuntimeTable* runtimes, const std::vector<RealTimePanels>& real_time) {
    std::vector<NamedTable> tables;
    if (!claims.empty()) {
        tables.push_back({"claims", "The paper's claims", true, claims_table(claims)});
        tables.push_back({"evidence", "What the claims are judged by", false, evidence_table(claims)});
    }
    tables.push_back({"best", "The best configuration of every algorithm", true, best_table(findings)});
    tables.push_back({"robust", "Beside the mean: IQM, median, failures", true, robust_table(findings)});
    tables.push_back({"profiles", "Performance profiles", false, profile_table(findings)});
    tables.push_back({"tuning", "The best of so many configurations, in expectation", false, tuning_table(findings)});
    tables.push_back(
        {"common-configurations", "One configuration for all settings", true, common_configuration_table(findings)});
    tables.push_back({"distribution", "Scores of all configurations", true, distribution_table(findings)});
    tables.push_back({"differences", "Paired differences between algorithms", true, difference_table(findings)});
    tables.push_back({"sensitivity", "Score against one parameter", false, sensitivity_table(findings)});
    tables.push_back(
        {"sensitivity-areas", "Mean error over the range of each parameter", true, sensitivity_area_table(findings)});
    tables.push_back({"best-probabilities", "Configurations that may be the best", false, probability_table(findings)});
    if (runtimes) tables.push_back({"runtimes", "Runtimes", true, runtimes_table(*runtimes)});
    if (!real_time.empty())
        tables.push_back(
            {"real-time", "Errors after the last iteration in real time", true, real_time_table(real_time)});
    return tables;
}

NamedTable published_table(const std::vector<ComparedNumber>& numbers) {
    Table table({"table", "setting", "number", "theirs", "error", "ours", "low", "high", "agrees"});
    for (const ComparedNumber& one : numbers)
        table.add({one.title, one.setting, one.label, one.theirs, one.error, one.ours, one.interval.low,
                   one.interval.high, one.agrees() ? "yes" : "no"});
    return {"published", "Published numbers beside ours", true, std::move(table)};
}

std::string claims_text(const std::vector<Claim>& claims) {
    constexpr std::size_t width = 96;
    std::size_t id_width = 2;
    for (const Claim& claim : claims) {
        id_width = std::max(id_width, claim.id.size());
        for (const ClaimPart& part : claim.parts) id_width = std::max(id_width, part.id.size());
    }
    std::string text;
    const auto add = [&](std::string_view id, Verdict verdict, std::string_view rest) {
        text += fmt::format("{:>{}}  {:<9} ", id, id_width, name_of(verdict));
        std::size_t used = 0;
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, rest.find(' '));
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
            if (used > 0 && used + word.size() > width) {
                text += fmt::format("\n{:{}}", "", id_width + 12);
                used = 0;
            }
            text += fmt::format(" {}", word);
            used += word.size() + 1;
        }
        text += '\n';
    };
    for (const Claim& claim : claims) {
        add(claim.id, claim.verdict, claim.statement);
        if (claim.is_in_parts())
            for (const ClaimPart& part : claim.parts) add(part.id, part.verdict, part.statement);
    }
    return text;
}

}  // namespace bellwether
