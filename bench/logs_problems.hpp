// The problems that the studies of logs sample from, exactly as their file has them.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "logs/log.hpp"

namespace bench {

using bellwether::Log;
using bellwether::Segment;
using Json = nlohmann::json;

struct Outcome {
    std::size_t next;
    double probability, reward, gamma;
};

struct Problem {
    std::string name;
    std::vector<std::string> measured;  // which studies it is part of
    double noise, truth;
    std::vector<double> start, values;
    std::vector<std::vector<double>> features, target, behaviour;
    std::vector<std::vector<std::vector<Outcome>>> outcomes;  // by state and action

    bool is_part_of(const std::string& study) const {
        return std::find(measured.begin(), measured.end(), study) != measured.end();
    }

    explicit Problem(const Json& json)
        : name(json["name"]),
          measured(json["measured"]),
          noise(json["reward_noise_sd"]),
          truth(json["truth"]),
          start(json["start"]),
          values(json["values"]),
          features(json["features"]),
          target(json["target"]),
          behaviour(json["behaviour"]),
          outcomes(target.size(), std::vector<std::vector<Outcome>>(target[0].size())) {
        for (const Json& t : json["transitions"])
            outcomes[t[0].get<std::size_t>()][t[1].get<std::size_t>()].push_back({t[2], t[3], t[4], t[5]});
    }
};

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double normal() {  // Box and Muller
        return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * 3.14159265358979323846 * uniform());
    }
    // The place in a list of probabilities.
    template <class Item, class Probability>
    std::size_t place(const std::vector<Item>& items, Probability probability) {
        double left = uniform();
        for (std::size_t k = 0; k + 1 < items.size(); ++k)
            if ((left -= probability(items[k])) < 0) return k;
        return items.size() - 1;
    }
    std::size_t place(const std::vector<double>& probabilities) {
        return place(probabilities, [](double p) { return p; });
    }

private:
    std::mt19937_64 engine_;
};

// `states`: null, or where the state of each step goes.
inline Log sample(const Problem& problem, std::size_t episodes, std::uint64_t seed,
                  std::vector<std::size_t>* states = nullptr) {
    Random random(seed);
    Log log;
    log.name = problem.name;
    log.dimension = problem.features[0].size();
    log.actions = problem.target[0].size();
    for (std::size_t i = 0; i < episodes; ++i) {
        std::size_t state = random.place(problem.start);
        Segment segment{log.rows(), 0, true};
        for (double gamma = 1; gamma != 0;) {
            if (states) states->push_back(state);
            const std::size_t action = random.place(problem.behaviour[state]);
            const std::vector<Outcome>& all = problem.outcomes[state][action];
            const Outcome& outcome = all[random.place(all, [](const Outcome& o) { return o.probability; })];
            log.features.append(problem.features[state]);
            log.target.append(problem.target[state]);
            log.action.push_back(static_cast<std::uint32_t>(action));
            log.mu.push_back(problem.behaviour[state][action]);
            log.pi.push_back(problem.target[state][action]);
            log.rho.push_back(log.pi.back() / log.mu.back());
            log.reward.push_back(outcome.reward + problem.noise * random.normal());
            log.gamma.push_back(gamma = outcome.gamma);
            state = outcome.next;
            ++segment.steps;
        }
        log.segments.push_back(segment);
    }
    return log;
}

// A problem that never ends: what would end it does not happen, and features tell every state. `truth`: the average of
// v_π over the states as the behaviour visits them.
inline Problem continuing(Problem problem) {
    const std::size_t states = problem.target.size(), actions = problem.target[0].size();
    const auto leads_on = [](const Outcome& outcome) { return outcome.gamma != 0; };
    for (auto& by_action : problem.outcomes)
        for (std::vector<Outcome>& outcomes : by_action) {
            std::erase_if(outcomes, [&](const Outcome& outcome) { return !leads_on(outcome); });
            double left = 0;
            for (const Outcome& outcome : outcomes) left += outcome.probability;
            for (Outcome& outcome : outcomes) outcome.probability /= left;
        }
    for (std::size_t state = 0; state < states; ++state) {
        problem.features[state].assign(states, 0);
        problem.features[state][state] = 1;
    }
    std::vector<double> values(states), visits(states, 1.0 / static_cast<double>(states));
    for (int sweep = 0; sweep < 2000; ++sweep) {  // both converge like 0.9^k or faster
        std::vector<double> next_values(states), next_visits(states);
        for (std::size_t s = 0; s < states; ++s)
            for (std::size_t a = 0; a < actions; ++a)
                for (const Outcome& o : problem.outcomes[s][a]) {
                    next_values[s] += problem.target[s][a] * o.probability * (o.reward + o.gamma * values[o.next]);
                    next_visits[o.next] += visits[s] * problem.behaviour[s][a] * o.probability;
                }
        values = next_values;
        visits = next_visits;
    }
    problem.values = values;
    problem.truth = 0;
    for (std::size_t s = 0; s < states; ++s) problem.truth += visits[s] * values[s];
    return problem;
}

// One segment of so many steps that was cut off.
inline Log sample_continuing(const Problem& problem, std::size_t steps, std::uint64_t seed) {
    Random random(seed);
    Log log;
    log.name = problem.name;
    log.dimension = problem.features[0].size();
    log.actions = problem.target[0].size();
    std::size_t state = random.place(problem.start);
    for (std::size_t t = 0; t <= steps; ++t) {
        const bool closes = t == steps;
        const std::size_t action = random.place(problem.behaviour[state]);
        const std::vector<Outcome>& all = problem.outcomes[state][action];
        const Outcome& outcome = all[random.place(all, [](const Outcome& o) { return o.probability; })];
        const double pi = problem.target[state][action], mu = problem.behaviour[state][action];
        log.features.append(problem.features[state]);
        log.target.append(problem.target[state]);
        log.action.push_back(static_cast<std::uint32_t>(closes ? 0 : action));
        log.mu.push_back(closes ? 0 : mu);
        log.pi.push_back(closes ? 0 : pi);
        log.rho.push_back(closes ? 0 : pi / mu);
        log.reward.push_back(closes ? 0 : outcome.reward + problem.noise * random.normal());
        log.gamma.push_back(closes ? 0 : outcome.gamma);
        state = outcome.next;
    }
    log.segments = {{0, steps, false}};
    return log;
}

inline std::vector<Problem> problems_of(const std::string& path) {
    std::vector<Problem> problems;
    const Json json = Json::parse(std::ifstream(path));
    for (const Json& each : json["problems"]) problems.emplace_back(each);
    return problems;
}

}  // namespace bench
