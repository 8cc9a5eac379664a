#include "runtime/real_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bellwether/number_text.hpp"
#include "runtime/csv.hpp"
#include "support/document.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

double slowest(const PolicyCosts& costs) {
    double most = 0;
    for (const UpdateCost& update : costs.updates) most = std::max(most, update.cost);
    return most;
}

// Nothing where the paper has no panels of that policy.
PolicyCosts paper_costs_of(const Published& published, Policy policy) {
    PolicyCosts costs;
    if (!published.real_time || !published.real_time->of(policy)) return costs;
    const PublishedRealTime& line = *published.real_time;
    const PublishedPanels& panels = *line.of(policy);
    for (const PublishedRuntime& runtime : published.runtimes->rows)
        if (const auto microseconds = runtime.microseconds(policy))
            costs.updates.push_back({runtime.algorithm, line.intercept + line.slope * (*microseconds / 1000)});
    if (panels.slowest) {
        const double before = slowest(costs);
        for (UpdateCost& update : costs.updates) update.cost = *panels.slowest * (update.cost / before);
    }
    costs.durations = panels.durations;
    return costs;
}

// ---- as a table ----

constexpr std::string_view columns[] = {"source", "policy", "kind", "algorithm", "unit", "value"};
constexpr std::string_view units[] = {"ms", "us", "ns"};

void append_rows(const CostTable& costs, Policy policy, std::string& text) {
    const auto append = [&](std::string_view kind, std::string_view algorithm, double value) {
        text += fmt::format("{},{},{},{},{},{}\n", csv_cell(costs.source), id_of(policy), kind, csv_cell(algorithm),
                            csv_cell(costs.unit), number_text(value));
    };
    for (const UpdateCost& update : costs.of(policy).updates) append("update", update.algorithm, update.cost);
    for (const double duration : costs.of(policy).durations) append("duration", "", duration);
}

void read_update(const CsvRow& row, PolicyCosts& costs) {
    std::string algorithm = row.algorithm();
    if (costs.find(algorithm))
        row.fail(fmt::format("the update of {} {}-policy is there twice", algorithm, row.text("policy")));
    costs.updates.push_back({std::move(algorithm), row.number("value")});
}

void read_duration(const CsvRow& row, PolicyCosts& costs) {
    if (!row.text("algorithm").empty())
        row.fail(fmt::format("algorithm: '{}' where a duration has none", row.text("algorithm")));
    const double duration = row.number("value");
    if (!costs.durations.empty() && duration <= costs.durations.back())
        row.fail(fmt::format("value: {} must be above the duration before it, {}", row.text("value"),
                             number_text(costs.durations.back())));
    costs.durations.push_back(duration);
}

void read_row(const CsvRow& row, CostTable& costs) {
    for (const auto& [column, first] : {std::pair("source", &costs.source), std::pair("unit", &costs.unit)})
        if (row.text(column) != *first)
            row.fail(fmt::format("{}: '{}' where the first row has '{}'", column, row.text(column), *first));
    PolicyCosts& of_policy = costs.of(row.policy());
    if (row.text("kind") == "update")
        read_update(row, of_policy);
    else if (row.text("kind") == "duration")
        read_duration(row, of_policy);
    else
        row.fail(fmt::format("kind: '{}' is neither update nor duration", row.text("kind")));
}

}  // namespace

std::optional<double> PolicyCosts::find(std::string_view algorithm) const {
    for (const UpdateCost& update : updates)
        if (update.algorithm == algorithm) return update.cost;
    return std::nullopt;
}

CostTable paper_costs(const Published& published) {
    if (!published.real_time) throw UsageError("the paper's costs are not known: it has no real-time study");
    return {.source = "paper",
            .unit = "ms",
            .on = paper_costs_of(published, Policy::on),
            .off = paper_costs_of(published, Policy::off)};
}

CostTable measured_costs(const RuntimeTable& runtimes, const Published& published) {
    CostTable costs{.source = "measured", .unit = "ns"};
    for (const Runtime& row : runtimes.rows)
        costs.of(row.policy)
            .updates.push_back({row.algorithm, row.microseconds * 1000 / static_cast<double>(runtimes.steps)});
    for (const Policy policy : both_policies) {
        PolicyCosts& of_policy = costs.of(policy);
        if (of_policy.updates.empty()) continue;
        const PolicyCosts paper = paper_costs_of(published, policy);
        for (const double duration : paper.durations)
            of_policy.durations.push_back(slowest(of_policy) * (duration / slowest(paper)));
    }
    return costs;
}

std::string costs_csv(const CostTable& costs) {
    std::string text = csv_header(columns);
    for (const Policy policy : both_policies) append_rows(costs, policy, text);
    return text;
}

CostTable parse_costs(const std::string& name, std::string_view text) {
    const std::vector<CsvRow> rows = parse_csv(name, text, columns);
    CostTable costs{.source = rows.front().text("source"), .unit = rows.front().text("unit")};
    if (costs.source.empty()) rows.front().fail("source must say where the costs come from");
    if (std::find(std::begin(units), std::end(units), costs.unit) == std::end(units))
        rows.front().fail(fmt::format("unit: '{}' is none of ms, us and ns", costs.unit));
    for (const CsvRow& row : rows) read_row(row, costs);
    return costs;
}

CostTable read_costs(const std::string& path) {
    return parse_costs(path, read_text_file(path));
}

std::size_t samples_processed(std::size_t iteration, double duration, double cost) {
    if (duration >= cost) return iteration;
    const double samples = static_cast<double>(iteration) * duration / cost;
    // Whole but for its rounding is meant as whole: 35 iterations of 0.1 at a cost of 0.14 are 25 samples.
    const double nearest = std::round(samples);
    const bool whole = std::abs(samples - nearest) <= 1e-12 * samples;
    return std::min(iteration, static_cast<std::size_t>(whole ? nearest : std::floor(samples)));
}

std::vector<double> real_time_curve(std::span<const double> learning_curve, std::size_t iterations, double duration,
                                    double cost) {
    const std::size_t samples = samples_processed(iterations, duration, cost);
    if (samples >= learning_curve.size())
        throw UsageError(fmt::format("{} iterations take {} samples; the learning curve has {} errors", iterations,
                                     samples, learning_curve.size()));
    std::vector<double> curve;
    for (std::size_t t = 0; t <= iterations; ++t) curve.push_back(learning_curve[samples_processed(t, duration, cost)]);
    return curve;
}

}  // namespace bellwether
