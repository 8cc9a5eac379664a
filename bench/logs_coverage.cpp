// How often the intervals of `bellwether evaluate` have the truth in them, by verdict: logs of problems whose answers
// are known exactly. Prints tables in Markdown: bellwether_logs_coverage PROBLEMS.json [LOGS]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "logs/evaluation.hpp"
#include "logs_problems.hpp"

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
bool covers(const PolicyEvaluation& evaluation, double truth) {
    const PolicyEstimate& answer = evaluation.answer_estimate();
    return std::abs(truth - answer.value) <= std::max(answer.half_width(), 1e-6 * evaluation.spread);
}

int run(const std::string& path, std::size_t logs) {
    std::map<std::string, Count> pooled;
    fmt::print("| problem | episodes | supported | depends on the features | cannot tell |\n|---|--:|--:|--:|--:|\n");
    for (const Problem& problem : problems_of(path)) {
        if (!problem.is_part_of("coverage")) continue;
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
