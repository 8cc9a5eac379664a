// Rules for step sizes: by hand, over kinds of features, and in parts of a run. (measures_test.cpp holds studies with
// them to an account that shares nothing with the kernels; the study of run_test.cpp, of shards and ranks has one too.)
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string_view>
#include <vector>

#include "bellwether/registry.hpp"
#include "engine/backend.hpp"
#include "support/algorithms.hpp"

namespace bellwether::test {
namespace {

constexpr StepSizeRule adagrad{.kind = StepSizeRule::Kind::adagrad};
constexpr StepSizeRule power(double exponent) {
    return {.kind = StepSizeRule::Kind::power, .exponent = exponent};
}

// Transitions between the rows of a feature matrix of `dimension` columns.
struct Transitions {
    std::size_t dimension;
    std::vector<double> features;
    std::vector<std::uint32_t> rows{}, rows_next{};
    std::vector<double> reward{}, gamma{}, rho{}, pi{}, mu{};
    std::vector<std::uint8_t> marks{};  // empty: none

    void add(std::uint32_t row, std::uint32_t next, double r, double discount, double ratio = 1) {
        rows.push_back(row);
        rows_next.push_back(next);
        reward.push_back(r);
        gamma.push_back(discount);
        rho.push_back(ratio);
        mu.push_back(0.5);
        pi.push_back(0.5 * ratio);
    }
};

// The feature matrix as one kind of features has it.
struct Features {
    explicit Features(const Transitions& of) : kind(LaneFeatures::Kind::dense), dimension(of.dimension) {
        values = of.features;
    }
    Features(const Transitions& of, LaneFeatures::Kind as) : kind(as), dimension(of.dimension) {
        for (std::size_t k = 0; k < of.features.size(); ++k) {
            if (k % dimension == 0) first.push_back(static_cast<std::uint32_t>(indices.size()));
            if (as != LaneFeatures::Kind::dense && of.features[k] == 0) continue;
            indices.push_back(static_cast<std::uint32_t>(k % dimension));
            values.push_back(of.features[k]);
        }
        first.push_back(static_cast<std::uint32_t>(indices.size()));
    }
    LaneFeatures view() const {
        return {.kind = kind,
                .dimension = dimension,
                .first = first.data(),
                .indices = indices.data(),
                .values = values.data()};
    }
    LaneFeatures::Kind kind;
    std::size_t dimension;
    std::vector<std::uint32_t> first, indices;
    std::vector<double> values;
};

std::vector<double> parameters_of(const AlgorithmInfo& info, const std::map<std::string_view, double>& given) {
    std::vector<double> values;
    for (const ParameterInfo& p : info.parameters) {
        const auto found = given.find(p.name);
        values.push_back(found == given.end() ? p.default_value : found->second);
    }
    return values;
}

// The weights after so many steps, learned in parts that begin at `cuts`.
std::vector<double> learned(std::string_view algorithm, const std::map<std::string_view, double>& parameters,
                            const StepSizeRule& rule, const Transitions& of, const Features& features,
                            const std::vector<std::size_t>& cuts = {},
                            const InstructionSet& set = best_instruction_set()) {
    const AlgorithmInfo& info = algorithm_named(algorithm);
    const std::vector<double> values = parameters_of(info, parameters);
    const auto learners = set.make_lane_learners({.block = {registry_index(info), 1, values.data()},
                                                  .first = 0,
                                                  .dimension = of.dimension,
                                                  .initial_weights = nullptr,
                                                  .error_count = 0,
                                                  .step_sizes = rule});
    std::vector<std::size_t> borders{0};
    borders.insert(borders.end(), cuts.begin(), cuts.end());
    borders.push_back(of.rows.size());
    for (std::size_t k = 0; k + 1 < borders.size(); ++k) {
        const std::size_t from = borders[k];
        learners->learn({.steps = borders[k + 1] - from,
                         .x = features.view(),
                         .x_next = features.view(),
                         .rows = of.rows.data() + from,
                         .rows_next = of.rows_next.data() + from,
                         .reward = {of.reward.data() + from},
                         .gamma = {of.gamma.data() + from},
                         .rho = {of.rho.data() + from},
                         .pi = {of.pi.data() + from},
                         .mu = {of.mu.data() + from},
                         .lambda = nullptr,
                         .lambda_next = nullptr,
                         .interest = nullptr,
                         .marks = of.marks.empty() ? nullptr : of.marks.data() + from},
                        {.configurations = 1});
    }
    std::vector<double> weights(of.dimension);
    learners->weights(weights.data());
    return weights;
}

Transitions two_states() {
    return {.dimension = 2, .features = {1, 0, 0, 1}};
}

// With α_t = 1/t and γ = 0 the weight of a state that is visited alone is the mean of its rewards.
TEST(StepSizeRules, OfOneOverTAreMeans) {
    Transitions visits = two_states();
    double sum = 0;
    for (int t = 1; t <= 50; ++t) {
        visits.add(0, 1, t * t, 0);
        sum += t * t;
        EXPECT_NEAR(learned("td0", {{"alpha", 1}}, power(1), visits, Features(visits))[0], sum / t, 1e-12 * sum);
    }
}

// α_t = 4/√t: 4 and 4/√2.
TEST(StepSizeRules, OfAPowerByHand) {
    Transitions visits = two_states();
    visits.add(0, 1, 1, 0.5);  // w(0) = 4
    visits.add(1, 0, 1, 0.5);  // δ = 1 + 4/2 = 3, w(1) = 3 · 4/√2
    const std::vector<double> w = learned("td0", {{"alpha", 4}}, power(0.5), visits, Features(visits));
    EXPECT_EQ(w[0], 4);
    EXPECT_NEAR(w[1], 12 / std::sqrt(2), 1e-14);
}

TEST(StepSizeRules, OfAdagradByHand) {
    Transitions visits = two_states();
    visits.add(0, 1, 2, 0.5);  // δ = 2, G = 4: a step of α, whatever δ is
    EXPECT_EQ(learned("td0", {{"alpha", 0.5}}, adagrad, visits, Features(visits)), (std::vector{0.5, 0.0}));
    visits.add(0, 1, 1, 0.5);  // δ = 1/2, G = 4.25
    const std::vector<double> w = learned("td0", {{"alpha", 0.5}}, adagrad, visits, Features(visits));
    EXPECT_NEAR(w[0], 0.5 + 0.5 * 0.5 / std::sqrt(4.25), 1e-15);
    EXPECT_EQ(w[1], 0) << "whose G is 0";
}

// Of TDC, w and h apart, and h by α_h = ηα = 1.
TEST(StepSizeRules, OfAdagradWithSecondWeightsByHand) {
    Transitions visits = two_states();
    visits.add(0, 1, 2, 0.5);  // δ = 2: w = (α, 0), h = (α_h, 0)
    visits.add(0, 1, 1, 0.5);  // δ = 1/2, h·x = 1: g of w (1/2, −1/2), of h (−1/2, 0)
    visits.add(0, 1, 0, 0.5);
    const double root = std::sqrt(4.25);
    double w_0 = 0.5 + 0.5 * 0.5 / root, w_1 = -0.5, h = 1 - 0.5 / root;
    const double delta = 0.5 * w_1 - w_0, correction = -0.5 * h;
    w_0 += 0.5 * delta / std::sqrt(4.25 + delta * delta);
    w_1 += 0.5 * correction / std::sqrt(0.25 + correction * correction);
    const std::vector<double> w =
        learned("gtd", {{"alpha", 0.5}, {"eta", 2}, {"lambda", 0}}, adagrad, visits, Features(visits));
    EXPECT_NEAR(w[0], w_0, 1e-15);
    EXPECT_NEAR(w[1], w_1, 1e-15);
}

Transitions random_transitions(bool one_hot) {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> number(-1, 1);
    constexpr std::uint32_t states = 19;
    Transitions of{.dimension = states, .features = std::vector<double>(states * states)};
    for (std::size_t s = 0; s < states; ++s)
        for (std::size_t i = 0; i < states; ++i)
            of.features[s * states + i] = one_hot ? s == i : random() % 5 == 0 ? number(random) : 0;
    for (int t = 0; t < 400; ++t)
        of.add(static_cast<std::uint32_t>(random() % states), static_cast<std::uint32_t>(random() % states),
               number(random), random() % 10 == 0 ? 0 : 0.9, random() % 3 == 0 ? 0 : 1.5);
    return of;
}

constexpr std::array rules{power(0.5), adagrad};

template <class Use>
void for_every_algorithm(Use use) {
    for (const AlgorithmInfo& info : algorithm_table)
        for (const double lambda : {0.0, 0.7})
            if (info.plain_alpha)
                use(info.id, std::map<std::string_view, double>{{"alpha", 0.05}, {"eta", 0.5}, {"lambda", lambda}});
}

// Sums have another order, and what moves lazily is written another way: rounding, which traces add up.
TEST(StepSizeRules, GiveTheSameWithEveryKindOfFeatures) {
    for (const bool one_hot : {true, false}) {
        const Transitions of = random_transitions(one_hot);
        const Features dense(of, LaneFeatures::Kind::dense);
        std::vector<LaneFeatures::Kind> kinds{LaneFeatures::Kind::sparse};
        if (one_hot) kinds.push_back(LaneFeatures::Kind::one_hot);
        for_every_algorithm([&](std::string_view id, const auto& parameters) {
            for (const StepSizeRule& rule : rules) {
                const std::vector<double> expected = learned(id, parameters, rule, of, dense);
                for (const LaneFeatures::Kind kind : kinds) {
                    const std::vector<double> found = learned(id, parameters, rule, of, Features(of, kind));
                    for (std::size_t i = 0; i < of.dimension; ++i)
                        EXPECT_NEAR(found[i], expected[i], 1e-11) << id << ", weight " << i;
                }
            }
        });
    }
}

TEST(StepSizeRules, GoOnThroughPartsOfARunToTheBit) {
    const Transitions of = random_transitions(false);
    for (const LaneFeatures::Kind kind : {LaneFeatures::Kind::dense, LaneFeatures::Kind::sparse})
        for_every_algorithm([&](std::string_view id, const auto& parameters) {
            const Features features(of, kind);
            for (const StepSizeRule& rule : rules) {
                const std::vector<double> whole = learned(id, parameters, rule, of, features);
                EXPECT_EQ(learned(id, parameters, rule, of, features, {1, 2, 130, 399}), whole) << id;
                for (const InstructionSet* set : instruction_sets())
                    EXPECT_EQ(learned(id, parameters, rule, of, features, {}, *set), whole) << id << set->name();
            }
        });
}

// Steps in which nothing is learned count for no rule: it is as if they were not there.
TEST(StepSizeRules, PassOverStepsInWhichNothingIsLearned) {
    const Transitions all = random_transitions(true);
    Transitions marked = all, learned_from{.dimension = all.dimension, .features = all.features};
    for (std::size_t t = 0; t < all.rows.size(); ++t) {
        const bool is_idle_now = t % 7 == 3 || t % 11 == 0;
        marked.marks.push_back(is_idle_now ? std::uint8_t{is_idle} : std::uint8_t{0});
        if (!is_idle_now) learned_from.add(all.rows[t], all.rows_next[t], all.reward[t], all.gamma[t], all.rho[t]);
    }
    const Features features(all, LaneFeatures::Kind::one_hot);
    for_every_algorithm([&](std::string_view id, const auto& parameters) {
        for (const StepSizeRule& rule : rules)
            EXPECT_EQ(learned(id, parameters, rule, marked, features),
                      learned(id, parameters, rule, learned_from, features))
                << id;
    });
}

// With exponent 0 step sizes are what they are without a rule.
TEST(StepSizeRules, OfExponentZeroChangeNothing) {
    const Transitions of = random_transitions(false);
    const Features features(of, LaneFeatures::Kind::sparse);
    for_every_algorithm([&](std::string_view id, const auto& parameters) {
        EXPECT_EQ(learned(id, parameters, power(0), of, features), learned(id, parameters, {}, of, features)) << id;
    });
}

}  // namespace
}  // namespace bellwether::test
