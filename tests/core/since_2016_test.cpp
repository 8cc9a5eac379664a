// What must hold of the algorithms since 2016: what they equal in their limits, what their bounds promise, and what
// they hold beside the weights on recorded streams.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "bellwether/algorithms/alpha_bound.hpp"
#include "bellwether/algorithms/auto_tidbd.hpp"
#include "bellwether/algorithms/differential_td.hpp"
#include "bellwether/algorithms/gtd.hpp"
#include "bellwether/algorithms/gtd2.hpp"
#include "bellwether/algorithms/gtd2_trace.hpp"
#include "bellwether/algorithms/lstd.hpp"
#include "bellwether/algorithms/obgd_td.hpp"
#include "bellwether/algorithms/off_policy_td.hpp"
#include "bellwether/algorithms/swift_td.hpp"
#include "bellwether/algorithms/tdrc.hpp"
#include "bellwether/algorithms/tdrc_trace.hpp"
#include "bellwether/algorithms/tidbd.hpp"
#include "bellwether/algorithms/tidbd_full.hpp"
#include "bellwether/algorithms/to_gtd.hpp"
#include "bellwether/algorithms/to_td.hpp"
#include "bellwether/algorithms/variance.hpp"
#include "bellwether/algorithms/wis_lstd.hpp"
#include "bellwether/algorithms/wis_td.hpp"
#include "feed_lanes.hpp"
#include "inner_state.hpp"
#include "learners_of_cases.hpp"

