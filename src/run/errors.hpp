// The errors of the weights as the data that the kernels evaluate (LaneError).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/lanes.hpp"
#include "problems/finite_mdp.hpp"
#include "problems/metric.hpp"
#include "problems/trajectory.hpp"

namespace bellwether {

// One metric's error; owns what view() points to.
struct ErrorData {
    LaneError::Kind kind;
    bool root = false;
    std::vector<LaneError::Node> nodes{};
    std::vector<LaneError::Term> terms{};
    std::vector<LaneError::Affine> subsets{};
    std::size_t rank = 0;
    std::vector<double> systems{};
    std::vector<std::uint32_t> system_of{};

    LaneError view() const;
};

// Relative and squared errors, and distances from the projection: terms over the states with d(s) > 0. UsageError where
// the metric divides by values that are 0.
ErrorData value_error(Metric metric, const Evaluation& evaluation);

// The b of the terms of a squared error whose true values are `above_truth`, a number for each row, above the
// evaluation's.
void add_offsets(const Evaluation& evaluation, std::span<const double> above_truth, std::vector<double>& to);

// Projected errors: with WᵀW = C⁺, the error (b − Aw)ᵀC⁺(b − Aw) is |Mw − c|² for M = WA and c = Wb.
class ProjectedSystems {
public:
    // Those of an outline (Study::is_outline) are as large, and nothing more.
    explicit ProjectedSystems(const FiniteMdp& mdp, bool is_outline = false) : mdp_(&mdp), is_outline_(is_outline) {}

    // For configurations with these λ; where the problem has its own λ(s), theirs do not matter.
    ErrorData error(Metric metric, std::span<const double> lambda_of_configuration);

private:
    struct System {
        std::size_t rank;
        std::vector<double> numbers;  // rank rows of M, each followed by its c
    };
    const System& system(double lambda);

    const FiniteMdp* mdp_;
    bool is_outline_;
    std::map<double, System> systems_;  // by λ: each takes a solution of the problem
};

// The error of a metric that a sweep scores, for configurations with these λ.
ErrorData error_of(Metric metric, const Evaluation& evaluation, ProjectedSystems& systems,
                   std::span<const double> lambda_of_configuration);

}  // namespace bellwether
