#include "streams.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace bench {
namespace {

using Generator = std::mt19937_64;

std::vector<Transition> make_transitions(std::size_t steps, Generator& generator) {
    std::uniform_real_distribution<double> reward(-1, 1);
    std::bernoulli_distribution first_action(0.5);
    std::vector<Transition> transitions(steps);
    for (std::size_t t = 0; t < steps; ++t) {
        const bool ends = t % 100 == 99 || t + 1 == steps;
        transitions[t] = {
            .reward = reward(generator), .gamma = ends ? 0 : 0.99, .rho = first_action(generator) ? 0.5 : 1.5};
    }
    return transitions;
}

}  // namespace

OneHotStream make_one_hot_stream(std::size_t dimension, std::size_t steps) {
    Generator generator(1);
    OneHotStream stream{.dimension = dimension, .transitions = make_transitions(steps, generator), .indices = {}};
    std::uniform_int_distribution<std::uint32_t> index(0, static_cast<std::uint32_t>(dimension - 1));
    for (std::size_t t = 0; t <= steps; ++t) stream.indices.push_back(index(generator));
    return stream;
}

DenseStream make_dense_stream(std::size_t dimension, std::size_t steps) {
    Generator generator(2);
    DenseStream stream{.dimension = dimension, .transitions = make_transitions(steps, generator), .values = {}};
    std::normal_distribution<double> value(0, 1 / std::sqrt(static_cast<double>(dimension)));
    for (std::size_t i = 0; i < (steps + 1) * dimension; ++i) stream.values.push_back(value(generator));
    return stream;
}

SparseStream make_sparse_stream(std::size_t dimension, std::size_t active, std::size_t steps) {
    Generator generator(3);
    SparseStream stream{.dimension = dimension,
                        .active = active,
                        .transitions = make_transitions(steps, generator),
                        .indices = {},
                        .values = {}};
    std::uniform_int_distribution<std::uint32_t> index(0, static_cast<std::uint32_t>(dimension - 1));
    std::uniform_int_distribution<std::size_t> place(0, active - 1);
    std::vector<std::uint32_t> state;
    const auto unused = [&] {
        std::uint32_t i = index(generator);
        while (std::find(state.begin(), state.end(), i) != state.end()) i = index(generator);
        return i;
    };
    while (state.size() < active) state.push_back(unused());
    for (std::size_t t = 0; t <= steps; ++t) {
        stream.indices.insert(stream.indices.end(), state.begin(), state.end());
        for (std::size_t k = 0; k < active / 4; ++k) state[place(generator)] = unused();
    }
    stream.values.assign(stream.indices.size(), 1 / std::sqrt(static_cast<double>(active)));
    return stream;
}

}  // namespace bench
