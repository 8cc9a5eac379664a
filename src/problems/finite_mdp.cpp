#include "problems/finite_mdp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/error.hpp"

namespace bellwether {

bool is_one(double sum) {
    return std::abs(sum - 1) <= 1e-9;
}

namespace {

[[noreturn]] void refuse(const MdpDescription& d, const std::string& problem) {
    throw UsageError(fmt::format("{}: {}", d.name, problem));
}

void check_size(const MdpDescription& d, const char* what, std::size_t found, std::size_t wanted, const char* of_what) {
    if (found != wanted)
        refuse(d, fmt::format("{} has {} entries where there are {} {}", what, found, wanted, of_what));
}

// Finite and in [0, 1]. What it is, is put into words only where it is refused: a problem may have millions of them.
template <class... Parts>
void check_unit(const MdpDescription& d, double value, fmt::format_string<Parts...> what, Parts&&... parts) {
    if (!(value >= 0 && value <= 1))
        refuse(d,
               fmt::format("{} is {}: it must be in [0, 1]", fmt::format(what, std::forward<Parts>(parts)...), value));
}
template <class... Parts>
void check_sum(const MdpDescription& d, double sum, fmt::format_string<Parts...> what, Parts&&... parts) {
    if (!is_one(sum))
        refuse(d, fmt::format("{} sum to {}, not to 1", fmt::format(what, std::forward<Parts>(parts)...), sum));
}

void check_outcomes(const MdpDescription& d) {
    check_size(d, "the list of outcomes", d.outcomes.size(), d.states * d.actions, "pairs of state and action");
    for (std::size_t s = 0; s < d.states; ++s) {
        for (std::size_t a = 0; a < d.actions; ++a) {
            const std::string place = fmt::format("state {}, action {}", s, a);
            double sum = 0;
            for (const Outcome& o : d.outcomes[s * d.actions + a]) {
                if (o.next >= d.states)
                    refuse(d,
                           fmt::format("{}: leads to state {}, but the last one is {}", place, o.next, d.states - 1));
                check_unit(d, o.probability, "{}: the probability of state {}", place, o.next);
                check_unit(d, o.discount, "{}: the discount to state {}", place, o.next);
                if (!std::isfinite(o.reward))
                    refuse(d, fmt::format("{}: the reward to state {} is not finite", place, o.next));
                sum += o.probability;
            }
            check_sum(d, sum, "{}: the probabilities of the next states", place);
        }
    }
}

void check_later_rewards(const MdpDescription& d) {
    if (d.changes_after == 0 && d.later_rewards.empty()) return;
    check_size(d, "the list of later rewards", d.later_rewards.size(), d.outcomes.size(), "pairs of state and action");
    for (std::size_t k = 0; k < d.outcomes.size(); ++k) {
        const std::string place = fmt::format("state {}, action {}", k / d.actions, k % d.actions);
        check_size(d, (place + ": the list of later rewards").c_str(), d.later_rewards[k].size(), d.outcomes[k].size(),
                   "outcomes");
        for (const double reward : d.later_rewards[k])
            if (!std::isfinite(reward)) refuse(d, fmt::format("{}: a later reward is not finite", place));
    }
}

void check_policies(const MdpDescription& d) {
    for (const auto& [what, policy] : {std::pair{"target", &d.target}, {"behaviour", &d.behaviour}}) {
        check_size(d, fmt::format("the {} policy", what).c_str(), policy->size(), d.states * d.actions,
                   "pairs of state and action");
        for (std::size_t s = 0; s < d.states; ++s) {
            double sum = 0;
            for (std::size_t a = 0; a < d.actions; ++a) {
                check_unit(d, (*policy)[s * d.actions + a], "state {}, action {}: the {} policy", s, a, what);
                sum += (*policy)[s * d.actions + a];
            }
            check_sum(d, sum, "state {}: the {} policy's probabilities", s, what);
        }
    }
    for (std::size_t s = 0; s < d.states; ++s)
        for (std::size_t a = 0; a < d.actions; ++a)
            if (d.target[s * d.actions + a] > 0 && d.behaviour[s * d.actions + a] == 0)
                refuse(d, fmt::format(
                              "state {}, action {}: the target policy takes it and the behaviour policy never does", s,
                              a));
}

// What happens from other states is nobody's reward and ends nothing: it is made 0, and ρ is 1 there.
void confine_to_active(MdpDescription& d) {
    if (d.active.empty()) return;
    check_size(d, "the list of active states", d.active.size(), d.states, "states");
    if (std::find(d.active.begin(), d.active.end(), true) == d.active.end()) refuse(d, "no state is active");
    if (std::find(d.active.begin(), d.active.end(), false) == d.active.end()) {
        d.active.clear();
        return;
    }
    if (d.changes_after > 0) refuse(d, "rewards cannot change in mid-run where some states are not active");
    for (std::size_t k = 0; k < d.outcomes.size(); ++k) {
        const bool is_active = d.active[k / d.actions];
        if (!is_active) d.target[k] = d.behaviour[k];
        for (Outcome& o : d.outcomes[k]) {
            if (!is_active) {
                o.reward = o.discount = 0;
            } else if (!d.active[o.next] && o.discount != 0) {
                refuse(d, fmt::format("state {}, action {}: leads to state {}, which is not active, with discount {}: "
                                      "it must be 0",
                                      k / d.actions, k % d.actions, o.next, o.discount));
            }
        }
    }
}

}  // namespace

FiniteMdp::FiniteMdp(MdpDescription description) : d_(std::move(description)), has_lambda_(!d_.lambda.empty()) {
    if (d_.states == 0) refuse(d_, "there must be at least one state");
    if (d_.actions == 0) refuse(d_, "there must be at least one action");
    if (d_.dimension == 0) refuse(d_, "there must be at least one feature");
    check_outcomes(d_);
    check_later_rewards(d_);
    check_policies(d_);
    confine_to_active(d_);

    check_size(d_, "the feature matrix", d_.features.size(), d_.states * d_.dimension, "states times features");
    for (std::size_t i = 0; i < d_.features.size(); ++i)
        if (!std::isfinite(d_.features[i]))
            refuse(d_, fmt::format("state {}: feature {} is not finite", i / d_.dimension, i % d_.dimension));
    if (has_lambda_) check_size(d_, "lambda", d_.lambda.size(), d_.states, "states");
    for (std::size_t s = 0; s < d_.lambda.size(); ++s) check_unit(d_, d_.lambda[s], "state {}: lambda", s);
    if (d_.interest.empty()) d_.interest.assign(d_.states, 1);
    check_size(d_, "interest", d_.interest.size(), d_.states, "states");
    for (std::size_t s = 0; s < d_.states; ++s)
        if (!(d_.interest[s] >= 0) || !std::isfinite(d_.interest[s]))
            refuse(d_, fmt::format("state {}: interest is {}: it must be finite and at least 0", s, d_.interest[s]));
    if (!(d_.reward_noise >= 0) || !std::isfinite(d_.reward_noise))
        refuse(d_, fmt::format("the noise on rewards is {}: it must be finite and at least 0", d_.reward_noise));
    if (d_.initial_weights.empty()) d_.initial_weights.assign(d_.dimension, 0);
    check_size(d_, "the initial weights", d_.initial_weights.size(), d_.dimension, "features");
    for (std::size_t i = 0; i < d_.dimension; ++i)
        if (!std::isfinite(d_.initial_weights[i])) refuse(d_, fmt::format("initial weight {} is not finite", i));
    if (d_.start.empty()) d_.start.assign(d_.states, 1.0 / static_cast<double>(d_.states));
    check_size(d_, "the start distribution", d_.start.size(), d_.states, "states");
    double sum = 0;
    for (std::size_t s = 0; s < d_.states; ++s) {
        check_unit(d_, d_.start[s], "state {}: the start probability", s);
        sum += d_.start[s];
    }
    check_sum(d_, sum, "the start probabilities");

    for (std::size_t s = 0; s < d_.states; ++s) {
        std::size_t ones = 0, others = 0, where = 0;
        for (std::size_t i = 0; i < d_.dimension; ++i) {
            if (features(s)[i] == 1) {
                ++ones;
                where = i;
            } else if (features(s)[i] != 0) {
                ++others;
            }
        }
        if (ones != 1 || others != 0) {
            feature_index_.clear();
            break;
        }
        feature_index_.push_back(static_cast<std::uint32_t>(where));
    }
}

FiniteMdp FiniteMdp::after_change() const {
    MdpDescription later = d_;
    for (std::size_t k = 0; k < d_.later_rewards.size(); ++k)
        for (std::size_t o = 0; o < d_.later_rewards[k].size(); ++o)
            later.outcomes[k][o].reward = d_.later_rewards[k][o];
    later.changes_after = 0;
    later.later_rewards.clear();
    return FiniteMdp(std::move(later));
}

}  // namespace bellwether
