// The random MDPs of White & White (2016), "Investigating Practical Linear Temporal Difference Learning", with every
// number a parameter, and those of Dann et al. (2014), Mahmood & Sutton (2015) and van Seijen et al. (2016), which draw
// some of them in other ways. docs/random-numbers.md says which random number is used for what.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>

#include "problems/domains/description.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::size_t most_outcomes = 10'000'000;
constexpr std::size_t successors_of_outline = 4;

[[noreturn]] void refuse(const std::string& problem) {
    throw UsageError("random-mdp: " + problem);
}

void check_sizes(const DomainRequest& request) {
    const std::size_t states = request.count("states"), successors = request.count("successors");
    if (successors > states) refuse(fmt::format("successors = {} is more than states = {}", successors, states));
    if (request.features == "aliased" && request.count("aliased-states") > states)
        refuse(fmt::format("aliased-states = {} is more than states = {}", request.count("aliased-states"), states));
    if (states * request.count("actions") * successors > most_outcomes)
        refuse(fmt::format("states times actions times successors is more than {}", most_outcomes));
}

// Probabilities of so many successors: normalised uniform numbers in (0, 1], so that each of them can happen.
std::vector<double> draw_normalised(RandomStream& random, std::size_t count) {
    std::vector<double> shares(count);
    double sum = 0;
    for (double& share : shares) sum += share = 1 - random.uniform();
    for (double& share : shares) share /= sum;
    return shares;
}

// The lengths of the pieces that uniform cuts of [0, 1] leave, one cut fewer than there are pieces.
std::vector<double> draw_pieces(RandomStream& random, std::size_t count) {
    std::vector<double> pieces(count);
    for (std::size_t k = 0; k + 1 < count; ++k) pieces[k] = random.uniform();
    pieces.back() = 1;
    std::sort(pieces.begin(), pieces.end());
    for (std::size_t k = count - 1; k > 0; --k) pieces[k] -= pieces[k - 1];
    return pieces;
}

// For each (s, a): different successors, in the order of their numbers.
void draw_transitions(MdpDescription& d, const DomainRequest& request) {
    // The paper has two discounts: 0.9, and 0.99 for binary features.
    const double gamma = request.features == "binary" && !request.is_given("gamma") ? 0.99 : request.value("gamma");
    RandomStream random(request.seed, request.instance, 0, Purpose::transitions);
    const std::size_t count =
        std::min(request.count("successors"), request.is_outline ? successors_of_outline : d.states);
    for (std::vector<Outcome>& outcomes : d.outcomes) {
        std::vector<std::uint32_t> successors = draw_distinct(random, d.states, count);
        std::sort(successors.begin(), successors.end());
        const std::vector<double> probabilities = request.value("cuts") == 1
                                                      ? draw_pieces(random, successors.size())
                                                      : draw_normalised(random, successors.size());
        for (std::size_t k = 0; k < successors.size(); ++k)
            outcomes.push_back({successors[k], probabilities[k], 0, gamma});
    }
}

// The rewards of the first draw, or of the second one, which come later.
void draw_rewards(MdpDescription& d, const DomainRequest& request, std::uint32_t draw) {
    RandomStream random(request.seed, request.instance, draw, Purpose::rewards);
    const auto drawn = [&] { return request.value("normal-rewards") == 1 ? random.normal() : random.uniform(); };
    if (request.value("arrival-rewards") == 0) {
        for (std::vector<Outcome>& outcomes : d.outcomes)
            for (Outcome& o : outcomes) o.reward = drawn();
        return;
    }
    std::vector<double> rewards(d.actions * d.states);  // action by action
    for (double& reward : rewards) reward = drawn();
    for (std::size_t s = 0; s < d.states; ++s)
        for (std::size_t a = 0; a < d.actions; ++a)
            for (Outcome& o : outcomes_of(d, s, a)) o.reward = rewards[a * d.states + o.next];
}

// Some of the pairs (s, s'), s ≠ s', that some action makes possible get γ(s, s') = 0, whatever the action.
void draw_terminations(MdpDescription& d, const DomainRequest& request) {
    if (request.count("terminations") == 0) return;  // the pairs of 400 states take longer than all else
    std::vector<std::pair<std::size_t, std::uint32_t>> feasible;
    for (std::size_t s = 0; s < d.states; ++s)
        for (std::size_t a = 0; a < d.actions; ++a)
            for (const Outcome& o : outcomes_of(d, s, a))
                if (o.next != s) feasible.emplace_back(s, o.next);
    std::sort(feasible.begin(), feasible.end());
    feasible.erase(std::unique(feasible.begin(), feasible.end()), feasible.end());
    std::size_t terminations = request.count("terminations");
    if (request.is_outline) terminations = std::min(terminations, feasible.size());
    if (terminations > feasible.size())
        refuse(fmt::format("terminations = {}, but only {} transitions lead to another state", terminations,
                           feasible.size()));
    RandomStream random(request.seed, request.instance, 0, Purpose::terminations);
    for (std::size_t k = 0; k < terminations; ++k) {
        const auto chosen = feasible.begin() + static_cast<std::ptrdiff_t>(random.below(feasible.size()));
        for (std::size_t a = 0; a < d.actions; ++a)
            for (Outcome& o : outcomes_of(d, chosen->first, a))
                if (o.next == chosen->second) o.discount = 0;
        feasible.erase(chosen);
    }
}

