// How well the questions of a horde are answered: as a table to read, as CSV, and as a page.
#pragma once

#include <optional>
#include <string>
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
};

std::vector<QuestionSummary> summarize(const QuestionHorde& horde);

std::string summary_table(const std::vector<QuestionSummary>& rows);
std::string summary_csv(const std::vector<QuestionSummary>& rows);
// One HTML file without scripts: a row for each question, those that are answered worst first.
std::string summary_page(const std::vector<QuestionSummary>& rows, std::uint64_t steps);

}  // namespace bellwether