namespace bellwether::test {
namespace {

Vec u_of(const Sample& s) {
    return s.x - s.gamma * s.x_next;
}
double td_error(const Vec& w, const Sample& s) {
    return s.reward - dot(w, u_of(s));
}
// The same stream as one of separate samples: no successor counts.
Case without_discounts(Case c) {
    for (Sample& s : c.stream) s.gamma = 0;
    return c;
}

// ---- recorded: step sizes, usage, the variance's weights, the average reward

template <class Algorithm>
Vec beside_weights(const Algorithm& a) {
    if constexpr (requires { a.factor; }) {
        return a.factor * numbers_of(a.a);
    } else if constexpr (requires { a.usage; }) {
        return numbers_of(a.usage);
    } else if constexpr (requires { a.m; }) {
        return numbers_of(a.m);
    } else if constexpr (requires { a.average_reward; }) {
        return {a.average_reward};
    } else if constexpr (requires { a.step_size; }) {
        return {a.step_size};
    } else {
        return numbers_of(a.alpha);
    }
}
template <template <class, class> class Algorithm>
Vec beside_weights(const Stream& stream, const std::string& parameters) {
    typename Learner<Algorithm>::Parameters values;
    for (const std::string& pair : split(parameters, ' '))
        for (const auto& declared : values.declare())
            if (declared.name == pair.substr(0, pair.find('=')))
                values.*declared.field = std::stod(pair.substr(pair.find('=') + 1));
    Learner<Algorithm> l(stream[0].x.size(), values);
    for (const Sample& s : stream) feed_as(FeatureKind::sparse, l, s);
    return beside_weights(l.algorithm());
}
TEST(Recorded, WhatIsLearnedBesideTheWeights) {
    using Run = Vec(const Stream&, const std::string&);
    const std::map<std::string, Run*> runs{
        {"swift-td", beside_weights<SwiftTd>},       {"tidbd", beside_weights<Tidbd>},
        {"tidbd-full", beside_weights<TidbdFull>},   {"auto-tidbd", beside_weights<AutoTidbd>},
        {"alpha-bound", beside_weights<AlphaBound>}, {"wis-td", beside_weights<WisTd>},
        {"variance", beside_weights<Variance>},      {"differential-td", beside_weights<DifferentialTd>}};
    std::map<std::vector<std::string>, Vec> recorded;  // by stream, algorithm, parameters
    const std::string folder = BELLWETHER_TEST_DATA "/";
    for (const auto& row : read_csv(folder + "second.csv").rows)
        recorded[{row[0], row[1], row[2]}].push_back(std::stod(row[5]));
    EXPECT_EQ(recorded.size(), 64U);
    for (const auto& [key, values] : recorded) {
        SCOPED_TRACE(key[0] + " " + key[1] + " " + key[2]);
        EXPECT_LE(deviation(runs.at(key[1])(read_stream(folder + key[0]), key[2]), values), 1e-11);  // as the data says
    }
}

// ---- SwiftTD

RC_GTEST_PROP(SwiftTdIs, TrueOnlineTdWithoutItsBoundAndItsLearning, ()) {
    const Case on = any_case({.on_policy = true}), off = any_case();
    const auto swift = [](const Case& c) { return learner<SwiftTd>(c, {.alpha = c.alpha, .theta = 0, .bound = 1e9}); };
    RC_ASSERT(deviation_of_w(on, swift(on), learner<ToTd>(on, {.alpha = on.alpha})) <= tolerance);
    RC_ASSERT(deviation_of_w(off, swift(off), learner<ToGtd>(off, {.alpha = off.alpha, .eta = 0})) <= tolerance);
}
// τ = Σ ρα_i x_i² is what a step would change its own prediction by.
RC_GTEST_PROP(SwiftTdIs, BoundedInItsStepSizes, ()) {
    const Case c = any_case();
    auto l = learner<SwiftTd>(c, {.alpha = 0.08, .theta = 0.5, .bound = 0.1, .alpha_min = 1e-3});
    for (const Sample& s : c.stream) {
        feed(l, s);
        for (const double alpha : numbers_of(l.algorithm().alpha)) RC_ASSERT(alpha <= 0.1 && alpha >= 1e-3);
    }
}

// ---- TIDBD

RC_GTEST_PROP(TidbdIs, OffPolicyTdWithoutLearning, ()) {
    const Case c = any_case();
    const auto td = learner<OffPolicyTd>(c, {.alpha = c.alpha});
    RC_ASSERT(deviation_of_w(c, learner<Tidbd>(c, {.alpha = c.alpha, .theta = 0}), td) <= tolerance);
    RC_ASSERT(deviation_of_w(c, learner<TidbdFull>(c, {.alpha = c.alpha, .theta = 0}), td) <= tolerance);
}
// IDBD as Sutton (1992) gives it, by logarithms: β_i ← β_i + θδx_i h_i, α_i = exp β_i.
RC_GTEST_PROP(TidbdIs, IdbdWithoutDiscounts, ()) {
    const Case c = without_discounts(any_case({.on_policy = true}));
    const double theta = 0.2;
    auto tidbd = learner<Tidbd>(c, {.alpha = c.alpha, .theta = theta});
    auto full = learner<TidbdFull>(c, {.alpha = c.alpha, .theta = theta});
    Vec w = c.w_0, beta(c.dimension, std::log(c.alpha)), h(c.dimension);
    for (const Sample& s : c.stream) {
        const double delta = s.reward - dot(w, s.x);
        for (std::size_t i = 0; i < w.size(); ++i) {
            beta[i] += theta * delta * s.x[i] * h[i];
            const double alpha = std::exp(beta[i]);
            w[i] += alpha * delta * s.x[i];
            h[i] = h[i] * std::max(0.0, 1 - alpha * s.x[i] * s.x[i]) + alpha * delta * s.x[i];
        }
        feed(tidbd, s);
        feed(full, s);
        RC_ASSERT(deviation(tidbd.weights(), w) <= tolerance);
        RC_ASSERT(deviation(full.weights(), w) <= tolerance);
    }
}
// One weight, θ = 0: h = dw/d ln α, here by the difference of two learners, while no [·]⁺ cuts.
TEST(TidbdFullIs, AFollowerOfTheDerivativeByItsStepSize) {
    const Case c = random_case(3, 40, {.dimension = 1});
    constexpr double step = 1e-5;
    auto l = learner<TidbdFull>(c, {.alpha = c.alpha, .theta = 0});
    auto up = learner<TidbdFull>(c, {.alpha = c.alpha * std::exp(step), .theta = 0});
    auto down = learner<TidbdFull>(c, {.alpha = c.alpha * std::exp(-step), .theta = 0});
    for (const Sample& s : c.stream) {
        feed(l, s);
        feed(up, s);
        feed(down, s);
        // The square of the step and the rounding in w over the step.
        EXPECT_NEAR(l.algorithm().h[0], (up.weights()[0] - down.weights()[0]) / (2 * step), 1e-8);
    }
}

// ---- AutoTIDBD

// So that no step makes the error of its own transition change sign.
RC_GTEST_PROP(AutoTidbdIs, BoundedInItsStep, ()) {
    const Case c = any_case();
    auto l = learner<AutoTidbd>(c, {.alpha = 0.9, .theta = 0.3, .tau = 20});
    for (const Sample& s : c.stream) {
        feed(l, s);
        const Vec e = numbers_of(l.algorithm().e), alpha = beside_weights(l.algorithm()), u = u_of(s);
        double step = 0;
        for (std::size_t i = 0; i < u.size(); ++i) step += alpha[i] * e[i] * u[i];
        RC_ASSERT(step <= 1 + tolerance);
    }
}
RC_GTEST_PROP(AutoTidbdIs, OffPolicyTdWithoutLearningWhereStepsAreSmall, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<AutoTidbd>(c, {.alpha = 1e-4, .theta = 0}),
                             learner<OffPolicyTd>(c, {.alpha = 1e-4})) <= tolerance);
}
// Autostep, table 1 of Mahmood et al. (2012).
RC_GTEST_PROP(AutoTidbdIs, AutostepWithoutDiscounts, ()) {
    const Case c = without_discounts(any_case({.on_policy = true}));
    const double mu = 0.1, tau = 50;
    auto l = learner<AutoTidbd>(c, {.alpha = 0.4, .theta = mu, .tau = tau});
    Vec w = c.w_0, alpha(c.dimension, 0.4), h(c.dimension), v(c.dimension);
    for (const Sample& s : c.stream) {
        const double delta = s.reward - dot(w, s.x);
        double sum = 0;
        for (std::size_t i = 0; i < w.size(); ++i) {
            const double x = s.x[i], gradient = delta * x * h[i];
            v[i] = std::max(std::fabs(gradient), v[i] + alpha[i] * x * x * (std::fabs(gradient) - v[i]) / tau);
            if (v[i] != 0) alpha[i] *= std::exp(mu * gradient / v[i]);
            sum += alpha[i] * x * x;
        }
        for (std::size_t i = 0; i < w.size(); ++i) {
            const double x = s.x[i];
            alpha[i] /= std::max(sum, 1.0);
            w[i] += alpha[i] * delta * x;
            h[i] = h[i] * std::max(0.0, 1 - alpha[i] * x * x) + alpha[i] * delta * x;
        }
        feed(l, s);
        RC_ASSERT(deviation(l.weights(), w) <= tolerance);
    }
}
// However far the common factor falls, the step sizes are what they were.
TEST(AutoTidbdIs, TheSameAfterItsFactorHasMovedIntoTheStepSizes) {
    const Case c = random_case(2, 60, {});
    auto plain = learner<AutoTidbd>(c, {.alpha = 0.3}), moved = plain;
    AutoTidbd<double>& algorithm = moved.algorithm();
    algorithm.factor = 1e-31;
    for (std::size_t i = 0; i < c.dimension; ++i) algorithm.a[i] *= 1e31;
    EXPECT_LE(deviation_of_w(c, plain, moved), tolerance);
    for (const Sample& s : c.stream) feed(moved, s);
    EXPECT_GT(algorithm.factor, 1e-30);
}

