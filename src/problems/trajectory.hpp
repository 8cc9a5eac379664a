// The seam between problems and learners: what happened (Trajectory) and what counts as right (Evaluation). A domain, a
// logged file or a continuous task only has to produce these two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problems/finite_mdp.hpp"
#include "problems/learning_target.hpp"
#include "problems/weighting.hpp"
#include "support/random.hpp"

namespace bellwether {

// A run of N steps: feature ids of S_0 … S_N, and of every step its reward, discount, importance ratio and the two
// policies' probabilities of the action taken.
struct Trajectory {
    std::vector<std::uint32_t> features;  // N + 1 rows of Evaluation::features
    std::vector<double> reward;           // R_{t+1}, N of them, as of everything below
    std::vector<double> gamma;            // γ_{t+1}
    std::vector<double> rho;
    std::vector<double> pi;
    std::vector<double> mu;

    std::size_t steps() const { return reward.size(); }
};

// Transitions over several steps: of step t the discounted rewards of steps t … t + n − 1, as far as the episode and
// the run go, the product of their discounts, and the state that they lead to. TD(0) on these is n-step TD: it makes
// the same updates in the same order, each n − 1 steps earlier than a learner could, so that its weights are those of
// n-step TD where an episode ends.
struct TransitionsAhead {
    std::vector<double> reward, gamma;
    std::vector<std::uint32_t> next;  // row of Evaluation::features
};
TransitionsAhead look_ahead(const Trajectory& run, std::size_t steps);

// What an error is measured on: rows of features with the weight and the true value of each.
struct Evaluation {
    std::size_t rows = 0;
    std::size_t dimension = 0;
    std::vector<double> features;              // rows × dimension
    std::vector<std::uint32_t> feature_index;  // where every row is one-hot: where its 1 is; else empty
    std::vector<double> weight;                // what the state counts in an error: d(s), where nothing else is said
    std::vector<double> truth;                 // V*(s), or the variance of the return where that is learned
    std::vector<double> representable;         // (ΠV*)(s): the best values that the features can represent
    std::vector<double> lambda;                // λ(s) where the problem has its own; else empty
    std::vector<double> interest;              // I(s)
    std::vector<double> initial_weights;       // w_0
};

// All but the weights and what is true, which are 1: as large as the problem's, and not solved.
Evaluation outline_evaluation(const FiniteMdp& mdp);
Evaluation make_evaluation(const FiniteMdp& mdp, const Weighting& weighting = Weighting::stationary,
                           LearningTarget target = LearningTarget::value);

// How many episodes a step of the behaviour policy ends, on average over a long run: the probability, under d_μ, of a
// discount of 0. It is 0 where a run may go on for ever without one.
double episode_rate(const FiniteMdp& mdp);

// Draws trajectories of an MDP under its behaviour policy. Trajectory (seed, instance, run) is the same whenever,
// wherever and in whatever order it is drawn, and its first n steps do not depend on how many follow.
// docs/random-numbers.md says how, to the bit.
class Sampler {
public:
    explicit Sampler(const FiniteMdp& mdp);

    // An action with what came of it, drawn as one.
    struct Draw {
        double reward, gamma, rho, pi, mu;
        std::uint32_t next;
    };

    // Whether something is learned from a step out of this state.
    bool is_active(std::uint32_t state) const { return active_.empty() || active_[state]; }

    // A run that is drawn step by step.
    class Walk {
    public:
        Walk(const Sampler& sampler, std::uint64_t seed, std::uint32_t instance, std::uint32_t run);

        std::uint32_t state() const { return state_; }
        Draw step();

    private:
        const Sampler* sampler_;
        const Draw* draws_;  // of the sampler, as they are now
        std::uint64_t until_change_;
        RandomStream random_, noise_;
        std::uint32_t state_;
    };

    // The number of steps that a run has random numbers for.
    static constexpr std::uint64_t longest_run = (std::uint64_t{1} << 33) - 1;

    // A whole run; reuses the trajectory's memory.
    void sample(std::uint64_t seed, std::uint32_t instance, std::uint32_t run, std::size_t steps, Trajectory& to) const;
    // The same run until so many episodes have ended: until so many discounts were 0. The problem must have an
    // episode_rate().
    void sample_episodes(std::uint64_t seed, std::uint32_t instance, std::uint32_t run, std::size_t episodes,
                         Trajectory& to) const;

private:
    std::vector<double> start_cumulative_;
    std::vector<std::size_t> first_;  // of each state's draws in the lists below
    std::vector<double>
        cumulative_;  // probability of a state's draws up to and including this one; the last is 1 or more
    std::vector<Draw> draws_;
    std::vector<bool> active_;       // by state; empty: all
    double reward_noise_;            // its standard deviation
    std::uint64_t changes_after_;    // steps after which draws are the later ones; more than any run has: never
    std::vector<Draw> later_draws_;  // empty where there is no change
};

}  // namespace bellwether
