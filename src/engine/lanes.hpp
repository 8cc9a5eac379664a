// The sweep's inner loop: every configuration of a block learns from one trajectory, each in a SIMD lane of its own.
//
// What crosses into the kernels is plain data, since they are compiled once per instruction set and must not share a
// template of the standard library with the rest of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bellwether {

// The feature vectors of a problem, by row.
struct LaneFeatures {
    enum class Kind { one_hot, sparse, dense };

    Kind kind;
    std::size_t dimension;
    const std::uint32_t* first;    // sparse: where a row's entries begin; rows + 1 of them
    const std::uint32_t* indices;  // sparse: of the entries; one-hot: of each row
    const double* values;          // sparse: of the entries; dense: rows × dimension
};

// One run. Feature rows of S_0 … S_N; everything else has one number per step.
struct LaneTrajectory {
    std::size_t steps;
    const std::uint32_t* rows;
    const double* reward;
    const double* gamma;
    const double* rho;
    const double* pi;
    const double* mu;
};

// What a step takes from the state it is in, row by row.
struct LaneStates {
    const double* lambda;    // null: the configuration's own
    const double* interest;  // null: 1
};

// An error of the weights, evaluated in lanes.
struct LaneError {
    // absolute: Σ |a_k y_k + b_k|, squared: Σ (a_k y_k + b_k)², over terms k with y_k a node;
    // projected: |M w − c|², with M and c of the configuration's λ.
    enum class Kind { absolute, squared, projected };

    Kind kind;
    bool root;  // the square root of that

    // Nodes are partial sums of the states' values that states share: node d + n is coefficient·w[feature], plus an
    // earlier node unless parent is `none`. Nodes below d are the weights themselves.
    struct Node {
        std::uint32_t parent, feature;
        double coefficient;
    };
    static constexpr std::uint32_t none = UINT32_MAX;
    struct Term {
        std::uint32_t node;
        double a, b;
    };
    const Node* nodes;
    std::size_t node_count;
    const Term* terms;
    std::size_t term_count;

    // Where the features are few and every state's value is a multiple of a sum of some weights: the terms by those
    // sets, bit i of the index for weight i; absent sets have a = b = 0. Null elsewhere, then nodes and terms are used.
    struct Affine {
        double a, b;
    };
    static constexpr std::size_t most_subset_features = 6;
    const Affine* subsets;

    // projected: by λ, rank rows of M (dimension numbers) each followed by its c; and which λ a configuration has.
    std::size_t rank;
    const double* systems;
    const std::uint32_t* system_of;
};

// Configurations of one algorithm.
struct LaneBlock {
    std::size_t algorithm;  // its number in the registry
    std::size_t count;
    const double* parameters;  // parameter by parameter: count numbers each, in the order of the algorithm's list
};

struct LaneRequest {
    LaneBlock block;
    LaneFeatures features;
    LaneStates states;
    const double* initial_weights;
    LaneTrajectory trajectory;
    const LaneError* errors;
    std::size_t error_count;
    std::size_t scored_steps;  // the last so many of the trajectory

    // Results. A score is the mean error over the scored steps, or not finite.
    double* scores;   // error by error: count numbers each
    double* curves;   // null, or error by error, configuration by configuration: the error of w_0 and after each step
    double* weights;  // null, or configuration by configuration: the final weights
};

using LaneKernel = void(const LaneRequest& request);

struct LaneTarget {
    std::string_view name;
    std::size_t lanes;
    LaneKernel* run;
};

// The instruction sets that run on this machine, the best one first. All give the same results to the bit.
std::vector<LaneTarget> lane_targets();

}  // namespace bellwether
