#include "runtime/real_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bellwether/number_text.hpp"
#include "runtime/csv.hpp"
#include "support/document.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// Nothing where the paper has no panels of that policy.
PolicyCosts paper_costs_of(const Published& published, Policy policy) {
    if (!published.real_time || !published.real_time->of(policy)) return {};
    const PublishedRealTime& line = *published.real_time;
    const PublishedPanels& panels = *line.of(policy);
    PolicyCosts costs{.updates = {}, .durations = panels.durations, .noise = line.noise, .slowest = panels.slowest};
    for (const PublishedRuntime& runtime : published.runtimes->rows)
        if (const auto microseconds = runtime.microseconds(policy))
            costs.updates.push_back({runtime.algorithm, line.intercept + line.slope * (*microseconds / 1000)});
    if (costs.slowest.empty()) return costs;
    return costs.scaled_to(costs.slowest[(costs.slowest.size() - 1) / 2]);
}

// ---- as a table ----

constexpr std::string_view cost_columns[] = {"source", "policy", "kind", "algorithm", "unit", "value"};
constexpr std::string_view units[] = {"ms", "us", "ns"};

void append_rows(const CostTable& costs, Policy policy, std::string& text) {
    const auto append = [&](std::string_view kind, std::string_view algorithm, double value) {
        text += fmt::format("{},{},{},{},{},{}\n", csv_cell(costs.source), id_of(policy), kind, csv_cell(algorithm),
                            csv_cell(costs.unit), number_text(value));
    };
    for (const UpdateCost& update : costs.of(policy).updates) append("update", update.algorithm, update.cost);
    for (const double duration : costs.of(policy).durations) append("duration", "", duration);
    if (costs.of(policy).noise > 0) append("noise", "", costs.of(policy).noise);
    for (const double mean : costs.of(policy).slowest) append("slowest", "", mean);
}

void read_update(const CsvRow& row, PolicyCosts& costs) {
    std::string algorithm = row.algorithm();
    if (costs.find(algorithm))
        row.fail(fmt::format("the update of {} {}-policy is there twice", algorithm, row.text("policy")));
    costs.updates.push_back({std::move(algorithm), row.number("value")});
}

// Of a row that is about no algorithm.
double read_value(const CsvRow& row) {
    if (!row.text("algorithm").empty())
        row.fail(fmt::format("algorithm: '{}' where a {} has none", row.text("algorithm"), row.text("kind")));
    return row.number("value");
}

void read_next(const CsvRow& row, std::vector<double>& ascending) {
    const double value = read_value(row);
    if (!ascending.empty() && value <= ascending.back())
        row.fail(fmt::format("value: {} must be above the {} before it, {}", row.text("value"), row.text("kind"),
                             number_text(ascending.back())));
    ascending.push_back(value);
}

void read_noise(const CsvRow& row, PolicyCosts& costs) {
    if (costs.noise > 0) row.fail(fmt::format("the noise {}-policy is there twice", row.text("policy")));
    costs.noise = read_value(row);
}

void read_row(const CsvRow& row, CostTable& costs) {
    for (const auto& [column, first] : {std::pair("source", &costs.source), std::pair("unit", &costs.unit)})
        if (row.text(column) != *first)
            row.fail(fmt::format("{}: '{}' where the first row has '{}'", column, row.text(column), *first));
    PolicyCosts& of_policy = costs.of(row.policy());
    if (row.text("kind") == "update")
        read_update(row, of_policy);
    else if (row.text("kind") == "duration")
        read_next(row, of_policy.durations);
    else if (row.text("kind") == "noise")
        read_noise(row, of_policy);
    else if (row.text("kind") == "slowest")
        read_next(row, of_policy.slowest);
    else
        row.fail(fmt::format("kind: '{}' is none of update, duration, noise and slowest", row.text("kind")));
}

}  // namespace

std::optional<UpdateTime> PolicyCosts::find(std::string_view algorithm) const {
    for (const UpdateCost& update : updates)
        if (update.algorithm == algorithm) return UpdateTime{update.cost, noise};
    return std::nullopt;
}

double PolicyCosts::slowest_mean() const {
    double most = 0;
    for (const UpdateCost& update : updates) most = std::max(most, update.cost + noise);
    return most;
}

PolicyCosts PolicyCosts::scaled_to(double mean) const {
    PolicyCosts scaled = *this;
    const double before = slowest_mean();
    for (UpdateCost& update : scaled.updates) update.cost = mean * (update.cost / before);
    scaled.noise = mean * (noise / before);
    return scaled;
}

CostTable paper_costs(const Published& published) {
    if (!published.real_time) throw UsageError("the paper's costs are not known: it has no real-time study");
    return {.source = "paper",
            .unit = "ms",
            .on = paper_costs_of(published, Policy::on),
            .off = paper_costs_of(published, Policy::off)};
}

std::string measured_source(TimedFeatures features) {
    return features == TimedFeatures::one_hot ? "measured" : fmt::format("measured-{}", id_of(features));
}

CostTable measured_costs(const RuntimeTable& runtimes, TimedFeatures features, const Published& published) {
    CostTable costs{.source = measured_source(features), .unit = "ns"};
    for (const Runtime& row : runtimes.rows)
        if (row.features == features)
            costs.of(row.policy)
                .updates.push_back({row.algorithm, row.microseconds * 1000 / static_cast<double>(runtimes.steps)});
    for (const Policy policy : both_policies) {
        PolicyCosts& of_policy = costs.of(policy);
        if (of_policy.updates.empty()) continue;
        const PolicyCosts paper = paper_costs_of(published, policy);
        for (const double duration : paper.durations)
            of_policy.durations.push_back(of_policy.slowest_mean() * (duration / paper.slowest_mean()));
    }
    return costs;
}

std::string costs_csv(const CostTable& costs) {
    std::string text = csv_header(cost_columns);
    for (const Policy policy : both_policies) append_rows(costs, policy, text);
    return text;
}

CostTable parse_costs(const std::string& name, std::string_view text) {
    const std::vector<CsvRow> rows = parse_csv(name, text, cost_columns);
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

}  // namespace bellwether
