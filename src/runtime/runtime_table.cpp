#include "runtime/runtime_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bellwether/number_text.hpp"
#include "runtime/csv.hpp"
#include "support/document.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::string_view runtime_columns[] = {
    "policy", "algorithm",         "features",           "steps",           "microseconds", "low",
    "high",   "sweep_nanoseconds", "paper_microseconds", "instruction_set", "machine"};
// As it was before there were dense features.
constexpr std::string_view one_hot_columns[] = {
    "policy",          "algorithm", "steps", "microseconds", "low", "high", "sweep_nanoseconds", "paper_microseconds",
    "instruction_set", "machine"};

std::string text_or_nothing(std::optional<double> number) {
    return number ? number_text(*number) : std::string();
}

TimedFeatures read_features(const CsvRow& row) {
    for (const TimedFeatures features : both_timed_features)
        if (row.text("features") == id_of(features)) return features;
    row.fail(fmt::format("features: '{}' is neither one-hot nor dense", row.text("features")));
}

Runtime read_row(const CsvRow& row, bool has_features) {
    Runtime runtime{.policy = row.policy(),
                    .algorithm = row.algorithm(),
                    .microseconds = row.number("microseconds"),
                    .low = row.number("low"),
                    .high = row.number("high"),
                    .sweep_nanoseconds = row.number_or_nothing("sweep_nanoseconds"),
                    .paper_microseconds = row.number_or_nothing("paper_microseconds"),
                    .features = has_features ? read_features(row) : TimedFeatures::one_hot};
    if (runtime.low > runtime.microseconds || runtime.microseconds > runtime.high)
        row.fail(fmt::format("microseconds must lie between low and high, and {} does not", row.text("microseconds")));
    return runtime;
}

// What a table has once stands in every row.
void require_same(const CsvRow& row, std::string_view column, const std::string& first) {
    if (row.text(column) != first)
        row.fail(fmt::format("{}: '{}' where the first row has '{}'; a table is of one machine and one number of steps",
                             column, row.text(column), first));
}

}  // namespace

void RuntimeTable::set_paper(const PublishedRuntimes& published) {
    reference = published.reference;
    paper = published;
    for (Runtime& row : rows) row.paper_microseconds = published.microseconds(row.policy, row.algorithm);
}

std::optional<double> RuntimeTable::paper_microseconds(Policy policy, std::string_view algorithm) const {
    if (paper) return paper->microseconds(policy, algorithm);
    for (const TimedFeatures features : both_timed_features)
        if (const Runtime* row = find(policy, algorithm, features)) return row->paper_microseconds;
    return std::nullopt;
}

const Runtime* RuntimeTable::find(Policy policy, std::string_view algorithm, TimedFeatures features) const {
    for (const Runtime& row : rows)
        if (row.policy == policy && row.algorithm == algorithm && row.features == features) return &row;
    return nullptr;
}

bool RuntimeTable::has(TimedFeatures features) const {
    return std::any_of(rows.begin(), rows.end(), [&](const Runtime& row) { return row.features == features; });
}

std::string runtimes_csv(const RuntimeTable& table) {
    std::string text = csv_header(runtime_columns);
    for (const Runtime& row : table.rows)
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", id_of(row.policy), csv_cell(row.algorithm),
                            id_of(row.features), table.steps, number_text(row.microseconds), number_text(row.low),
                            number_text(row.high), text_or_nothing(row.sweep_nanoseconds),
                            text_or_nothing(row.paper_microseconds), csv_cell(table.instruction_set),
                            csv_cell(table.machine));
    return text;
}

RuntimeTable parse_runtimes(const std::string& name, std::string_view text) {
    const bool has_features = !text.starts_with("policy,algorithm,steps,");
    const std::vector<CsvRow> rows =
        has_features ? parse_csv(name, text, runtime_columns) : parse_csv(name, text, one_hot_columns);
    const CsvRow& first = rows.front();
    RuntimeTable table{.machine = first.text("machine"),
                       .instruction_set = first.text("instruction_set"),
                       .steps = first.count("steps")};
    for (const CsvRow& row : rows) {
        for (const std::string_view column : {"steps", "instruction_set", "machine"})
            require_same(row, column, first.text(column));
        Runtime runtime = read_row(row, has_features);
        if (table.find(runtime.policy, runtime.algorithm, runtime.features))
            row.fail(fmt::format("{} {}-policy with {} features is there twice", runtime.algorithm,
                                 id_of(runtime.policy), id_of(runtime.features)));
        table.rows.push_back(std::move(runtime));
    }
    return table;
}

RuntimeTable read_runtimes(const std::string& path) {
    return parse_runtimes(path, read_text_file(path));
}

}  // namespace bellwether
