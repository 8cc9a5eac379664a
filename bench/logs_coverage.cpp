// How often the intervals of `bellwether evaluate` have the truth in them, by verdict: logs of problems whose answers
// are known exactly. Prints tables in Markdown: bellwether_logs_coverage PROBLEMS.json [LOGS]
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "logs/evaluation.hpp"

namespace bench {
namespace {

using namespace bellwether;
using Json = nlohmann::json;

struct Outcome {
    std::size_t next;
    double probability, reward, gamma;
};

struct Problem {
    std::string name;
    double noise, truth;
    std::vector<double> start;
    std::vector<std::vector<double>> features, target, behaviour;
    std::vector<std::vector<std::vector<Outcome>>> outcomes;  // by state and action

    explicit Problem(const Json& json)
        : name(json["name"]),
          noise(json["reward_noise_sd"]),
          truth(json["truth"]),
          start(json["start"]),
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

Log sample(const Problem& problem, std::size_t episodes, std::uint64_t seed) {
    Random random(seed);
    Log log;
    log.name = problem.name;
    log.dimension = problem.features[0].size();
    log.actions = problem.target[0].size();
    for (std::size_t i = 0; i < episodes; ++i) {
        std::size_t state = random.place(problem.start);
        Segment segment{log.rows(), 0, true};
        for (double gamma = 1; gamma != 0;) {
            const std::size_t action = random.place(problem.behaviour[state]);
            const std::vector<Outcome>& all = problem.outcomes[state][action];
            const Outcome& outcome = all[random.place(all, [](const Outcome& o) { return o.probability; })];
            log.features.insert(log.features.end(), problem.features[state].begin(), problem.features[state].end());
            log.target.insert(log.target.end(), problem.target[state].begin(), problem.target[state].end());
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

struct Count {
    std::size_t logs = 0, covered = 0;

    std::string text() const {
        if (logs == 0) return "–";
        return fmt::format("{:.3f} of {}", static_cast<double>(covered) / static_cast<double>(logs), logs);
    }
};

// Whether the truth is within the interval, which is at least 1e-6 of the spread to either side.
bool covers(const PolicyEvaluation& evaluation, double truth) {
    const PolicyEstimate& answer = evaluation.answer_estimate();
    return std::abs(truth - answer.value) <= std::max(answer.half_width(), 1e-6 * evaluation.spread);
}

int run(const std::string& path, std::size_t logs) {
    const Json json = Json::parse(std::ifstream(path));
    std::map<std::string, Count> pooled;
    fmt::print("| problem | episodes | supported | depends on the features | cannot tell |\n|---|--:|--:|--:|--:|\n");
    for (const Json& each : json["problems"]) {
        const Json& measured = each["measured"];
        if (std::find(measured.begin(), measured.end(), "coverage") == measured.end()) continue;
        const Problem problem(each);
        for (const std::size_t episodes : {50, 200}) {
            std::map<std::string, Count> counts;
            for (std::size_t k = 0; k < logs; ++k) {
                const PolicyEvaluation found = evaluate(sample(problem, episodes, 1000 * episodes + k), {});
                const bool told = answers(found.verdict);
                const std::string verdict = told ? std::string(name_of(found.verdict)) : "cannot tell";
                for (std::map<std::string, Count>* to : {&counts, &pooled}) {
                    (*to)[verdict].logs += 1;
                    (*to)[verdict].covered += covers(found, problem.truth) ? 1 : 0;
                }
            }
            fmt::print("| {} | {} | {} | {} | {} |\n", problem.name, episodes, counts["supported"].text(),
                       counts["depends on the features"].text(), counts["cannot tell"].logs);
            std::fflush(stdout);
        }
    }
    fmt::print("| all | | {} | {} | {} |\n", pooled["supported"].text(), pooled["depends on the features"].text(),
               pooled["cannot tell"].logs);
    return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: bellwether_logs_coverage PROBLEMS.json [LOGS]\n");
        return 2;
    }
    return bench::run(argv[1], argc > 2 ? static_cast<std::size_t>(std::strtoul(argv[2], nullptr, 10)) : 150);
}
