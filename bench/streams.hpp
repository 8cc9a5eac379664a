// The data that both sides learn from: a stream of transitions for each kind of features.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bellwether/features.hpp"

namespace bench {

struct Transition {
    double reward, gamma, rho;
};

// x(t) are the features of S_t, for t = 0 ... transitions.size().
struct OneHotStream {
    using Features = bellwether::OneHot;

    std::size_t dimension;
    std::vector<Transition> transitions;
    std::vector<std::uint32_t> indices;

    Features x(std::size_t t) const { return {indices[t]}; }
};

struct DenseStream {
    using Features = bellwether::Dense<double>;

    std::size_t dimension;
    std::vector<Transition> transitions;
    std::vector<double> values;  // a row of `dimension` for each state

    Features x(std::size_t t) const { return {{values.data() + t * dimension, dimension}}; }
};

struct SparseStream {
    using Features = bellwether::Sparse<double>;

    std::size_t dimension, active;
    std::vector<Transition> transitions;
    std::vector<std::uint32_t> indices;  // a row of `active` for each state
    std::vector<double> values;          // likewise

    Features x(std::size_t t) const {
        return {{indices.data() + t * active, active}, {values.data() + t * active, active}};
    }
};

// Two actions under a uniform behaviour, ρ = 1/2 or 3/2; an episode of 100 steps or the end of the stream has γ = 0.
OneHotStream make_one_hot_stream(std::size_t dimension, std::size_t steps);
DenseStream make_dense_stream(std::size_t dimension, std::size_t steps);
// Like tile coding with hashing: a step replaces a quarter of the active features.
SparseStream make_sparse_stream(std::size_t dimension, std::size_t active, std::size_t steps);

// What every algorithm is run with, where it has the parameter.
struct Settings {
    double alpha = 0.001;
    double eta = 0.5;
    double lambda = 0.9;
    double cutoff = 1e-4;  // of sparse traces
};

// One side of a comparison: a learner with its stream.
class Contestant {
public:
    virtual ~Contestant() = default;
    virtual void run() = 0;  // learns from the whole stream once
    virtual std::span<const double> weights() const = 0;
};

}  // namespace bench
