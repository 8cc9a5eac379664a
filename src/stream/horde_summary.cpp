#include "stream/horde_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/number_text.hpp"

namespace bellwether {

namespace {

std::string exact(const std::optional<double>& number) {
    return number ? number_text(*number) : std::string();
}
std::string readable(const std::optional<double>& number) {
    return number ? fmt::format("{:.4g}", *number) : std::string("-");
}

bool estimates_rupee(const std::vector<QuestionSummary>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const QuestionSummary& row) { return row.rupee.has_value(); });
}

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
        if (score.projected_steps > 0) {
            const double squared = std::abs(score.projected_errors / score.projected_steps);
            row.rupee = std::sqrt(squared);
            if (row.td_error > 0) row.explainable = squared / (row.td_error * row.td_error);
        }
        if (score.returns < enough_returns) continue;
        const double mean = score.sum_of_returns / score.returns;
        const double variance = score.squared_returns / score.returns - mean * mean;
        const double squared = score.squared_return_errors / score.returns;
        row.return_error = std::sqrt(squared);
        if (variance > 0) row.of_variance = squared / variance;
    }
    return rows;
}

QuestionAnswer answer_of(const QuestionSummary& question) {
    const auto judged = [](std::string_view measure, double share, double learned_below) -> QuestionAnswer {
        return {share < learned_below ? "learned" : "not learned", measure, share};
    };
    if (question.of_variance) return judged("returns", *question.of_variance, learned_of_variance);
    if (question.explainable) return judged("rupee", *question.explainable, learned_explainable);
    return {"cannot tell", "none"};
}

std::string summary_table(const std::vector<QuestionSummary>& rows) {
    std::size_t width = 8;
    for (const QuestionSummary& row : rows) width = std::max(width, row.name.size());
    const bool has_rupee = estimates_rupee(rows);
    std::string table = fmt::format("{:<{}}  {:>8}  {:>11}  {:>8}  {:>12}  {:>11}{}\n", "question", width, "steps",
                                    "td-error", "returns", "return-error", "of-variance",
                                    has_rupee ? fmt::format("  {:>9}  {:>11}", "rupee", "explainable") : "");
    for (const QuestionSummary& row : rows)
        table += fmt::format(
            "{:<{}}  {:>8}  {:>11.4g}  {:>8}  {:>12}  {:>11}{}\n", row.name, width, row.steps, row.td_error,
            row.returns, readable(row.return_error), readable(row.of_variance),
            has_rupee ? fmt::format("  {:>9}  {:>11}", readable(row.rupee), readable(row.explainable)) : "");
    return table;
}

std::string summary_csv(const std::vector<QuestionSummary>& rows) {
    const bool has_rupee = estimates_rupee(rows);
    std::string csv = fmt::format("question,algorithm,steps,td-error,returns,return-error,of-variance{}\n",
                                  has_rupee ? ",rupee,explainable" : "");
    for (const QuestionSummary& row : rows)
        csv += fmt::format("{},{},{},{},{},{},{}{}\n", row.name, row.algorithm, number_text(row.steps),
                           number_text(row.td_error), number_text(row.returns), exact(row.return_error),
                           exact(row.of_variance),
                           has_rupee ? fmt::format(",{},{}", exact(row.rupee), exact(row.explainable)) : "");
    return csv;
}

}  // namespace bellwether
