// Requests of every kind to a backend, with random numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "bellwether/registry.hpp"
#include "engine/backend.hpp"

namespace bellwether::test {

struct RequestShape {
    LaneFeatures::Kind features = LaneFeatures::Kind::one_hot;
    std::size_t dimension = 11;
    bool states_have_lambda = false, states_have_interest = false;
    bool keeps_curves = false;
    std::size_t changes_after = 0;  // steps; then other errors hold
    bool measures_some = false;     // errors are measured after some steps only
    bool learns_in_some = false;    // nothing is learned in some states, and time passes
    bool several_scores = false;    // errors count from different steps on
    bool looks_ahead = false;       // transitions lead to rows of their own
    bool truth_changes = false;     // with every step that is measured; errors have the same terms then
};

inline std::string name_of(LaneFeatures::Kind kind) {
    return kind == LaneFeatures::Kind::one_hot ? "one-hot" : kind == LaneFeatures::Kind::sparse ? "sparse" : "dense";
}

// A request with an error of every kind, and where its results go. Its configurations have step sizes that let some of
// them overflow, and λ from 0 to 1; they are more than one block of threads and no multiple of it.
class RandomRequest {
public:
    RandomRequest(std::size_t algorithm, const RequestShape& shape, std::uint64_t seed)
        : shape_(shape), random_(seed), algorithm_(algorithm) {
        make_features();
        make_parameters();
        make_trajectories();
        make_errors();
        if (shape.truth_changes) make_truths();
        initial_ = numbers(shape.dimension, -1, 1);
    }
    RandomRequest(const RandomRequest&) = delete;
    RandomRequest& operator=(const RandomRequest&) = delete;

    struct Results {
        std::vector<double> scores, curves;
    };
    Results run(const Backend& backend) const {
        Results results;
        const std::size_t of_run = errors_.size() * configurations;
        results.scores.resize(trajectories_.size() * of_run);
        std::size_t curves = 0;
        for (const LaneTrajectory& t : trajectories_) curves += of_run * (measurements_of(t) + 1);
        results.curves.resize(shape_.keeps_curves ? curves : 0);
        const LaneRequest request{.block = {algorithm_, configurations, parameters_.data()},
                                  .features = features_,
                                  .states = {shape_.states_have_lambda ? lambda_.data() : nullptr,
                                             shape_.states_have_interest ? interest_.data() : nullptr},
                                  .initial_weights = initial_.data(),
                                  .trajectories = trajectories_.data(),
                                  .trajectory_count = trajectories_.size(),
                                  .errors = errors_.data(),
                                  .error_count = errors_.size(),
                                  .scored_steps = 60,
                                  .scores = results.scores.data(),
                                  .curves = shape_.keeps_curves ? results.curves.data() : nullptr,
                                  .changes_after = shape_.changes_after,
                                  .later_errors = shape_.changes_after > 0 ? later_errors_.data() : nullptr,
                                  .scored_steps_of = shape_.several_scores ? scored_steps_of_.data() : nullptr};
        backend.run({&request, 1});
        return results;
    }

private:
    static constexpr std::size_t configurations = 70, rows = 17, systems = 3;

    struct Data {
        std::vector<std::uint32_t> rows, rows_next;
        std::vector<double> reward, gamma, rho, pi, mu;
        std::vector<std::uint8_t> measured, marks;
        std::vector<double> offsets;
    };

    double number(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random_); }
    std::vector<double> numbers(std::size_t count, double from, double to) {
        std::vector<double> all(count);
        for (double& x : all) x = number(from, to);
        return all;
    }
    std::uint32_t below(std::size_t end) {
        return std::uniform_int_distribution<std::uint32_t>(0, static_cast<std::uint32_t>(end - 1))(random_);
    }

    void make_features() {
        const std::size_t d = shape_.dimension;
        features_ = {.kind = shape_.features, .dimension = d, .first = nullptr, .indices = nullptr, .values = nullptr};
        if (shape_.features == LaneFeatures::Kind::one_hot) {
            for (std::size_t row = 0; row < rows; ++row) indices_.push_back(below(d));
        } else if (shape_.features == LaneFeatures::Kind::sparse) {
            for (std::size_t row = 0; row < rows; ++row) {
                first_.push_back(static_cast<std::uint32_t>(indices_.size()));
                for (std::uint32_t i = below(3); i < d; i += 1 + below(5)) indices_.push_back(i);
            }
            first_.push_back(static_cast<std::uint32_t>(indices_.size()));
            values_ = numbers(indices_.size(), -1, 1);
        } else {
            values_ = numbers(rows * d, -1, 1);
        }
        features_.first = first_.data();
        features_.indices = indices_.data();
        features_.values = values_.data();
        lambda_ = numbers(rows, 0, 1);
        interest_ = numbers(rows, 0, 2);
    }

    void make_parameters() {
        for (const ParameterInfo& p : algorithm_table[algorithm_].parameters)
            for (std::size_t c = 0; c < configurations; ++c)
                parameters_.push_back(p.name == "alpha"    ? (c % 10 == 9 ? 1e60 : 0.001 * static_cast<double>(1 + c))
                                      : p.name == "lambda" ? std::vector{0.0, 0.5, 0.9, 1.0}[c % 4]
                                                           : number(0.1, 0.9));
    }

