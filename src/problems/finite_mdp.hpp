// A finite Markov decision process with two policies and features: everything an experiment or an exact solution needs.
// There is no terminal state: the transition that ends an episode has discount 0 and leads to the start distribution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bellwether {

// One way that an action can turn out.
struct Outcome {
    std::uint32_t next;
    double probability;
    double reward;
    double discount;

    bool operator==(const Outcome&) const = default;
};

// What a FiniteMdp is made of, before it is checked. States and actions count from 0.
struct MdpDescription {
    std::string name;
    std::size_t states = 0;
    std::size_t actions = 0;
    std::vector<std::vector<Outcome>> outcomes;  // of (state, action) at state · actions + action
    std::vector<double> target;                  // π(a|s) at state · actions + action
    std::vector<double> behaviour;               // μ(a|s), likewise
    std::size_t dimension = 0;
    std::vector<double> features;         // x(s), row by row: states × dimension
    std::vector<double> lambda;           // λ(s); empty: the algorithm's parameter everywhere
    std::vector<double> interest;         // I(s); empty: 1
    std::vector<double> initial_weights;  // w_0; empty: 0
    std::vector<double> start;            // distribution of the first state; empty: uniform
    // The states that the problem is about; empty: all. From the others nothing is learned and no error is measured;
    // a transition that leads out of the active states has discount 0, so that entering them starts an episode.
    std::vector<bool> active;
    double reward_noise = 0;  // standard deviation of a normal number that is added to the reward of every step
    // Rewards may change in mid-run: after so many steps (0: never) those of `outcomes`, in their order, become these.
    std::size_t changes_after = 0;
    std::vector<std::vector<double>> later_rewards;

    bool operator==(const MdpDescription&) const = default;
};

// Whether probabilities sum to one. They are given in decimals: a third is 0.333333333333.
bool is_one(double sum);

class FiniteMdp {
public:
    // Checks everything and fills in what is empty; UsageError names the state and action where something is wrong.
    explicit FiniteMdp(MdpDescription description);

    bool operator==(const FiniteMdp&) const = default;

    const std::string& name() const { return d_.name; }
    std::size_t states() const { return d_.states; }
    std::size_t actions() const { return d_.actions; }
    std::size_t dimension() const { return d_.dimension; }

    std::span<const Outcome> outcomes(std::size_t state, std::size_t action) const {
        return d_.outcomes[state * d_.actions + action];
    }
    double target(std::size_t state, std::size_t action) const { return d_.target[state * d_.actions + action]; }
    double behaviour(std::size_t state, std::size_t action) const { return d_.behaviour[state * d_.actions + action]; }
    // ρ = π/μ of an action that μ takes.
    double ratio(std::size_t state, std::size_t action) const {
        return target(state, action) / behaviour(state, action);
    }
    std::span<const double> features(std::size_t state) const {
        return std::span(d_.features).subspan(state * d_.dimension, d_.dimension);
    }
    bool has_lambda() const { return has_lambda_; }
    double lambda(std::size_t state) const { return d_.lambda[state]; }  // only where has_lambda()
    double interest(std::size_t state) const { return d_.interest[state]; }
    std::span<const double> initial_weights() const { return d_.initial_weights; }
    std::span<const double> start() const { return d_.start; }

    double reward_noise() const { return d_.reward_noise; }

    // Whether some state is not active.
    bool has_inactive() const { return !d_.active.empty(); }
    bool active(std::size_t state) const { return d_.active.empty() || d_.active[state]; }

    // Whether every feature vector is a single 1; then feature_index() says where.
    bool one_hot() const { return !feature_index_.empty(); }
    std::span<const std::uint32_t> feature_index() const { return feature_index_; }

    // Where rewards change in mid-run: after how many steps (0: they do not), and the problem as it is from then on.
    std::size_t changes_after() const { return d_.changes_after; }
    FiniteMdp after_change() const;

    // Whether π = μ.
    bool on_policy() const { return d_.target == d_.behaviour; }

private:
    MdpDescription d_;
    bool has_lambda_ = false;
    std::vector<std::uint32_t> feature_index_;
};

}  // namespace bellwether
