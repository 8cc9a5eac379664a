// How often the intervals of `bellwether evaluate` have the truth in them, by verdict: logs of problems whose answers
// are known exactly. Prints tables in Markdown: bellwether_logs_coverage PROBLEMS.json [LOGS]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "logs/evaluation.hpp"
#include "logs/online_estimates.hpp"
#include "logs_problems.hpp"
#include "support/algorithms.hpp"

namespace bench {
namespace {

using namespace bellwether;
struct Count {
    std::size_t logs = 0, covered = 0;

    std::string text() const {
        if (logs == 0) return "–";
        return fmt::format("{:.3f} of {}", static_cast<double>(covered) / static_cast<double>(logs), logs);
    }
};

// Whether the truth is within the interval, which is at least 1e-6 of the spread to either side.
bool covers(const PolicyEstimate& estimate, double truth, double spread) {
    return std::abs(truth - estimate.value) <= std::max(estimate.half_width(), 1e-6 * spread);
}

using Counts = std::map<std::string, Count>;

// Logs of one problem and size, made by their number.
void measure(const std::string& name, const std::string& size, double truth, std::size_t logs,
             const std::function<Log(std::size_t)>& make, Counts& pooled) {
    Counts counts;
    for (std::size_t k = 0; k < logs; ++k) {
        const PolicyEvaluation found = evaluate(make(k), {});
        const bool told = answers(found.verdict);
        const std::string verdict = told ? std::string(name_of(found.verdict)) : "cannot tell";
        for (Counts* to : {&counts, &pooled}) {
            (*to)[verdict].logs += 1;
            (*to)[verdict].covered += covers(found.answer_estimate(), truth, found.spread) ? 1 : 0;
        }
    }
    fmt::print("| {} | {} | {} | {} | {} |\n", name, size, counts["supported"].text(),
               counts["depends on the features"].text(), counts["cannot tell"].logs);
    std::fflush(stdout);
}

void print_pooled(Counts& pooled) {
    fmt::print("| all | | {} | {} | {} |\n", pooled["supported"].text(), pooled["depends on the features"].text(),
               pooled["cannot tell"].logs);
}

// ---- with the values of an online learner, as where there are too many features for least squares

double largest_square(const Problem& problem) {
    double largest = 0;
    for (const std::vector<double>& x : problem.features) {
        double square = 0;
        for (const double number : x) square += number * number;
        largest = std::max(largest, square);
    }
    return largest;
}

// TDRC(0.9) with η = 1 and α = 1/(8 max‖x‖²). The verdict is that of least squares.
void measure_online(const Problem& problem, std::size_t episodes, std::size_t logs, Counts& pooled) {
    const AlgorithmInfo& tdrc = algorithm_named("tdrc");
    const std::vector<NamedValue> parameters{{"alpha", 0.125 / largest_square(problem)}, {"eta", 1}, {"lambda", 0.9}};
    const OnlineLearner learner{&tdrc, check_parameters(tdrc, parameters).value()};
    Counts counts;
    for (std::size_t k = 0; k < logs; ++k) {
        Log log = sample(problem, episodes, 1000 * episodes + k);
        const PolicyEvaluation evaluated = evaluate(log, {});
        set_ratios(log, {}, {});
        const OnlineEstimates found = online_estimates(log, products_of(log), learner, {.from = Starts::From::segments},
                                                       evaluated.horizon, evaluated.check_horizon, 0.95, 1);
        const std::string verdict =
            answers(evaluated.verdict) ? std::string(name_of(evaluated.verdict)) : "cannot tell";
        for (Counts* to : {&counts, &pooled}) {
            (*to)[verdict].logs += 1;
            (*to)[verdict].covered += covers(found.answer, problem.truth, evaluated.spread) ? 1 : 0;
            (*to)["online"].logs += 1;
            (*to)["online"].covered += covers(found.values.estimate, problem.truth, evaluated.spread) ? 1 : 0;
        }
    }
    fmt::print("| {} | {} | {} | {} | {} |\n", problem.name, episodes, counts["supported"].text(),
               counts["depends on the features"].text(), counts["online"].text());
    std::fflush(stdout);
}

void run_online(const std::string& path, std::size_t logs) {
    fmt::print(
        "\n| values of an online learner | episodes | supported | depends on the features | the learner alone |\n"
        "|---|--:|--:|--:|--:|\n");
    Counts pooled;
    for (const Problem& problem : problems_of(path))
        for (const std::size_t episodes : {50, 200})
            if (problem.is_part_of("coverage")) measure_online(problem, episodes, logs, pooled);
    fmt::print("| all | | {} | {} | {} |\n", pooled["supported"].text(), pooled["depends on the features"].text(),
               pooled["online"].text());
}

int run(const std::string& path, std::size_t logs) {
    constexpr const char* columns = "supported | depends on the features | cannot tell |\n|---|--:|--:|--:|--:|\n";
    Counts pooled, pooled_continuing;
    fmt::print("| problem | episodes | {}", columns);
    for (const Problem& problem : problems_of(path))
        for (const std::size_t episodes : {50, 200})
            if (problem.is_part_of("coverage"))
                measure(
                    problem.name, std::to_string(episodes), problem.truth, logs,
                    [&](std::size_t k) { return sample(problem, episodes, 1000 * episodes + k); }, pooled);
    print_pooled(pooled);

    constexpr std::size_t steps = 2000;
    fmt::print("\n| problem that never ends | steps | {}", columns);
    for (const Problem& problem : problems_of(path)) {
        if (!problem.name.starts_with("random") || !problem.is_part_of("coverage")) continue;
        const Problem endless = continuing(problem);
        measure(
            problem.name.substr(0, problem.name.find('-')), std::to_string(steps), endless.truth, logs,
            [&](std::size_t k) { return sample_continuing(endless, steps, 3000 * steps + k); }, pooled_continuing);
    }
    print_pooled(pooled_continuing);
    run_online(path, logs);
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