    void make_trajectories() {
        data_.resize(3);
        const std::size_t lengths[] = {150, 90, 151};
        for (std::size_t r = 0; r < 3; ++r) {
            Data& data = data_[r];
            for (std::size_t t = 0; t <= lengths[r]; ++t) data.rows.push_back(below(rows));
            data.reward = numbers(lengths[r], -1, 1);
            data.gamma = numbers(lengths[r], 0.5, 1);
            for (double& gamma : data.gamma)
                if (below(20) == 0) gamma = 0;
            data.pi = numbers(lengths[r], 0.05, 1);
            data.mu = numbers(lengths[r], 0.2, 1);
            for (std::size_t t = 0; t < lengths[r]; ++t) data.rho.push_back(data.pi[t] / data.mu[t]);
            LaneTrajectory trajectory{.steps = lengths[r],
                                      .rows = data.rows.data(),
                                      .reward = data.reward.data(),
                                      .gamma = data.gamma.data(),
                                      .rho = data.rho.data(),
                                      .pi = data.pi.data(),
                                      .mu = data.mu.data()};
            make_events(data, trajectory);
            trajectories_.push_back(trajectory);
        }
    }
    void make_truths() {
        for (std::size_t r = 0; r < trajectories_.size(); ++r) {
            data_[r].offsets = numbers(measurements_of(trajectories_[r]) * of_nodes_.size(), -1, 1);
            trajectories_[r].offsets = data_[r].offsets.data();
        }
    }

    // The last steps of a trajectory are not measured, and longer stretches of it are idle.
    void make_events(Data& data, LaneTrajectory& trajectory) {
        if (shape_.measures_some) {
            for (std::size_t t = 0; t < trajectory.steps; ++t)
                data.measured.push_back(t + 5 < trajectory.steps && below(3) == 0);
            trajectory.measured = data.measured.data();
        }
        if (shape_.learns_in_some) {
            std::size_t idle = 4;
            for (std::size_t t = 0; t < trajectory.steps; ++t) {
                if (idle == 0 && below(9) == 0) idle = 1 + below(12);
                data.marks.push_back(idle > 0 ? is_idle : 0);
                if (idle > 0) --idle;
            }
            trajectory.marks = data.marks.data();
        }
        if (shape_.looks_ahead) {
            for (std::size_t t = 0; t < trajectory.steps; ++t) data.rows_next.push_back(below(rows));
            trajectory.rows_next = data.rows_next.data();
        }
    }

    // Of the weights, of sums of them, of all sets of a few, and projected; absolute and squared, with a root and
    // without.
    void make_errors() {
        const std::size_t d = shape_.dimension;
        for (std::size_t k = 0; k < 13; ++k) of_weights_.push_back({below(d), number(-1, 1), number(-1, 1)});
        for (std::uint32_t n = 0; n < 9; ++n)
            nodes_.push_back(
                {n % 3 == 0 ? LaneError::none : static_cast<std::uint32_t>(below(d + n)), below(d), number(-1, 1)});
        for (std::size_t k = 0; k < 10; ++k)
            of_nodes_.push_back({below(d + nodes_.size()), number(-1, 1), number(-1, 1)});
        errors_.push_back({.kind = LaneError::Kind::absolute,
                           .root = false,
                           .terms = of_weights_.data(),
                           .term_count = of_weights_.size()});
        errors_.push_back({.kind = LaneError::Kind::squared,
                           .root = true,
                           .terms = of_weights_.data(),
                           .term_count = of_weights_.size()});
        errors_.push_back({.kind = LaneError::Kind::absolute,
                           .root = false,
                           .nodes = nodes_.data(),
                           .node_count = nodes_.size(),
                           .terms = of_nodes_.data(),
                           .term_count = of_nodes_.size()});
        errors_.push_back({.kind = LaneError::Kind::squared,
                           .root = true,
                           .nodes = nodes_.data(),
                           .node_count = nodes_.size(),
                           .terms = of_nodes_.data(),
                           .term_count = of_nodes_.size()});
        if (shape_.truth_changes) {
            errors_.erase(errors_.begin(), errors_.begin() + 2);
            scored_steps_of_ = {60, 20};
            return;
        }
        if (d <= LaneError::most_subset_features) {
            for (std::size_t set = 0; set < std::size_t{1} << d; ++set)
                subsets_.push_back({number(-1, 1), number(-1, 1)});
            errors_.back().subsets = subsets_.data();
        }
        systems_ = numbers(systems * 4 * (d + 1), -1, 1);
        for (std::size_t c = 0; c < configurations; ++c) system_of_.push_back(static_cast<std::uint32_t>(c % systems));
        errors_.push_back({.kind = LaneError::Kind::projected,
                           .root = true,
                           .rank = 4,
                           .systems = systems_.data(),
                           .system_of = system_of_.data()});
        // Later, errors of weights have other coefficients, and those of nodes each other's roots.
        for (LaneError::Term term : of_weights_) later_of_weights_.push_back({term.node, term.b, term.a});
        later_errors_ = errors_;
        for (LaneError& error : later_errors_)
            if (error.terms == of_weights_.data()) error.terms = later_of_weights_.data();
        std::swap(later_errors_[2].root, later_errors_[3].root);
        scored_steps_of_ = {60, 20, 1, 60, 200};
    }

    RequestShape shape_;
    std::mt19937_64 random_;
    std::size_t algorithm_;
    LaneFeatures features_{};
    std::vector<std::uint32_t> first_, indices_;
    std::vector<double> values_, lambda_, interest_, parameters_, initial_;
    std::vector<Data> data_;
    std::vector<LaneTrajectory> trajectories_;
    std::vector<LaneError::Term> of_weights_, of_nodes_, later_of_weights_;
    std::vector<LaneError::Node> nodes_;
    std::vector<LaneError::Affine> subsets_;
    std::vector<double> systems_;
    std::vector<std::uint32_t> system_of_;
    std::vector<LaneError> errors_, later_errors_;
    std::vector<std::size_t> scored_steps_of_;
};

}  // namespace bellwether::test