// Some states end an episode when they are entered, and the next one starts there.
void draw_terminal_states(MdpDescription& d, const DomainRequest& request) {
    const std::size_t count = request.count("terminal-states");
    if (count > d.states) refuse(fmt::format("terminal-states = {} is more than states = {}", count, d.states));
    RandomStream random(request.seed, request.instance, 1, Purpose::terminations);
    for (const std::uint32_t state : draw_distinct(random, d.states, count))
        for (std::vector<Outcome>& outcomes : d.outcomes)
            for (Outcome& o : outcomes)
                if (o.next == state) o.discount = 0;
}

// Whatever has discount 0 leads to every state alike: the next step starts anywhere.
void teleport_at_terminations(MdpDescription& d) {
    const auto states = static_cast<double>(d.states);
    for (std::vector<Outcome>& outcomes : d.outcomes) {
        std::vector<Outcome> all;
        for (const Outcome& o : outcomes) {
            if (o.discount != 0) {
                all.push_back(o);
                continue;
            }
            for (std::uint32_t next = 0; next < d.states; ++next)
                all.push_back({next, o.probability / states, o.reward, 0});
        }
        outcomes = std::move(all);
    }
}

// Both policies prefer the same base action of a state, each with its own probability; or probabilities are drawn.
void draw_policies(MdpDescription& d, const DomainRequest& request) {
    RandomStream random(request.seed, request.instance, 0, Purpose::policies);
    std::vector<std::size_t> base(d.states);
    for (std::size_t& action : base) action = random.below(d.actions);
    const auto policy = [&](double of_base) {
        if (d.actions == 1) of_base = 1;
        const double of_others = (1 - of_base) / static_cast<double>(std::max<std::size_t>(d.actions - 1, 1));
        return [&base, of_base, of_others](std::size_t s, std::size_t a) { return a == base[s] ? of_base : of_others; };
    };
    using Policy = std::function<double(std::size_t state, std::size_t action)>;
    const auto policy_of = [&](bool is_drawn, std::uint32_t draw, std::string_view probability) -> Policy {
        if (!is_drawn) return policy(request.value(probability));
        RandomStream of_policy(request.seed, request.instance, draw, Purpose::policies);
        std::vector<std::vector<double>> drawn(d.states);
        for (std::vector<double>& probabilities : drawn) probabilities = draw_normalised(of_policy, d.actions);
        return [drawn](std::size_t s, std::size_t a) { return drawn[s][a]; };
    };
    set_policies(d, request, policy_of(request.value("drawn-target") == 1, 2, "target-probability"),
                 policy_of(request.value("drawn-behaviour") == 1, 1, "behaviour-probability"));
}

// Tabular, but some states share one feature. Features are numbered in the order of the first state that has them.
void draw_aliased_features(MdpDescription& d, const DomainRequest& request) {
    RandomStream random(request.seed, request.instance, 0, Purpose::features);
    std::vector<bool> aliased(d.states);
    for (const std::uint32_t s : draw_distinct(random, d.states, request.count("aliased-states"))) aliased[s] = true;
    const std::size_t none = d.states;
    std::size_t features = 0, shared = none;
    std::vector<std::size_t> feature_of(d.states);
    for (std::size_t s = 0; s < d.states; ++s) {
        if (aliased[s] && shared != none) {
            feature_of[s] = shared;
            continue;
        }
        if (aliased[s]) shared = features;
        feature_of[s] = features++;
    }
    set_features(d, features, [&](std::size_t s, std::size_t i) { return i == feature_of[s] ? 1.0 : 0.0; });
}

// The code of s + 1 in binary digits, the most significant first: s itself would give state 0 the zero vector.
void set_binary_features(MdpDescription& d, const DomainRequest& request) {
    const auto digits = static_cast<std::size_t>(std::bit_width(d.states));
    set_features(d, digits,
                 [&](std::size_t s, std::size_t i) { return static_cast<double>((s + 1) >> (digits - 1 - i) & 1u); });
    normalise_by_default(d, request);
}