// In a pack it moves in the lanes where it has become small, and in no other.
TEST(AutoTidbdIs, TheSameInEveryLaneAfterTheFactorOfOneHasMoved) {
    using Wide = Pack<double, 4>;
    const Case c = random_case(2, 60, {});
    auto plain = learner<AutoTidbd>(c, {.alpha = 0.3});
    AutoTidbd<Wide, DenseTraces>::Parameters parameters;
    for (const auto& declared : parameters.declare())
        for (const auto& own : plain.parameters().declare())
            if (own.name == declared.name) parameters.*declared.field = Wide(plain.parameters().*own.field);
    Online<AutoTidbd<Wide, DenseTraces>> wide(c.dimension, parameters);
    wide.set_weights(std::vector<Wide>(c.w_0.begin(), c.w_0.end()));
    auto& algorithm = wide.algorithm();
    algorithm.factor.set(1, 1e-31);
    for (std::size_t i = 0; i < c.dimension; ++i) algorithm.a[i].set(1, algorithm.a[i][1] * 1e31);
    for (const Sample& s : c.stream) {
        feed_lanes<double>(FeatureKind::dense, plain, s);
        feed_lanes<Wide>(FeatureKind::dense, wide, s);
        for (std::size_t i = 0; i < c.dimension; ++i) {
            ASSERT_EQ(algorithm.w[i][0], plain.algorithm().w[i]);
            ASSERT_NEAR(algorithm.w[i][1], plain.algorithm().w[i], tolerance);
        }
    }
    EXPECT_GT(algorithm.factor[1], 1e-30);
}

