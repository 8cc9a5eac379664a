// Random streams with segments, as users bring them, and the same by learners one by one.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "engine/backend.hpp"
#include "stream.hpp"
#include "stream/stream_view.hpp"

namespace bellwether::test {

// Equal to the bit, or both not a number: which of the NaNs it is, is nobody's business.
inline bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}
inline std::size_t differences(const std::vector<double>& a, const std::vector<double>& b) {
    std::size_t count = a.size() == b.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += !same(a[i], b[i]);
    return count;
}

// Rows of features in the form that the kernels take.
class Rows {
public:
    Rows(FeatureKind feature_kind, std::size_t row_dimension) : kind_(feature_kind), dimension_(row_dimension) {}

    void add(const Vec& x) {
        dense_.insert(dense_.end(), x.begin(), x.end());
        const SparseVector entries(x);
        indices_.insert(indices_.end(), entries.indices.begin(), entries.indices.end());
        values_.insert(values_.end(), entries.values.begin(), entries.values.end());
        first_.push_back(static_cast<std::uint32_t>(indices_.size()));
    }
    LaneFeatures view() const {
        switch (kind_) {
            case FeatureKind::dense:
                return {LaneFeatures::Kind::dense, dimension_, nullptr, nullptr, dense_.data()};
            case FeatureKind::sparse:
                return {LaneFeatures::Kind::sparse, dimension_, first_.data(), indices_.data(), values_.data()};
            case FeatureKind::one_hot:
                break;
        }
        return {LaneFeatures::Kind::one_hot, dimension_, nullptr, indices_.data(), nullptr};
    }

private:
    FeatureKind kind_;
    std::size_t dimension_;
    std::vector<std::uint32_t> first_{0}, indices_;
    std::vector<double> dense_, values_;
};

// A case's stream in columns. Learner k of several has signals of its own where they are asked for.
struct Columns {
    Columns(const Case& c, FeatureKind feature_kind, std::size_t learner_count = 1)
        : kind(feature_kind), learners(learner_count), x(kind, c.dimension), x_next(kind, c.dimension) {
        for (const Sample& s : c.stream) {
            x.add(s.x);
            x_next.add(s.x_next);
            for (std::size_t k = 0; k < learners; ++k) {
                reward.push_back(own_reward(s, k));
                gamma.push_back(own_gamma(s, k));
                rho.push_back(own_rho(s, k));
                pi.push_back(own_pi(s, k));
            }
            mu.push_back(s.mu);
            lambda.push_back(s.lambda);
            lambda_next.push_back(s.lambda_next);
            interest.push_back(s.interest);
            marks.push_back(s.starts_segment ? begins_segment : 0);
        }
    }

    // Learner 0 has the stream's.
    static double own_reward(const Sample& s, std::size_t k) { return s.reward * (1 + static_cast<double>(k) / 8); }
    static double own_gamma(const Sample& s, std::size_t k) { return s.gamma * (1 - static_cast<double>(k) / 128); }
    static double own_rho(const Sample& s, std::size_t k) {
        return s.rho == 1 ? 1 : s.rho / static_cast<double>(1 + k % 3);
    }
    static double own_pi(const Sample& s, std::size_t k) {
        return s.rho == 1 ? s.pi : s.pi / static_cast<double>(1 + k % 3);
    }

    StreamView view(bool with_states) const {
        StreamView stream{.steps = mu.size(),
                          .x = x.view(),
                          .x_next = x_next.view(),
                          .reward = {reward.data(), learners, learners > 1},
                          .gamma = {gamma.data(), learners, learners > 1},
                          .rho = {rho.data(), learners, learners > 1},
                          .pi = {pi.data(), learners, learners > 1},
                          .mu = {mu.data(), 1, false},
                          .has_policies = true,
                          .marks = marks.data()};
        if (with_states) {
            stream.lambda = lambda.data();
            stream.lambda_next = lambda_next.data();
            stream.interest = interest.data();
        }
        return stream;
    }

    FeatureKind kind;
    std::size_t learners;
    Rows x, x_next;
    std::vector<double> reward, gamma, rho, pi, mu, lambda, lambda_next, interest;
    std::vector<std::uint8_t> marks;
};

// ---- the same by a learner

inline std::unique_ptr<Learner> scalar_learner(const AlgorithmInfo& info, const std::vector<double>& parameters,
                                               std::size_t dimension) {
    return instruction_sets().back()->make_learner(info, dimension, parameters, std::nullopt);
}

inline double predict(const Learner& learner, FeatureKind kind, const Vec& x) {
    const SparseVector entries(x);
    switch (kind) {
        case FeatureKind::dense:
            return learner.predict(Dense<double>{x});
        case FeatureKind::sparse:
            return learner.predict(entries.view());
        case FeatureKind::one_hot:
            break;
    }
    return learner.predict(OneHot{entries.indices[0]});
}

// One step with the signals of learner k; returns the prediction before it.
inline double step(Learner& learner, const Sample& s, FeatureKind kind, bool with_states, std::size_t k = 0) {
    if (s.starts_segment) learner.start();
    const double prediction = predict(learner, kind, s.x);
    const auto feed_transition = [&]<class Features>(Features x, Features x_next) {
        Transition<Features> t = transition<Features>(s, x, x_next);
        t.reward = Columns::own_reward(s, k);
        t.gamma = Columns::own_gamma(s, k);
        t.rho = Columns::own_rho(s, k);
        t.pi = Columns::own_pi(s, k);
        if (!with_states) {
            t.lambda = t.lambda_next = std::nullopt;
            t.interest = 1;
        }
        learner.step(t);
    };
    const SparseVector x(s.x), x_next(s.x_next);
    if (kind == FeatureKind::dense) feed_transition(Dense<double>{s.x}, Dense<double>{s.x_next});
    if (kind == FeatureKind::sparse) feed_transition(x.view(), x_next.view());
    if (kind == FeatureKind::one_hot) feed_transition(OneHot{x.indices[0]}, OneHot{x_next.indices[0]});
    return prediction;
}

}  // namespace bellwether::test
