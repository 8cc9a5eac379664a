// How well the questions of a horde are answered: as a table to read, and as CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stream/question_horde.hpp"

namespace bellwether {

struct QuestionSummary {
    std::string name, algorithm;
    double steps = 0;
    double td_error = 0;  // root mean square
    double returns = 0;
    std::optional<double> return_error{};  // root mean square of prediction − return, where there are enough returns
    std::optional<double> of_variance{};   // its square as a share of the returns' variance
    std::optional<double> rupee{};         // root of the mean squared projected error, where the horde estimates it
    std::optional<double> explainable{};   // its square as a share of the mean squared TD error
};

std::vector<QuestionSummary> summarize(const QuestionHorde& horde);

// Fewer returns than these say little.
inline constexpr double enough_returns = 10;
// A question counts as learned where its squared return error is below this share of the returns' variance, so that it
// says more than the mean return; without enough returns, where less than this share of the TD errors' mean square
// could still be explained by the features.
inline constexpr double learned_of_variance = 1;
inline constexpr double learned_explainable = 0.1;

struct QuestionAnswer {
    std::string_view text;          // "learned", "not learned" or "cannot tell"
    std::string_view measure;       // what decides: "returns", "rupee" or "none"
    std::optional<double> share{};  // of that measure
};
QuestionAnswer answer_of(const QuestionSummary& question);

std::string summary_table(const std::vector<QuestionSummary>& rows);
std::string summary_csv(const std::vector<QuestionSummary>& rows);

}  // namespace bellwether
