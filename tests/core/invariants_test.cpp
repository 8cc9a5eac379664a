// What must hold between the algorithms at every step of any stream: random γ(s,s') with zeros and ones, λ(s), ρ with
// zeros, interest, weights to start from, and segments begun by start().
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "bellwether/registry.hpp"
#include "inner_state.hpp"
#include "learners_of_cases.hpp"
#include "oracle.hpp"

namespace bellwether::test {
namespace {

// A learner that starts at the case's w_0 and h_0.
template <template <class, class> class Algorithm>
Learner<Algorithm> learner_with_h(const Case& c, const typename Learner<Algorithm>::Parameters& parameters) {
    Learner<Algorithm> result = learner<Algorithm>(c, parameters);
    put(result.algorithm().h, c.h_0);
    return result;
}
template <class AnyLearner>
Vec h_of(const AnyLearner& l) {
    return numbers_of(l.algorithm().h);
}

// The largest deviation of a's w and h from b's over all steps.
template <class A, class B>
double deviation_of_w_and_h(const Case& c, A a, B b) {
    double worst = 0;
    for (const Sample& s : c.stream) {
        feed(a, s);
        feed(b, s);
        worst = std::max({worst, deviation(a.weights(), b.weights()), deviation(h_of(a), h_of(b))});
    }
    return worst;
}

// ---- on-policy

RC_GTEST_PROP(OnPolicy, HtdIsTdForAnyHAndEta, ()) {
    const Case c = any_case({.on_policy = true});
    RC_ASSERT(deviation_of_w(c, learner_with_h<Htd>(c, {.alpha = c.alpha, .eta = c.eta}),
                             learner<Td>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(OnPolicy, PtdIsTd, ()) {
    const Case c = any_case({.on_policy = true});
    RC_ASSERT(deviation_of_w(c, learner<Ptd>(c, {.alpha = c.alpha}), learner<Td>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(OnPolicy, VtraceIsTd, ()) {
    const Case c = any_case({.on_policy = true});
    RC_ASSERT(deviation_of_w(c, learner<Vtrace>(c, {.alpha = c.alpha}), learner<Td>(c, {.alpha = c.alpha})) <=
              tolerance);
}
RC_GTEST_PROP(OnPolicy, OffPolicyTdIsTd, ()) {
    const Case c = any_case({.on_policy = true});
    RC_ASSERT(deviation_of_w(c, learner<OffPolicyTd>(c, {.alpha = c.alpha}), learner<Td>(c, {.alpha = c.alpha})) <=
              tolerance);
}
// The paper says that it is not.
RC_GTEST_PROP(OnPolicy, TrueOnlineHtdIsTrueOnlineTdInW, ()) {
    const Case c = any_case({.on_policy = true});
    RC_ASSERT(deviation_of_w(c, learner_with_h<ToHtd>(c, {.alpha = c.alpha, .eta = c.eta}),
                             learner<ToTd>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(OnPolicy, TrueOnlineGtdWithoutHIsTrueOnlineTd, ()) {
    const Case c = any_case({.on_policy = true});
    RC_ASSERT(deviation_of_w(c, learner<ToGtd>(c, {.alpha = c.alpha, .eta = 0}),
                             learner<ToTd>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(OnPolicy, TrueOnlineEtdOfOneIsTrueOnlineTdOfOne, ()) {
    const Case c = any_case({.on_policy = true, .random_interest = false, .lambda = 1});
    RC_ASSERT(deviation_of_w(c, learner<ToEtd>(c, {.alpha = c.alpha}), learner<ToTd>(c, {.alpha = c.alpha})) <=
              tolerance);
}

// ---- gradient methods without their correction

RC_GTEST_PROP(OffPolicy, GtdWithoutHIsTd, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<Gtd>(c, {.alpha = c.alpha, .eta = 0}),
                             learner<OffPolicyTd>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(OffPolicy, HtdWithoutHIsTd, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<Htd>(c, {.alpha = c.alpha, .eta = 0}),
                             learner<OffPolicyTd>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(OffPolicy, GtdOfOneIsTdOfOneForAnyHAndEta, ()) {
    const Case c = any_case({.lambda = 1});
    RC_ASSERT(deviation_of_w(c, learner_with_h<Gtd>(c, {.alpha = c.alpha, .eta = c.eta}),
                             learner<OffPolicyTd>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(OffPolicy, TdrcWithoutRegularizationIsGtd, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w_and_h(c, learner_with_h<Tdrc>(c, {.alpha = c.alpha, .eta = c.eta, .regularization = 0}),
                                   learner_with_h<Gtd>(c, {.alpha = c.alpha, .eta = c.eta})) <= tolerance);
}

// ---- true-online methods at λ = 0

RC_GTEST_PROP(TrueOnline, GtdOfZeroIsGtdOfZero, ()) {
    const Case c = any_case({.lambda = 0});
    RC_ASSERT(deviation_of_w_and_h(c, learner_with_h<ToGtd>(c, {.alpha = c.alpha, .eta = c.eta}),
                                   learner_with_h<Gtd>(c, {.alpha = c.alpha, .eta = c.eta})) <= tolerance);
}
RC_GTEST_PROP(TrueOnline, HtdOfZeroIsHtdOfZeroForAnyEta, ()) {
    const Case c = any_case({.lambda = 0});
    RC_ASSERT(deviation_of_w_and_h(c, learner_with_h<ToHtd>(c, {.alpha = c.alpha, .eta = c.eta}),
                                   learner_with_h<Htd>(c, {.alpha = c.alpha, .eta = c.eta})) <= tolerance);
}
RC_GTEST_PROP(TrueOnline, EtdOfZeroIsEtdOfZero, ()) {
    const Case c = any_case({.lambda = 0});
    RC_ASSERT(deviation_of_w(c, learner<ToEtd>(c, {.alpha = c.alpha}), learner<Etd>(c, {.alpha = c.alpha})) <=
              tolerance);
}
RC_GTEST_PROP(TrueOnline, TdOfZeroIsTdOfZero, ()) {
    const Case c = any_case({.on_policy = true, .lambda = 0});
    RC_ASSERT(deviation_of_w(c, learner<ToTd>(c, {.alpha = c.alpha}), learner<Td0>(c, {.alpha = c.alpha})) <=
              tolerance);
}

// ---- emphatic methods

RC_GTEST_PROP(Emphatic, EtdOfOneIsTdOfOne, ()) {
    const Case c = any_case({.random_interest = false, .lambda = 1});
    RC_ASSERT(deviation_of_w(c, learner<Etd>(c, {.alpha = c.alpha}), learner<OffPolicyTd>(c, {.alpha = c.alpha})) <=
              tolerance);
}
RC_GTEST_PROP(Emphatic, EtdWithBetaZeroIsTd, ()) {
    const Case c = any_case({.random_interest = false});
    RC_ASSERT(deviation_of_w(c, learner<EtdBeta>(c, {.alpha = c.alpha, .beta_scale = 0}),
                             learner<OffPolicyTd>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(Emphatic, BetaScaleOneIsEtd, ()) {
    const Case c = any_case();
    RC_ASSERT(deviation_of_w(c, learner<EtdBeta>(c, {.alpha = c.alpha, .beta_scale = 1}),
                             learner<Etd>(c, {.alpha = c.alpha})) <= tolerance);
    RC_ASSERT(deviation_of_w(c, learner<ToEtdBeta>(c, {.alpha = c.alpha, .beta_scale = 1}),
                             learner<ToEtd>(c, {.alpha = c.alpha})) <= tolerance);
}
RC_GTEST_PROP(Emphatic, TrueOnlineEtdWithBetaZeroIsTrueOnlineGtdWithoutH, ()) {
    const Case c = any_case({.random_interest = false});
    RC_ASSERT(deviation_of_w(c, learner<ToEtdBeta>(c, {.alpha = c.alpha, .beta_scale = 0}),
                             learner<ToGtd>(c, {.alpha = c.alpha, .eta = 0})) <= tolerance);
}

// ---- methods that cut the trace

RC_GTEST_PROP(CutTraces, TreeBackupVtraceAndAbtdOfZeroAreTdOfZero, ()) {
    const Case c = any_case({.lambda = 0});
    const auto td0 = learner<Td0>(c, {.alpha = c.alpha});
    RC_ASSERT(deviation_of_w(c, learner<TreeBackup>(c, {.alpha = c.alpha}), td0) <= tolerance);
    RC_ASSERT(deviation_of_w(c, learner<Vtrace>(c, {.alpha = c.alpha}), td0) <= tolerance);
    RC_ASSERT(deviation_of_w(c, learner<Abtd>(c, {.alpha = c.alpha, .zeta = 0}), td0) <= tolerance);
}
// ν = 1/max(π, μ), hence νπ = min(1, ρ).
RC_GTEST_PROP(CutTraces, AbtdOfOneWithLargePsiIsVtraceOfOne, ()) {
    const Case c = any_case({.lambda = 1});
    RC_ASSERT(deviation_of_w(c, learner<Abtd>(c, {.alpha = c.alpha, .zeta = 1, .psi_max = 1e6}),
                             learner<Vtrace>(c, {.alpha = c.alpha})) <= tolerance);
}

// ---- mirror-prox

RC_GTEST_PROP(MirrorProx, Gtd2WithoutHLeavesWFixed, ()) {
    const Case c = any_case();
    auto gtd2_mp = learner<Gtd2Mp>(c, {.alpha = c.alpha, .eta = 0});
    for (const Sample& s : c.stream) {
        feed(gtd2_mp, s);
        RC_ASSERT(weights_of(gtd2_mp) == c.w_0);
    }
}
// Δw = αδ(1 − αe·u)e
RC_GTEST_PROP(MirrorProx, TdcWithoutHShortensTheStep, ()) {
    const Case c = any_case();
    auto tdc_mp = learner<TdcMp>(c, {.alpha = c.alpha, .eta = 0});
    for (const Sample& s : c.stream) {
        const Vec w = weights_of(tdc_mp);
        feed(tdc_mp, s);
        const Vec e = numbers_of(tdc_mp.algorithm().e), u = s.x - s.gamma * s.x_next;
        const double delta = s.reward - dot(w, u);
        RC_ASSERT(deviation(weights_of(tdc_mp), w + c.alpha * delta * (1 - c.alpha * dot(e, u)) * e) <= tolerance);
    }
}

// (w, h) after the last step of the stream, taken from (w_0, h_0) with the trace of all the steps before.
template <template <class, class> class Algorithm>
Vec last_step(const Case& c, double alpha) {
    auto l = learner<Algorithm>(c, {.alpha = alpha, .eta = c.eta});
    for (const Sample& s : c.stream) {
        l.set_weights(c.w_0);
        put(l.algorithm().h, c.h_0);
        renew_products(l.algorithm());
        feed(l, s);
    }
    Vec result = weights_of(l);
    const Vec h = h_of(l);
    result.insert(result.end(), h.begin(), h.end());
    return result;
}
// The difference is a multiple of α²: four times as large at α as at α/2. At α = 1 it is as large as the step itself.
template <template <class, class> class Prox, template <class, class> class Base>
void check_second_order(const Case& c) {
    const Vec at_alpha = last_step<Prox>(c, 1) - last_step<Base>(c, 1);
    const Vec at_half = last_step<Prox>(c, 0.5) - last_step<Base>(c, 0.5);
    // Relative to the (w, h) that were subtracted, whose rounding is what remains.
    RC_ASSERT(largest(at_alpha - 4 * at_half) <= tolerance * std::max(1.0, largest(last_step<Prox>(c, 1))));
}
RC_GTEST_PROP(MirrorProx, DiffersFromGtd2InSecondOrder, ()) {
    check_second_order<Gtd2Mp, Gtd2>(any_case());
}
RC_GTEST_PROP(MirrorProx, DiffersFromTdcInSecondOrder, ()) {
    check_second_order<TdcMp, Gtd>(any_case());
}
TEST(MirrorProx, DiffersFromItsBaseMethod) {
    const Case c = random_case(1, 20, {});
    EXPECT_GT(deviation(last_step<Gtd2Mp>(c, 1), last_step<Gtd2>(c, 1)), visible);
    EXPECT_GT(deviation(last_step<TdcMp>(c, 1), last_step<Gtd>(c, 1)), visible);
}

// ---- implicit steps

// w' = w + αe(R + g'w·x' + g l w·e⁻ − y·w'), with y = g l e⁻ + x: the error is seen from where the step leads.
RC_GTEST_PROP(Implicit, StepSolvesItsEquation, ()) {
    const Case c = any_case();
    auto l = learner<ImplicitTd>(c, {.alpha = c.alpha});
    double gamma = 0;
    for (const Sample& s : c.stream) {
        if (s.starts_segment) gamma = 0;
        const Vec w = weights_of(l), e_before = numbers_of(l.algorithm().e);
        const double decay = gamma * s.lambda;
        feed(l, s);
        const Vec w_after = weights_of(l), e = numbers_of(l.algorithm().e);
        const double error =
            s.reward + s.gamma * dot(w, s.x_next) + decay * dot(w, e_before) - dot(decay * e_before + s.x, w_after);
        RC_ASSERT(deviation(w_after, w + c.alpha * error * e) <= tolerance);
        gamma = s.gamma;
    }
}
// x·x = 1: the step is α/(1 + α) of the way.
RC_GTEST_PROP(Implicit, OfZeroIsTdOfZeroWithASmallerStep, ()) {
    const Case c = any_case({.features = FeatureKind::one_hot, .on_policy = true, .lambda = 0});
    RC_ASSERT(deviation_of_w(c, learner<ImplicitTd>(c, {.alpha = c.alpha}),
                             learner<Td0>(c, {.alpha = c.alpha / (1 + c.alpha)})) <= tolerance);
}
// Δw = sδe with s = α/(1 + αρ y·y), and ρ²y·y = e·e: so that sρ⁻¹e·e < 1 however large α is.
RC_GTEST_PROP(Implicit, NoStepIsLongerThanTheTraceAllows, ()) {
    const Case c = any_case();
    auto l = learner<ImplicitTd>(c, {.alpha = 1e6});
    for (const Sample& s : c.stream) {
        const Vec w = weights_of(l);
        feed(l, s);
        const Vec w_after = weights_of(l), e = numbers_of(l.algorithm().e);
        const double delta = s.reward + s.gamma * dot(w, s.x_next) - dot(w, s.x);
        const double rounding = tolerance * std::max({1.0, largest(w), largest(w_after)}) * std::max(1.0, largest(e));
        RC_ASSERT(std::fabs(dot(w_after - w, e)) <= s.rho * std::fabs(delta) + rounding);
    }
}

// ---- the end of an episode

// Any parameters that suit every algorithm.
template <template <class, class> class Algorithm>
typename Learner<Algorithm>::Parameters parameters_for(const Case& c) {
    typename Learner<Algorithm>::Parameters p;
    if constexpr (requires { p.alpha; }) p.alpha = c.alpha;
    if constexpr (requires { p.eta; }) p.eta = c.eta;
    // LSTD's A must stay far from singular, or its rounding errors, not its traces, would be compared.
    if constexpr (requires { p.epsilon; }) p.epsilon = 30;
    return p;
}

// Deviation between leaving a transition with γ = 0 alone and calling start() after it.
template <template <class, class> class Algorithm>
double leak(const Case& c) {
    Case with_starts = c;
    for (std::size_t t = 1; t < c.stream.size(); ++t) with_starts.stream[t].starts_segment = c.stream[t - 1].gamma == 0;
    auto left_alone = learner<Algorithm>(c, parameters_for<Algorithm>(c)), started = left_alone;
    double worst = 0;
    for (std::size_t t = 0; t < c.stream.size(); ++t) {
        feed(left_alone, c.stream[t]);
        feed(started, with_starts.stream[t]);
        worst = std::max(worst, deviation(left_alone.weights(), started.weights()));
    }
    return worst;
}
RC_GTEST_PROP(Termination, GammaZeroIsAStartForEveryAlgorithm, ()) {
    const Case c = any_case({.segments = false});
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        const auto id = info_of<Algorithm>.id;
        if (id == info_of<PtdAsPrinted>.id) return;  // see below
        if (const double worst = leak<Algorithm>(c); !(worst <= tolerance))
            RC_FAIL(std::string(id) + " leaks " + std::to_string(worst));
    });
}
// γ_t λ_t in place of γ_{t+1} λ_{t+1}: h of the old episode moves w in the new one.
TEST(Errata, PrintedPtdLeaksAcrossTerminations) {
    const Case c = random_case(1, 80, {.segments = false});
    EXPECT_GT(leak<PtdAsPrinted>(c), visible);
    EXPECT_LE(leak<Ptd>(c), tolerance);
}

// ---- one scalar in place of a second weight vector

// D = w_t·x_t − v is (w_t − w_{t−1})·x_t.
template <template <class, class> class Algorithm>
void check_scalar_difference(const Case& c) {
    auto l = learner<Algorithm>(c, parameters_for<Algorithm>(c));
    Oracle oracle(info_of<Algorithm>.id, {.alpha = c.alpha, .eta = c.eta}, c.w_0);
    for (std::size_t t = 0; t < c.stream.size(); ++t) {
        const Sample& s = c.stream[t];
        // At the start of a segment there is no w_{t−1}, and the factor of D is zero.
        if (t > 0 && !s.starts_segment) {
            const double by_scalar = dot(weights_of(l), s.x) - l.algorithm().v;
            const double by_vector = dot(oracle.w - oracle.w_prev, s.x);
            RC_ASSERT(std::fabs(by_scalar - by_vector) <= tolerance * std::max(1.0, largest(oracle.w)));
        }
        feed(l, s);
        oracle.step(s);
        RC_ASSERT(deviation(l.weights(), oracle.w) <= tolerance);
        if constexpr (requires { l.algorithm().h; }) RC_ASSERT(deviation(h_of(l), oracle.h) <= tolerance);
    }
}
RC_GTEST_PROP(TrueOnline, AScalarStandsForThePreviousWeights, ()) {
    const Case c = any_case();
    check_scalar_difference<ToTd>(c);
    check_scalar_difference<ToGtd>(c);
    check_scalar_difference<ToHtd>(c);
    check_scalar_difference<ToEtd>(c);
    check_scalar_difference<ToEtdBeta>(c);
}
template <template <class, class> class Algorithm>
double effect_of_first_v(const Case& c) {
    auto l = learner<Algorithm>(c, parameters_for<Algorithm>(c)), other = l;
    other.algorithm().v = 5;
    return deviation_of_w(c, l, other);
}
RC_GTEST_PROP(TrueOnline, TheStartValueOfVCannotMatter, ()) {
    const Case c = any_case();
    RC_ASSERT(effect_of_first_v<ToTd>(c) <= tolerance);
    RC_ASSERT(effect_of_first_v<ToGtd>(c) <= tolerance);
    RC_ASSERT(effect_of_first_v<ToHtd>(c) <= tolerance);
    RC_ASSERT(effect_of_first_v<ToEtd>(c) <= tolerance);
    RC_ASSERT(effect_of_first_v<ToEtdBeta>(c) <= tolerance);
}

// ---- true-online HTD, as the paper writes it

// The paper's alternative, with its sign of w_{t−1}·x corrected:
//     δ = R + g'w_t·x' − w_{t−1}·x,  d = δe° + αρ(w_{t−1}·x − w_t·x)x
struct AlternativeToHtd {
    double alpha, eta;
    Vec w, h, w_prev = w;
    Vec e = Vec(w.size()), e_mu = e, e_online = e;
    double gamma = 0;

    void step(const Sample& s) {
        if (s.starts_segment) e = e_mu = e_online = Vec(w.size()), w_prev = w, gamma = 0;
        const double gl = gamma * s.lambda;
        e = s.rho * (gl * e + s.x);
        e_mu = gl * e_mu + s.x;
        e_online = s.rho * (gl * e_online + alpha * (1 - s.rho * gl * dot(s.x, e_online)) * s.x);
        const double delta = s.reward + s.gamma * dot(w, s.x_next) - dot(w_prev, s.x);
        const Vec d = delta * e_online + alpha * s.rho * (dot(w_prev, s.x) - dot(w, s.x)) * s.x;
        const Vec u = s.x - s.gamma * s.x_next;
        const Vec dw = d + alpha * dot(e - e_mu, h) * u;
        const Vec dh = eta * d - eta * alpha * dot(e_mu, h) * u;
        w_prev = w;
        w += dw;
        h += dh;
        gamma = s.gamma;
    }
};
RC_GTEST_PROP(TrueOnline, ThePapersAlternativeHtdIsTheSameAlgorithm, ()) {
    const Case c = any_case();
    AlternativeToHtd alternative{.alpha = c.alpha, .eta = c.eta, .w = c.w_0, .h = c.h_0};
    auto to_htd = learner_with_h<ToHtd>(c, {.alpha = c.alpha, .eta = c.eta});
    for (const Sample& s : c.stream) {
        alternative.step(s);
        feed(to_htd, s);
        RC_ASSERT(deviation(to_htd.weights(), alternative.w) <= tolerance);
        RC_ASSERT(deviation(h_of(to_htd), alternative.h) <= tolerance);
    }
}
// d in place of ηd in h.
TEST(Errata, PrintedTrueOnlineHtdOfZeroIsNotHtdOfZero) {
    const Case c = random_case(1, 80, {.lambda = 0});
    const auto deviation_at = [&](double eta) {
        return deviation_of_w_and_h(c, learner_with_h<ToHtdAsPrinted>(c, {.alpha = c.alpha, .eta = eta}),
                                    learner_with_h<Htd>(c, {.alpha = c.alpha, .eta = eta}));
    };
    EXPECT_GT(deviation_at(0.5), visible);
    EXPECT_GT(deviation_at(2), visible);
    EXPECT_LE(deviation_at(1), tolerance);
}

// ---- What is settled or computed anew in mid-stream is what it was

// Rules for step sizes set weights after every step: all of them come to rest first, and what is carried of them is
// computed anew.
struct BringToRest {
    void kept(const char*, Vector<double>&) const {}
    void kept(const char*, MovingVector<double>& v) const { settle(v); }
    template <std::size_t n>
    void kept(const char*, NumberedTrace<double, n>& v) const {
        settle_now(v);
        EXPECT_EQ(v.scale, 1);
    }
    template <class State>
    void kept(const char*, State&) const {}
    template <class State>
    void cleared(const char*, State&) const {}
};
template <template <class, class> class Algorithm>
void expect_rest_changes_nothing(const typename Learner<Algorithm>::Parameters& parameters, FeatureKind features) {
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const Case c = random_case(seed, 60, {.dimension = 11, .features = features});
        auto plain = learner<Algorithm>(c, parameters), rested = plain;
        for (const Sample& s : c.stream) {
            feed_as(features, plain, s);
            feed_as(features, rested, s);
            rested.algorithm().visit(BringToRest{});
            rested.algorithm().renew_products();
            EXPECT_LE(deviation(weights_of(rested), weights_of(plain)), tolerance);
            EXPECT_LE(deviation(h_of(rested), h_of(plain)), tolerance);
        }
    }
}
TEST(Weights, MayComeToRestAfterEveryStep) {
    for (const FeatureKind features : {FeatureKind::dense, FeatureKind::sparse, FeatureKind::one_hot}) {
        expect_rest_changes_nothing<Gtd>({.alpha = 0.05, .eta = 1, .lambda = 0.8}, features);
        expect_rest_changes_nothing<Gtd2>({.alpha = 0.05, .eta = 1, .lambda = 0.8}, features);
        expect_rest_changes_nothing<Htd>({.alpha = 0.05, .eta = 1, .lambda = 0.8}, features);
        expect_rest_changes_nothing<Tdrc>({.alpha = 0.05, .eta = 1, .lambda = 0.8}, features);
    }
}

}  // namespace
}  // namespace bellwether::test
