#include "stream/horde_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "bellwether/number_text.hpp"

namespace bellwether {

namespace {

// Fewer returns than these say little.
constexpr double enough_returns = 10;

std::string exact(const std::optional<double>& number) {
    return number ? number_text(*number) : std::string();
}
std::string readable(const std::optional<double>& number) {
    return number ? fmt::format("{:.4g}", *number) : std::string("-");
}

std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '<') {
            safe += "&lt;";
        } else if (c == '&') {
            safe += "&amp;";
        } else {
            safe += c;
        }
    }
    return safe;
}

constexpr std::string_view page_head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Horde</title><style>
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left }
.bar { display: inline-block; height: .7em; background: #2a78b8; vertical-align: baseline } .over { background: #c0392b }
td.share { text-align: left; width: 16rem }
</style></head><body>
)";

}  // namespace

std::vector<QuestionSummary> summarize(const QuestionHorde& horde) {
    std::vector<QuestionSummary> rows;
    for (std::size_t q = 0; q < horde.size(); ++q) {
        const QuestionScore score = horde.score(q);
        QuestionSummary& row = rows.emplace_back();
        row.name = horde.question(q).name;
        row.algorithm = horde.algorithm(q).id;
        row.steps = score.steps;
        row.td_error = std::sqrt(score.squared_errors / std::max(score.steps, 1.0));
        row.returns = score.returns;
        if (score.returns < enough_returns) continue;
        const double mean = score.sum_of_returns / score.returns;
        const double variance = score.squared_returns / score.returns - mean * mean;
        const double squared = score.squared_return_errors / score.returns;
        row.return_error = std::sqrt(squared);
        if (variance > 0) row.of_variance = squared / variance;
    }
    return rows;
}

std::string summary_table(const std::vector<QuestionSummary>& rows) {
    std::size_t width = 8;
    for (const QuestionSummary& row : rows) width = std::max(width, row.name.size());
    std::string table = fmt::format("{:<{}}  {:>8}  {:>11}  {:>8}  {:>12}  {:>11}\n", "question", width, "steps",
                                    "td-error", "returns", "return-error", "of-variance");
    for (const QuestionSummary& row : rows)
        table += fmt::format("{:<{}}  {:>8}  {:>11.4g}  {:>8}  {:>12}  {:>11}\n", row.name, width, row.steps,
                             row.td_error, row.returns, readable(row.return_error), readable(row.of_variance));
    return table;
}

std::string summary_csv(const std::vector<QuestionSummary>& rows) {
    std::string csv = "question,algorithm,steps,td-error,returns,return-error,of-variance\n";
    for (const QuestionSummary& row : rows)
        csv += fmt::format("{},{},{},{},{},{},{}\n", row.name, row.algorithm, number_text(row.steps),
                           number_text(row.td_error), number_text(row.returns), exact(row.return_error),
                           exact(row.of_variance));
    return csv;
}

std::string summary_page(const std::vector<QuestionSummary>& rows, std::uint64_t steps) {
    std::vector<const QuestionSummary*> order;
    for (const QuestionSummary& row : rows) order.push_back(&row);
    std::stable_sort(order.begin(), order.end(), [](const QuestionSummary* a, const QuestionSummary* b) {
        return a->of_variance.value_or(-1) > b->of_variance.value_or(-1);
    });
    const auto measured = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.of_variance; });
    const auto learned = std::count_if(rows.begin(), rows.end(),
                                       [](const auto& row) { return row.of_variance && *row.of_variance < 1; });
    std::string page(page_head);
    page += fmt::format(
        "<h1>Horde</h1>\n<p>{} questions, {} steps. Of {} whose returns could be followed and vary, {} are answered "
        "better than "
        "by the mean return. All numbers are of the last half to three quarters of the stream.</p>\n",
        rows.size(), steps, measured, learned);
    page +=
        "<table>\n<tr><th>question<th>algorithm<th>TD error<th>returns<th>return error<th>squared, of the returns' "
        "variance\n";
    for (const QuestionSummary* row : order) {
        const double share = row->of_variance.value_or(0);
        page += fmt::format(
            "<tr><td>{}<td>{}<td>{:.4g}<td>{}<td>{}<td class=\"share\"><span class=\"bar{}\" "
            "style=\"width:{:.1f}rem\"></span> {}\n",
            escaped(row->name), row->algorithm, row->td_error, row->returns, readable(row->return_error),
            share > 1 ? " over" : "", 10 * std::min(share, 1.0), readable(row->of_variance));
    }
    return page + "</table>\n</body></html>\n";
}

}  // namespace bellwether
