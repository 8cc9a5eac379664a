#include "problems/trajectory.hpp"

#include <algorithm>

#include "problems/exact.hpp"
#include "problems/return_statistics.hpp"

namespace bellwether {

namespace {

// The first k whose cumulative probability is above u.
std::size_t find(const double* cumulative, double u) {
    std::size_t k = 0;
    while (u >= cumulative[k]) ++k;
    return k;
}

}  // namespace

TransitionsAhead look_ahead(const Trajectory& run, std::size_t steps) {
    TransitionsAhead ahead;
    for (std::size_t t = 0; t < run.steps(); ++t) {
        double sum = 0, discount = 1;
        std::size_t k = t;
        for (const std::size_t end = std::min(run.steps(), t + steps); k < end && discount != 0; ++k) {
            sum += discount * run.reward[k];
            discount *= run.gamma[k];
        }
        ahead.reward.push_back(sum);
        ahead.gamma.push_back(discount);
        ahead.next.push_back(run.features[k]);
    }
    return ahead;
}

Evaluation outline_evaluation(const FiniteMdp& mdp) {
    Evaluation evaluation;
    evaluation.rows = mdp.states();
    evaluation.dimension = mdp.dimension();
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        const auto x = mdp.features(s);
        evaluation.features.insert(evaluation.features.end(), x.begin(), x.end());
        evaluation.interest.push_back(mdp.interest(s));
        if (mdp.has_lambda()) evaluation.lambda.push_back(mdp.lambda(s));
    }
    evaluation.feature_index.assign(mdp.feature_index().begin(), mdp.feature_index().end());
    evaluation.weight.assign(mdp.states(), 1);
    evaluation.representable = evaluation.truth = evaluation.weight;
    evaluation.initial_weights.assign(mdp.initial_weights().begin(), mdp.initial_weights().end());
    return evaluation;
}

Evaluation make_evaluation(const FiniteMdp& mdp, const Weighting& weighting, LearningTarget target) {
    // V*, the variance and d_μ do not depend on λ.
    const ExactSolution solution = solution_for(mdp, target, 0.0);
    Evaluation evaluation = outline_evaluation(mdp);
    const Eigen::VectorXd weight = solution.weights(weighting);
    evaluation.weight.assign(weight.begin(), weight.end());
    const Eigen::VectorXd representable = solution.X * solution.best_weights(weight);
    evaluation.representable.assign(representable.begin(), representable.end());
    evaluation.truth.assign(solution.v.begin(), solution.v.end());
    return evaluation;
}

// There is one closed class of states, or there is no d_μ: a run comes to it and to every transition in it, again and
// again.
double episode_rate(const FiniteMdp& mdp) {
    const Eigen::VectorXd d = stationary_distribution(mdp);
    double rate = 0;
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                if (o.discount == 0) rate += d(static_cast<Eigen::Index>(s)) * mdp.behaviour(s, a) * o.probability;
    return rate;
}

Sampler::Sampler(const FiniteMdp& mdp) : reward_noise_(mdp.reward_noise()) {
    double sum = 0;
    for (const double probability : mdp.start()) start_cumulative_.push_back(sum += probability);
    start_cumulative_.back() = 1;
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        first_.push_back(draws_.size());
        sum = 0;
        for (std::size_t a = 0; a < mdp.actions(); ++a) {
            for (const Outcome& o : mdp.outcomes(s, a)) {
                const double probability = mdp.behaviour(s, a) * o.probability;
                if (probability == 0) continue;
                cumulative_.push_back(sum += probability);
                draws_.push_back({.reward = o.reward,
                                  .gamma = o.discount,
                                  .rho = mdp.ratio(s, a),
                                  .pi = mdp.target(s, a),
                                  .mu = mdp.behaviour(s, a),
                                  .next = o.next});
            }
        }
        cumulative_.back() = 1;  // whatever rounding has left of the sum
        if (mdp.has_inactive()) active_.push_back(mdp.active(s));
    }
    changes_after_ = UINT64_MAX;
    if (mdp.changes_after() == 0) return;
    changes_after_ = mdp.changes_after();
    later_draws_ = Sampler(mdp.after_change()).draws_;
}

Sampler::Walk::Walk(const Sampler& sampler, std::uint64_t seed, std::uint32_t instance, std::uint32_t run)
    : sampler_(&sampler),
      draws_(sampler.draws_.data()),
      until_change_(sampler.changes_after_),
      random_(seed, instance, run, Purpose::trajectory),
      noise_(seed, instance, run, Purpose::noise),
      state_(static_cast<std::uint32_t>(find(sampler.start_cumulative_.data(), random_.uniform()))) {}

Sampler::Draw Sampler::Walk::step() {
    if (until_change_-- == 0) draws_ = sampler_->later_draws_.data();
    const std::size_t first = sampler_->first_[state_];
    Draw draw = draws_[first + find(sampler_->cumulative_.data() + first, random_.uniform())];
    if (sampler_->reward_noise_ > 0) draw.reward += sampler_->reward_noise_ * noise_.normal();
    state_ = draw.next;
    return draw;
}

void Sampler::sample(std::uint64_t seed, std::uint32_t instance, std::uint32_t run, std::size_t steps,
                     Trajectory& to) const {
    to.features.resize(steps + 1);
    for (auto* numbers : {&to.reward, &to.gamma, &to.rho, &to.pi, &to.mu}) numbers->resize(steps);
    Walk walk(*this, seed, instance, run);
    to.features[0] = walk.state();
    for (std::size_t t = 0; t < steps; ++t) {
        const Draw draw = walk.step();
        to.features[t + 1] = draw.next;
        to.reward[t] = draw.reward;
        to.gamma[t] = draw.gamma;
        to.rho[t] = draw.rho;
        to.pi[t] = draw.pi;
        to.mu[t] = draw.mu;
    }
}

void Sampler::sample_episodes(std::uint64_t seed, std::uint32_t instance, std::uint32_t run, std::size_t episodes,
                              Trajectory& to) const {
    to.features.clear();
    for (auto* numbers : {&to.reward, &to.gamma, &to.rho, &to.pi, &to.mu}) numbers->clear();
    Walk walk(*this, seed, instance, run);
    to.features.push_back(walk.state());
    while (episodes > 0) {
        const Draw& draw = walk.step();
        to.features.push_back(draw.next);
        to.reward.push_back(draw.reward);
        to.gamma.push_back(draw.gamma);
        to.rho.push_back(draw.rho);
        to.pi.push_back(draw.pi);
        to.mu.push_back(draw.mu);
        if (draw.gamma == 0) --episodes;
    }
}

}  // namespace bellwether
