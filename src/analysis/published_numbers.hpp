// Numbers that a paper publishes of its results ([[numbers]] of published.toml, docs/paper-folder.md), and ours beside
// them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/findings.hpp"
#include "plan/study.hpp"

namespace bellwether {

enum class PublishedQuantity {
    score,            // of the best configuration, on the runs it was chosen on
    fresh_score,      // and on fresh ones
    worse_than_start  // the share of the configurations whose score is above the error of w_0
};
inline constexpr std::array<std::string_view, 3> published_quantity_names{"score", "fresh-score", "worse-than-start"};

struct PublishedNumber {
    std::string title;              // of the table or figure that it stands in
    std::string setting, metric{};  // metric: "" is the setting's first
    std::string algorithm{};
    PublishedQuantity quantity = PublishedQuantity::score;
    std::vector<std::pair<std::string, double>> at{};  // parameters that have these values; the others are the best
    std::string relative_to{};  // the algorithm over whose best score it is; "": the score itself
    std::string reading{};      // of the study, that it is of; "": of the study itself
    double value = 0;
    double error = 0;  // what it may be off by: half of its last digit, or what its standard error makes of 95%
};

// From the text of published.toml. UsageError as parse_paper; where the study is given, names and values must be among
// its own, and readings among these.
std::vector<PublishedNumber> parse_published_numbers(const std::string& name, const std::string& text,
                                                     const Study* study, std::span<const std::string> readings = {});

struct ComparedNumber {
    std::string title, setting;
    std::string label;  // "ETD(λ,β), β = 0.2"
    double theirs = 0, error = 0;
    double ours = 0;
    Interval interval{};    // of ours, 95%; a point where it is a count
    std::string reading{};  // that both are of
    std::size_t place = 0;  // in the paper's list

    // Whether some number is within their error and in our interval.
    bool agrees() const { return interval.low <= theirs + error && interval.high >= theirs - error; }
};

// Those that the findings have: not the numbers of a reading, unless the findings are that reading's.
std::vector<ComparedNumber> compare_numbers(const std::vector<PublishedNumber>& numbers, const Findings& findings);

}  // namespace bellwether
