// A lane of a kernel ends with the weights of the online learner, to the bit: for every algorithm, kind of features,
// instruction set and number of configurations, whether they converge or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "conformance_rows.hpp"
#include "engine/backend.hpp"
#include "stream.hpp"
#include "support/algorithms.hpp"

namespace bellwether::test {
namespace {

// From less than a pack to several with a rest, whose last lanes have no configuration of their own.
constexpr std::array<std::size_t, 4> block_sizes{1, 5, 16, 33};
constexpr std::size_t most_configurations = 33;
constexpr std::size_t steps = 150;  // more than the kernels take between two looks at what diverged

// ---- configurations

// Another choice of parameters for each, all in range; step sizes reach from 2^-4 of the row's to where everything
// diverges.
double varied(const NamedValue& parameter, std::size_t configuration) {
    const int c = static_cast<int>(configuration);
    if (parameter.name == "alpha")
        return c % 4 == 3 ? std::ldexp(1, 2 * c + 4) : std::ldexp(parameter.value, c % 9 - 4);
    if (parameter.name == "eta") return std::ldexp(parameter.value, c % 7 - 3);
    if (parameter.name == "lambda") return (c % 5) / 4.0;
    if (parameter.name == "epsilon") return parameter.value * (1 + c);
    return parameter.value;
}

std::vector<std::vector<double>> configurations_of(const ConformanceRow& row, const AlgorithmInfo& info) {
    std::vector<std::vector<double>> configurations;
    for (std::size_t c = 0; c < most_configurations; ++c) {
        std::vector<NamedValue> parameters = row.parameters;
        for (NamedValue& parameter : parameters) parameter.value = varied(parameter, c);
        configurations.push_back(check_parameters(info, parameters).value());
    }
    return configurations;
}

// ---- a trajectory, as the kernels take it

// Every step has feature rows of its own: row t holds x_t, with λ and the interest of that state.
struct Experience {
    Experience(const Case& c, FeatureKind feature_kind, bool with_states)
        : kind(feature_kind), brings_states(with_states) {
        for (const Sample& s : c.stream) {
            add_row(s.x, s.lambda, s.interest);
            reward.push_back(s.reward);
            gamma.push_back(s.gamma);
            rho.push_back(s.rho);
            pi.push_back(s.pi);
            mu.push_back(s.mu);
        }
        add_row(c.stream.back().x_next, c.stream.back().lambda_next, 1);
    }

    LaneFeatures features() const {
        const std::size_t dimension = dense.size() / rows.size();
        switch (kind) {
            case FeatureKind::dense:
                return {LaneFeatures::Kind::dense, dimension, nullptr, nullptr, dense.data()};
            case FeatureKind::sparse:
                return {LaneFeatures::Kind::sparse, dimension, first.data(), indices.data(), values.data()};
            case FeatureKind::one_hot:
                break;
        }
        return {LaneFeatures::Kind::one_hot, dimension, nullptr, indices.data(), nullptr};
    }
    LaneStates states() const {
        if (!brings_states) return {nullptr, nullptr};
        return {lambda.data(), interest.data()};
    }
    LaneTrajectory trajectory() const {
        return {reward.size(), rows.data(), reward.data(), gamma.data(), rho.data(), pi.data(), mu.data()};
    }

    FeatureKind kind;
    bool brings_states;  // λ and interest of the states; else the configuration's λ and 1

private:
    void add_row(const Vec& x, double row_lambda, double row_interest) {
        rows.push_back(static_cast<std::uint32_t>(rows.size()));
        dense.insert(dense.end(), x.begin(), x.end());
        const SparseVector entries(x);
        indices.insert(indices.end(), entries.indices.begin(), entries.indices.end());
        values.insert(values.end(), entries.values.begin(), entries.values.end());
        first.push_back(static_cast<std::uint32_t>(indices.size()));
        lambda.push_back(row_lambda);
        interest.push_back(row_interest);
    }