void draw_normal_features(MdpDescription& d, const DomainRequest& request) {
    RandomStream random(request.seed, request.instance, 0, Purpose::features);
    set_features(d, request.count("dimension"), [&](std::size_t, std::size_t) { return random.normal(); });
    normalise_by_default(d, request);
}

// Uniform numbers, and a last one that is 1 in every state.
void draw_uniform_features(MdpDescription& d, const DomainRequest& request) {
    RandomStream random(request.seed, request.instance, 0, Purpose::features);
    const std::size_t dimension = request.count("dimension");
    set_features(d, dimension, [&](std::size_t, std::size_t i) { return i + 1 < dimension ? random.uniform() : 1.0; });
}

MdpDescription describe(const DomainRequest& request, std::uint32_t draw_of_rewards) {
    MdpDescription d = blank_description(request, request.count("states"), request.count("actions"));
    draw_transitions(d, request);
    draw_rewards(d, request, draw_of_rewards);
    draw_terminations(d, request);
    draw_terminal_states(d, request);
    if (request.value("teleport") == 1) teleport_at_terminations(d);
    draw_policies(d, request);
    if (request.features == "tabular") {
        set_tabular_features(d);
    } else if (request.features == "aliased") {
        draw_aliased_features(d, request);
    } else if (request.features == "binary") {
        set_binary_features(d, request);
    } else if (request.features == "uniform") {
        draw_uniform_features(d, request);
    } else {
        draw_normal_features(d, request);
    }
    if (const std::size_t start = request.count("start"); start > d.states)
        refuse(fmt::format("start = {} is more than states = {}", start, d.states));
    else if (start > 0)
        start_in(d, start - 1);
    d.reward_noise = request.value("reward-noise");
    return d;
}

MdpDescription make(const DomainRequest& request) {
    check_sizes(request);
    MdpDescription d = describe(request, 0);
    d.changes_after = request.count("redraw-after");
    if (d.changes_after == 0) return d;
    for (const std::vector<Outcome>& outcomes : describe(request, 1).outcomes) {
        std::vector<double>& rewards = d.later_rewards.emplace_back();
        for (const Outcome& o : outcomes) rewards.push_back(o.reward);
    }
    return d;
}

constexpr bool whole = true, is_addition = true;
constexpr DomainParameter parameters[]{
    {{"states", {2, 10'000}, "number of states", 30}, whole},
    {{"actions", {1, 100}, "number of actions", 3}, whole},
    {{"successors", {1, 10'000}, "different next states of each state and action", 4}, whole},
    {{"terminations", {0, 10'000}, "transitions from one state to another that have discount 0", 2}, whole},
    {{"gamma", {0, 1}, "discount γ of the other transitions; with binary features 0.99 unless given", 0.9}},
    {{"target-probability", {0, 1}, "target policy's probability of a state's base action", 0.9}},
    {{"behaviour-probability", {0, 1}, "behaviour policy's probability of the same action, off-policy", 0.8}},
    {{"aliased-states", {1, 10'000}, "states that share one feature, with aliased features", 5}, whole},
    {{"teleport", {0, 1}, "1: the step after a discount of 0 starts from any state alike", 0}, whole, is_addition},
    {{"redraw-after", {0, 1e9}, "steps of a run after which all rewards are drawn anew; 0: never", 0},
     whole,
     is_addition},
    {{"cuts", {0, 1}, "1: probabilities are the pieces that uniform cuts of [0, 1] leave", 0}, whole, is_addition},
    {{"normal-rewards", {0, 1}, "1: rewards are normal numbers of mean 0 and variance 1", 0}, whole, is_addition},
    {{"reward-noise", {0, 1e9}, "standard deviation of the noise on the reward of every step", 0}, false, is_addition},
    {{"terminal-states", {0, 10'000}, "states that have discount 0 on being entered", 0}, whole, is_addition},
    {{"drawn-behaviour", {0, 1}, "1: the behaviour policy is drawn, off-policy", 0}, whole, is_addition},
    {{"start", {0, 10'000}, "the state that a run starts in, counted from 1; 0: any", 0}, whole, is_addition},
    {{"dimension", {1, 10'000}, "number of normal or uniform features", 5}, whole, is_addition},
    {{"drawn-target", {0, 1}, "1: the target policy is drawn", 0}, whole, is_addition},
    {{"arrival-rewards", {0, 1}, "1: rewards depend on the action and the next state alone", 0}, whole, is_addition},
};
constexpr std::string_view features[]{"tabular", "aliased", "binary", "normal", "uniform"};

}  // namespace

const DomainInfo builtin::random_mdp{
    .id = "random-mdp",
    .summary = "random MDPs: 30 states, 3 actions, 4 successors each, with tabular, aliased or binary features",
    .source = "White & White (2016)",
    .parameters = parameters,
    .features = features,
    .has_instances = true,
    .make = make,
};

}  // namespace bellwether