// ---- bounded steps

RC_GTEST_PROP(BoundedSteps, ObgdWithoutItsBoundIsOffPolicyTd, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<ObgdTd>(c, {.alpha = c.alpha, .kappa = 0}),
                             learner<OffPolicyTd>(c, {.alpha = c.alpha})) <= tolerance);
}
// ‖Δw‖₁ ≤ min(|δ|, 1)/κ
RC_GTEST_PROP(BoundedSteps, ObgdMovesNoFurtherThanItPromises, ()) {
    const Case c = any_case();
    const double kappa = 3;
    auto l = learner<ObgdTd>(c, {.alpha = 50, .kappa = kappa});
    for (const Sample& s : c.stream) {
        const Vec w = weights_of(l);
        feed(l, s);
        double length = 0;
        for (const double change : weights_of(l) - w) length += std::fabs(change);
        RC_ASSERT(length <= std::min(std::fabs(td_error(w, s)), 1.0) / kappa + tolerance);
    }
}
RC_GTEST_PROP(BoundedSteps, AlphaBoundOnlyFallsAndNeverOvershoots, ()) {
    const Case c = any_case();
    auto l = learner<AlphaBound>(c, {.alpha = 5});
    double before = 5;
    for (const Sample& s : c.stream) {
        feed(l, s);
        const double a = l.algorithm().step_size;
        RC_ASSERT(a <= before);
        RC_ASSERT(a * std::fabs(dot(numbers_of(l.algorithm().e), u_of(s))) <= 1 + tolerance);
        before = a;
    }
}
RC_GTEST_PROP(BoundedSteps, ASmallAlphaIsNotCut, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<AlphaBound>(c, {.alpha = 1e-4}), learner<OffPolicyTd>(c, {.alpha = 1e-4})) <=
              tolerance);
}

// ---- weighted importance sampling