    std::vector<std::uint32_t> rows, first{0}, indices;
    std::vector<double> dense, values, lambda, interest, reward, gamma, rho, pi, mu;
};

std::vector<double> by_kernel(const InstructionSet& set, std::size_t algorithm, const Case& c,
                              const Experience& experience, const std::vector<std::vector<double>>& configurations,
                              std::size_t count) {
    std::vector<double> parameters;
    for (std::size_t p = 0; p < configurations[0].size(); ++p)
        for (std::size_t k = 0; k < count; ++k) parameters.push_back(configurations[k][p]);
    std::vector<double> weights(count * c.dimension, -1);
    const LaneTrajectory trajectory = experience.trajectory();
    const LaneRequest request{.block = {.algorithm = algorithm, .count = count, .parameters = parameters.data()},
                              .features = experience.features(),
                              .states = experience.states(),
                              .initial_weights = c.w_0.data(),
                              .trajectories = &trajectory,
                              .trajectory_count = 1,
                              .errors = nullptr,
                              .error_count = 0,
                              .scored_steps = 1,
                              .scores = nullptr,
                              .curves = nullptr};
    for (std::size_t first = 0; first < count; first += set.most_learners()) {
        const auto learners = set.make_lane_learners({.block = request.block,
                                                      .first = first,
                                                      .dimension = c.dimension,
                                                      .initial_weights = request.initial_weights,
                                                      .error_count = 0});
        learners->learn(source_of(request, trajectory), {});
        learners->weights(weights.data() + first * c.dimension);
    }
    return weights;
}

// ---- the same by the online learner

template <class Features>
Transition<Features> transition_of(const Sample& s, Features x, Features x_next, bool brings_states) {
    Transition<Features> result = transition<Features>(s, x, x_next);
    if (brings_states) return result;
    result.lambda = result.lambda_next = std::nullopt;
    result.interest = 1;
    return result;
}

void feed_step(Learner& learner, const Sample& s, const Experience& experience) {
    const SparseVector x(s.x), x_next(s.x_next);
    switch (experience.kind) {
        case FeatureKind::dense:
            return learner.step(transition_of<Dense<double>>(s, {s.x}, {s.x_next}, experience.brings_states));
        case FeatureKind::sparse:
            return learner.step(transition_of<Sparse<double>>(s, x.view(), x_next.view(), experience.brings_states));
        case FeatureKind::one_hot:
            return learner.step(
                transition_of<OneHot>(s, {x.indices[0]}, {x_next.indices[0]}, experience.brings_states));
    }
}

// The weights are read after every step, which a kernel does not do: reading changes nothing.
std::vector<double> by_learner(const AlgorithmInfo& info, const std::vector<double>& parameters, const Case& c,
                               const Experience& experience) {
    const std::unique_ptr<Learner> learner =
        instruction_sets().back()->make_learner(info, c.dimension, parameters, std::nullopt);
    learner->set_weights(c.w_0);
    std::vector<double> weights;
    for (const Sample& s : c.stream) {
        feed_step(*learner, s, experience);
        weights.assign(learner->weights().begin(), learner->weights().end());
    }
    return weights;
}

// ---- comparing

// Equal to the bit, or both not a number: which of the NaNs it is, is nobody's business.
bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

// What the test would not be worth without: configurations that diverge, and ones that do not.
struct Tally {
    std::size_t compared = 0, finite = 0;
};

void expect_equal(const ConformanceRow& row, FeatureKind kind, bool brings_states, Tally& tally) {
    const AlgorithmInfo& info = *find_algorithm(row.id);
    const Case c = random_case(
        17, steps, {.dimension = 19, .features = kind, .on_policy = info.on_policy_only, .segments = false});
    const Experience experience(c, kind, brings_states);
    const std::vector<std::vector<double>> configurations = configurations_of(row, info);
    std::vector<double> expected;
    for (const std::vector<double>& parameters : configurations) {
        const std::vector<double> weights = by_learner(info, parameters, c, experience);
        expected.insert(expected.end(), weights.begin(), weights.end());
    }
    for (const InstructionSet* set : instruction_sets())
        for (const std::size_t count : block_sizes) {
            const std::vector<double> weights =
                by_kernel(*set, registry_index(info), c, experience, configurations, count);
            std::size_t differ = 0;
            for (std::size_t i = 0; i < weights.size(); ++i) {
                differ += !same(weights[i], expected[i]);
                tally.finite += std::isfinite(weights[i]);
            }
            tally.compared += weights.size();
            EXPECT_EQ(differ, 0U) << row.id << " on " << set->name() << ", " << count << " configurations"
                                  << (brings_states ? ", lambda and interest of the states" : "");
        }
}

class LanesEqualLearners : public testing::TestWithParam<FeatureKind> {};

INSTANTIATE_TEST_SUITE_P(Lanes, LanesEqualLearners,
                         testing::Values(FeatureKind::one_hot, FeatureKind::sparse, FeatureKind::dense),
                         [](const auto& kind) {
                             return std::string(kind.param == FeatureKind::dense    ? "dense"
                                                : kind.param == FeatureKind::sparse ? "sparse"
                                                                                    : "one_hot");
                         });

TEST_P(LanesEqualLearners, ToTheBit) {
    ASSERT_EQ(conformance_rows().size(), algorithm_table.size());
    Tally tally;
    for (const ConformanceRow& row : conformance_rows())
        for (const bool brings_states : {false, true}) expect_equal(row, GetParam(), brings_states, tally);
    RecordProperty("compared", std::to_string(tally.compared));
    RecordProperty("finite", std::to_string(tally.finite));
    EXPECT_GT(tally.finite, tally.compared / 3);
    EXPECT_LT(tally.finite, tally.compared - tally.compared / 20);
}

}  // namespace
}  // namespace bellwether::test
