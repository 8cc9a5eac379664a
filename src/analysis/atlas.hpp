// Every algorithm on every problem of several studies: what its best configuration does, how easily it is found, how
// often it fails, what it costs. And what all of that says of a paper's recommendations.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "analysis/paper.hpp"

namespace bellwether {

// One study of the atlas. What it has must outlive the atlas.
struct AtlasSource {
    const Findings* findings;
    // Seconds per agent-step of the sweep, by setting of the study and algorithm; empty where nothing was measured.
    std::vector<std::vector<double>> costs{};
};

struct AtlasEntry {
    const AlgorithmFindings* findings;
    std::size_t place;             // of the algorithm in its problem
    double ratio = 0;              // of its score, at most the error of w_0, over the best one of the problem
    std::optional<double> cost{};  // seconds per agent-step
};

// A setting and metric.
struct AtlasProblem {
    std::string study;
    const MetricFindings* findings;
    bool on_policy = false;
    std::vector<AtlasEntry> entries{};

    std::string id() const;  // "study/setting metric"
    const AtlasEntry* find(std::string_view algorithm) const;
};

// An algorithm over all problems that have it.
struct AtlasSummary {
    std::string algorithm;  // id
    std::size_t problems = 0;
    double typical = 0;  // geometric mean of the ratios
    double worst = 0;    // the highest of them,
    const AtlasProblem* worst_in = nullptr;
    double within_50 = 0;          // the mean share of configurations within 50% of its own best
    double failure_rate = 0;       // the highest of its best configurations' failure rates
    std::optional<double> cost{};  // geometric mean, over the cheapest algorithm of the problem
};

struct Atlas {
    std::vector<AtlasProblem> problems{};
    std::vector<AtlasSummary> summaries{};  // the lowest typical ratio first, of the algorithms with most problems
};

Atlas make_atlas(std::span<const AtlasSource> sources);

// What the atlas says of recommendations that have rules for it.
std::vector<Advice> judge_on_atlas(const Atlas& atlas, std::span<const PaperRecommendation> recommendations);

}  // namespace bellwether