RC_GTEST_PROP(WeightedSampling, WisTdOnPolicyIsTrueOnlineTd, ()) {
    const Case c = any_case({.on_policy = true});
    RC_ASSERT(deviation_of_w(c, learner<WisTd>(c, {.alpha = c.alpha, .recency = 1}),
                             learner<ToTd>(c, {.alpha = c.alpha})) <= tolerance);
}
// w_i = Σ ρR/Σ ρ over the visits of feature i.
RC_GTEST_PROP(WeightedSampling, WisTdWithoutDiscountsIsTheWeightedMean, ()) {
    const Case c = without_discounts(any_case({.features = FeatureKind::one_hot}));
    Learner<WisTd> l(c.dimension, {.alpha = 1e13, .recency = 0});
    Vec weighted(c.dimension), weight(c.dimension);
    for (const Sample& s : c.stream) {
        feed(l, s);
        weighted += s.rho * s.reward * s.x;
        weight += s.rho * s.x;
        for (std::size_t i = 0; i < c.dimension; ++i)
            // 1e-13 is what the first usage adds to Σ ρ.
            if (weight[i] > 0.01) RC_ASSERT(std::fabs(l.weights()[i] - weighted[i] / weight[i]) <= 1e-10);
    }
}
// A feature that has no usage left has no part in a step that it is not in.
TEST(WeightedSampling, WisTdForgetsAFeatureAltogether) {
    Learner<WisTd> l(2, {.alpha = 1, .recency = 1, .lambda = 1});  // a visit replaces the usage by ρ
    const std::vector<double> next{0, 1};
    const auto step = [&](const std::vector<double>& x, double reward, double rho) {
        l.step(Transition<Dense<double>, double>{.x = {x}, .reward = reward, .gamma = 1, .x_next = {next}, .rho = rho});
    };
    step({1, 0}, 2, 1);
    step({0, 1}, 0, 0);  // usage of the first: 1 + (ρ − 1)γλ·1 = 0
    EXPECT_EQ(l.algorithm().usage[0], 0);
    const double before = l.weights()[0];
    step({0, 1}, 5, 1);
    EXPECT_EQ(l.algorithm().usage[0], 0);
    EXPECT_EQ(l.weights()[0], before);
}
RC_GTEST_PROP(WeightedSampling, WisLstdIsLstdWhereThereIsNothingToWeight, ()) {
    const Case on = any_case({.on_policy = true}), one_step = any_case({.lambda = 0});
    for (const Case& c : {on, one_step})  // an ε that keeps A far from singular
        RC_ASSERT(deviation_of_w(c, learner<WisLstd>(c, {.epsilon = 30}), learner<Lstd>(c, {.epsilon = 30})) <=
                  tolerance);
}
// λ = γ = 1, one feature per state, every state at most once in an episode: the weighted mean of the returns.
TEST(WeightedSampling, WisLstdOfOneIsTheWeightedMeanOfReturns) {
    Random random(5);
    constexpr std::size_t states = 4;
    Learner<WisLstd> l(states, {.lambda = 1, .epsilon = 1e-13});
    Vec weighted(states), weight(states);
    for (int episode = 0; episode < 200; ++episode) {
        Vec rho, reward;
        for (std::size_t t = 0; t < states; ++t) {
            rho.push_back(random.uniform(0.2, 2));
            reward.push_back(random.uniform(-1, 1));
            const bool last = t + 1 == states;
            l.step({.x = OneHot{t},
                    .reward = reward[t],
                    .gamma = last ? 0.0 : 1.0,
                    .x_next = OneHot{last ? 0 : t + 1},
                    .rho = rho[t]});
        }
        double product = 1, sum = 0;
        for (std::size_t t = states; t-- > 0;) {
            product *= rho[t];
            sum += reward[t];
            weighted[t] += product * sum;
            weight[t] += product;
        }
    }
    for (std::size_t t = 0; t < states; ++t) EXPECT_NEAR(l.weights()[t], weighted[t] / weight[t], 1e-11);
}

// ---- traces of h·x

RC_GTEST_PROP(TraceOfH, OneStepOnPolicyTheyAreTheirRelatives, ()) {
    const Case c = any_case({.on_policy = true, .lambda = 0});
    RC_ASSERT(deviation_of_w(c, learner<Gtd2Trace>(c, {.alpha = c.alpha, .eta = c.eta}),
                             learner<Gtd2>(c, {.alpha = c.alpha, .eta = c.eta})) <= tolerance);
    RC_ASSERT(deviation_of_w(c, learner<TdrcTrace>(c, {.alpha = c.alpha, .eta = c.eta}),
                             learner<Tdrc>(c, {.alpha = c.alpha, .eta = c.eta})) <= tolerance);
    RC_ASSERT(deviation_of_w(c, learner<TdrcTrace>(c, {.alpha = c.alpha, .eta = c.eta, .regularization = 0}),
                             learner<Gtd>(c, {.alpha = c.alpha, .eta = c.eta})) <= tolerance);
}
RC_GTEST_PROP(TraceOfH, WithoutHTheyAreOffPolicyTdAndNothing, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<TdrcTrace>(c, {.alpha = c.alpha, .eta = 0}),
                             learner<OffPolicyTd>(c, {.alpha = c.alpha})) <= tolerance);
    auto gtd2 = learner<Gtd2Trace>(c, {.alpha = c.alpha, .eta = 0});
    for (const Sample& s : c.stream) feed(gtd2, s);
    RC_ASSERT(weights_of(gtd2) == c.w_0);
}
// With w and h held fixed over a segment, the updates add up to the gradient of the forward view:
//     Σ_k[−(h·x_k)∇Δ_k + (Δ_k − h·x_k)x_k],  Δ_k = ρ_k(δ_k + γ_{k+1}λ_{k+1}Δ_{k+1}),  ∇Δ_k likewise from ∇δ = −u
// (GTD2 has the first term alone), and for h to Σ_k[(Δ_k − h·x_k)x_k − βh].
template <template <class, class> class Algorithm>
void check_forward_gradient(const Case& c, bool has_second_term, double regularization) {
    auto l = learner<Algorithm>(c, {.alpha = 1, .eta = 1});
    Vec dw(c.dimension), dh(c.dimension);
    for (const Sample& s : c.stream) {
        l.set_weights(c.w_0);
        put(l.algorithm().h, c.h_0);
        feed(l, s);
        dw += weights_of(l) - c.w_0;
        dh += numbers_of(l.algorithm().h) - c.h_0;
    }
    Vec forward_w(c.dimension), forward_h(c.dimension), gradient(c.dimension);
    double error = 0;
    for (std::size_t k = c.stream.size(); k-- > 0;) {
        const Sample& s = c.stream[k];
        const double decay = s.gamma * s.lambda_next, h_x = dot(c.h_0, s.x);
        error = s.rho * (td_error(c.w_0, s) + decay * error);
        gradient = s.rho * (decay * gradient - u_of(s));
        forward_w += -h_x * gradient;
        if (has_second_term) forward_w += (error - h_x) * s.x;
        forward_h += (error - h_x) * s.x - regularization * c.h_0;
    }
    RC_ASSERT(deviation(dw, forward_w) <= tolerance * static_cast<double>(c.stream.size()));
    RC_ASSERT(deviation(dh, forward_h) <= tolerance * static_cast<double>(c.stream.size()));
}
RC_GTEST_PROP(TraceOfH, AWholeSegmentFollowsTheForwardGradient, ()) {
    const Case c = any_case({.segments = false});
    check_forward_gradient<Gtd2Trace>(c, false, 0);
    check_forward_gradient<TdrcTrace>(c, true, 1);
}

// ---- beside values

RC_GTEST_PROP(BesideValues, VarianceIsTwoLearners, ()) {
    const Case c = any_case();
    const double kappa = 0.9, lambda = 0.4;
    auto l = learner<Variance>(c, {.alpha = c.alpha, .eta = c.eta, .variance_lambda = lambda, .target_lambda = kappa});
    auto value = learner<OffPolicyTd>(c, {.alpha = c.alpha});
    Learner<OffPolicyTd> second(c.dimension, {.alpha = c.eta * c.alpha});
    for (Sample s : c.stream) {
        const double delta = td_error(weights_of(value), s);
        feed(l, s);
        feed(value, s);
        s.reward = delta * delta;
        s.gamma = s.gamma * kappa * s.gamma * kappa;
        s.lambda = s.lambda_next = lambda;
        feed(second, s);
        RC_ASSERT(deviation(l.weights(), value.weights()) <= tolerance);
        RC_ASSERT(deviation(numbers_of(l.algorithm().m), second.weights()) <= tolerance);
    }
}
RC_GTEST_PROP(BesideValues, DifferentialTdWithoutAnAverageIsOffPolicyTd, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<DifferentialTd>(c, {.alpha = c.alpha, .eta = 0}),
                             learner<OffPolicyTd>(c, {.alpha = c.alpha})) <= tolerance);
}
// Σ_i e_i = z for one-hot features, hence r̄ moves with the sum of the weights.
RC_GTEST_PROP(BesideValues, AverageRewardMovesWithTheSumOfTheWeights, ()) {
    const Case c = any_case({.features = FeatureKind::one_hot});
    auto l = learner<DifferentialTd>(c, {.alpha = c.alpha, .eta = c.eta});
    for (const Sample& s : c.stream) {
        feed_as(FeatureKind::one_hot, l, s);
        double moved = 0;
        for (const double change : weights_of(l) - c.w_0) moved += change;
        RC_ASSERT(std::fabs(l.algorithm().average_reward - c.eta * moved) <= tolerance);
    }
}
RC_GTEST_PROP(BesideValues, AConstantAddedToAllRewardsGoesIntoTheAverage, ()) {
    const Case c = any_case();
    auto plain = learner<DifferentialTd>(c, {.alpha = c.alpha, .eta = c.eta}), shifted = plain;
    shifted.algorithm().average_reward = 3;
    for (Sample s : c.stream) {
        feed(plain, s);
        s.reward += 3;
        feed(shifted, s);
        RC_ASSERT(deviation(shifted.weights(), plain.weights()) <= tolerance);
        RC_ASSERT(std::fabs(shifted.algorithm().average_reward - plain.algorithm().average_reward - 3) <= tolerance);
    }
}

}  // namespace
}  // namespace bellwether::test
