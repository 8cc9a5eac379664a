// The sweep engine: nanoseconds per agent-step next to plain loops, what slows a block down and what does not, and what
// a second thread gains. Prints tables in Markdown: bellwether_sweep_bench [rounds]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "bellwether/registry.hpp"
#include "scalar_block.hpp"
#include "threads.hpp"
#include "timing/rounds.hpp"
#include "timing/sweep_block.hpp"

namespace bench {
namespace {

using namespace bellwether;

constexpr const char* compared[] = {"td", "gtd", "htd", "to-htd"};
constexpr std::size_t algorithms_of_the_paper = 12;  // the first ones of the registry

// A problem with its on-policy version, for the algorithms that are defined there only.
struct Setting {
    std::string_view name;
    SweepProblem off_policy, on_policy;
    SweepGrid grid;

    Setting(std::string_view name_, std::string_view domain, std::string_view features, Metric metric, SweepGrid grid_)
        : name(name_),
          off_policy(domain, features, false, metric),
          on_policy(domain, features, true, metric),
          grid(grid_) {}

    const SweepProblem& of(std::string_view algorithm) const {
        return find_algorithm(algorithm)->on_policy_only ? on_policy : off_policy;
    }
};

template <class Block>
TimedWork work_of(Block& block) {
    return {.run = [&block] { block.run(); }, .agent_steps = block_agent_steps};
}

void require(bool condition, std::string_view algorithm, std::string_view complaint) {
    if (condition) return;
    fmt::print(stderr, "{}: {}\n", algorithm, complaint);
    std::exit(1);
}

bool all_finite(std::span<const double> scores) {
    return std::all_of(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); });
}

bool agree(std::span<const double> scores, std::span<const double> others) {
    return all_finite(scores) && std::equal(scores.begin(), scores.end(), others.begin(),
                                            [](double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(a); });
}

double geometric_mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    return std::exp(sum / static_cast<double>(values.size()));
}

// ---- against plain loops ----

struct Requirement {
    std::string_view instruction_set;
    double mean, each;
};
constexpr Requirement requirements[] = {{"avx512", 6, 4.5}, {"avx2", 3, 2.25}};

void print_requirement(std::string_view instruction_set, const std::vector<double>& ratios) {
    const double mean = geometric_mean(ratios), least = *std::min_element(ratios.begin(), ratios.end());
    fmt::print("{}: geometric mean of the ratios {:.2f}, least {:.2f}", instruction_set, mean, least);
    for (const Requirement& required : requirements)
        if (required.instruction_set == instruction_set)
            fmt::print("; required {} and {}: {}", required.mean, required.each,
                       mean >= required.mean && least >= required.each ? "kept" : "missed");
    fmt::print("\n");
}

// The builds of the plain loops; the first one is what the engine is measured against.
struct Loop {
    const char* name;
    ScalarRun* (*find)(std::string_view algorithm, ScalarError error);
    ScalarError error;
};
constexpr Loop loops[] = {
    {"loop", generic::find_scalar_run, ScalarError::afterwards},
    {"loop, error in its pass", generic::find_scalar_run, ScalarError::on_the_way},
    {"loop, -march=native", native::find_scalar_run, ScalarError::afterwards},
    {"both", native::find_scalar_run, ScalarError::on_the_way},
};

// Per algorithm: every instruction set, then the loops.
std::vector<double> measure_against_loops(const Setting& setting, std::span<const InstructionSet* const> sets,
                                          std::size_t rounds) {
    std::deque<EngineBlock> engines;
    std::deque<ScalarBlock> scalars;
    std::vector<TimedWork> works;
    for (const char* algorithm : compared) {
        const SweepProblem& problem = setting.of(algorithm);
        for (const InstructionSet* set : sets)
            works.push_back(work_of(engines.emplace_back(problem, *set, algorithm, setting.grid, trajectory_steps)));
        for (const Loop& loop : loops)
            works.push_back(work_of(scalars.emplace_back(problem, loop.find(algorithm, loop.error), setting.grid)));

        const auto first_engine = engines.end() - static_cast<std::ptrdiff_t>(sets.size());
        const auto first_scalar = scalars.end() - static_cast<std::ptrdiff_t>(std::size(loops));
        std::for_each(first_engine, engines.end(), [](EngineBlock& block) { block.run(); });
        std::for_each(first_scalar, scalars.end(), [](ScalarBlock& block) { block.run(); });
        const auto agrees = [&](const auto& block) { return agree(block.scores(), first_scalar->scores()); };
        require(std::all_of(first_engine, engines.end(), agrees), algorithm, "engine and loop differ");
        require(std::all_of(first_scalar, scalars.end(), agrees), algorithm, "the loops differ");
    }
    return measure_nanoseconds(works, rounds);
}

void compare_with_loops(const Setting& setting, std::span<const InstructionSet* const> sets, std::size_t rounds) {
    const std::vector<double> times = measure_against_loops(setting, sets, rounds);
    fmt::print("| ns per agent-step, error after every step |");
    for (const InstructionSet* set : sets) fmt::print(" {} |", set->name());
    for (const Loop& loop : loops) fmt::print(" {} |", loop.name);
    for (const InstructionSet* set : sets) fmt::print(" loop/{} |", set->name());
    fmt::print("\n|---|");
    const std::size_t sides = sets.size() + std::size(loops);
    for (std::size_t k = 0; k < sets.size() + sides; ++k) fmt::print("--:|");
    std::vector<std::vector<double>> ratios(sets.size());
    const double* of_algorithm = times.data();
    for (const char* algorithm : compared) {
        fmt::print("\n| {} |", algorithm);
        for (std::size_t k = 0; k < sides; ++k) fmt::print(" {:.2f} |", of_algorithm[k]);
        for (std::size_t k = 0; k < sets.size(); ++k) {
            ratios[k].push_back(of_algorithm[sets.size()] / of_algorithm[k]);
            fmt::print(" {:.2f} |", ratios[k].back());
        }
        of_algorithm += sides;
    }
    fmt::print("\n\n");
    for (std::size_t k = 0; k < sets.size(); ++k) print_requirement(sets[k]->name(), ratios[k]);
    fmt::print("\n");
}

// ---- by λ, by problem ----

void print_by_lambda(const Setting& setting, const InstructionSet& instruction_set, std::size_t rounds) {
    constexpr double lambdas[] = {0, 0.5, 0.9, 0.99};
    constexpr std::size_t scored[] = {1, trajectory_steps};
    std::deque<EngineBlock> blocks;
    std::vector<TimedWork> works;
    for (const char* algorithm : compared)
        for (const std::size_t scored_steps : scored)
            for (const double lambda : lambdas) {
                SweepGrid grid = setting.grid;
                grid.lambda = lambda;
                works.push_back(work_of(
                    blocks.emplace_back(setting.of(algorithm), instruction_set, algorithm, grid, scored_steps)));
            }
    const std::vector<double> times = measure_nanoseconds(works, rounds);
    fmt::print("| ns per agent-step, {} |", instruction_set.name());
    for (const char* which : {"", ", error"})
        for (const double lambda : lambdas) fmt::print(" λ = {}{} |", lambda, which);
    fmt::print("\n|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    const double* time = times.data();
    for (const char* algorithm : compared) {
        fmt::print("\n| {} |", algorithm);
        for (std::size_t k = 0; k < 8; ++k) fmt::print(" {:.2f} |", *time++);
    }
    fmt::print("\n\n");
}

// Scores the second half of the steps, as the paper's study does.
void print_by_problem(const std::deque<Setting>& settings, const InstructionSet& instruction_set, std::size_t rounds) {
    std::deque<EngineBlock> blocks;
    std::vector<TimedWork> works;
    for (std::size_t a = 0; a < algorithms_of_the_paper; ++a)
        for (const Setting& setting : settings) {
            const std::string_view id = algorithm_table[a].id;
            EngineBlock& block =
                blocks.emplace_back(setting.of(id), instruction_set, id, setting.grid, trajectory_steps / 2);
            block.run();
            require(all_finite(block.scores()), id, fmt::format("diverged on {}", setting.name));
            works.push_back(work_of(block));
        }
    const std::vector<double> times = measure_nanoseconds(works, rounds);
    fmt::print("| ns per agent-step, {}, half of the steps scored |", instruction_set.name());
    for (const Setting& setting : settings) fmt::print(" {} |", setting.name);
    fmt::print("\n|---|--:|--:|--:|");
    const double* time = times.data();
    for (std::size_t a = 0; a < algorithms_of_the_paper; ++a) {
        fmt::print("\n| {} |", algorithm_table[a].id);
        for (std::size_t k = 0; k < settings.size(); ++k) fmt::print(" {:.2f} |", *time++);
    }
    fmt::print("\n\n");
}

// ---- numbers that could be slow ----

struct Difficulty {
    std::string_view name;
    std::size_t reference;                       // the row whose time it is compared with
    double alpha_of_even = 0, alpha_of_odd = 0;  // configurations; 0: the grid's
    double lambda = 0.9;
    double reward_scale = 1;
};
constexpr double overflowing = 1e30;
constexpr Difficulty difficulties[] = {
    {.name = "ordinary", .reference = 0},
    {.name = "every lane overflows", .reference = 0, .alpha_of_even = overflowing, .alpha_of_odd = overflowing},
    {.name = "every other lane overflows", .reference = 0, .alpha_of_even = overflowing},
    {.name = "rewards of 1e-310: denormal weights", .reference = 0, .reward_scale = 1e-310},
    {.name = "ordinary, λ = 0", .reference = 4, .lambda = 0},
    {.name = "λ = 1e-160: denormal traces", .reference = 4, .lambda = 1e-160},
};

double special_alpha(const Difficulty& difficulty, std::size_t configuration) {
    return configuration % 2 == 0 ? difficulty.alpha_of_even : difficulty.alpha_of_odd;
}

void make_difficult(EngineBlock& block, const Difficulty& difficulty) {
    for (double& reward : block.rewards()) reward *= difficulty.reward_scale;
    for (std::size_t c = 0; c < block_size; ++c)
        if (special_alpha(difficulty, c) != 0) block.alphas()[c] = special_alpha(difficulty, c);
}

// Whether those configurations overflow that are meant to, and no other.
bool overflows_as_meant(const EngineBlock& block, const Difficulty& difficulty) {
    for (std::size_t c = 0; c < block_size; ++c)
        if (std::isfinite(block.scores()[c]) == (special_alpha(difficulty, c) == overflowing)) return false;
    return true;
}

void print_difficulties(const Setting& setting, const InstructionSet& instruction_set, std::size_t rounds) {
    std::deque<EngineBlock> blocks;
    std::vector<TimedWork> works;
    for (const Difficulty& difficulty : difficulties)
        for (const char* algorithm : compared) {
            SweepGrid grid = setting.grid;
            grid.lambda = difficulty.lambda;
            EngineBlock& block =
                blocks.emplace_back(setting.of(algorithm), instruction_set, algorithm, grid, trajectory_steps);
            make_difficult(block, difficulty);
            block.run();
            require(overflows_as_meant(block, difficulty), algorithm, difficulty.name);
            works.push_back(work_of(block));
        }
    const std::vector<double> times = measure_nanoseconds(works, rounds);
    fmt::print("| time of a block, {}, relative to the ordinary one above it |", instruction_set.name());
    for (const char* algorithm : compared) fmt::print(" {} |", algorithm);
    fmt::print("\n|---|--:|--:|--:|--:|");
    constexpr std::size_t columns = std::size(compared);
    for (std::size_t row = 0; row < std::size(difficulties); ++row) {
        fmt::print("\n| {} |", difficulties[row].name);
        for (std::size_t k = 0; k < columns; ++k)
            fmt::print(" {:.2f} |", times[row * columns + k] / times[difficulties[row].reference * columns + k]);
    }
    fmt::print("\n\n");
}

// ---- two threads ----

std::vector<EngineBlock> make_thread_work(const Setting& setting, const InstructionSet& instruction_set) {
    std::vector<EngineBlock> blocks;
    for (const char* algorithm : compared)
        blocks.emplace_back(setting.of(algorithm), instruction_set, algorithm, setting.grid, trajectory_steps);
    return blocks;
}

void print_gain(const char* clock, const Gain& gain, double agent_steps) {
    constexpr double required = 0.97;
    fmt::print("| {} | {:.1f} | {:.1f} | {:.3f} | {:.3f} | {:.3f} | {} |\n", clock,
               1e-6 * agent_steps * gain.rate_of_one, 1e-6 * agent_steps * gain.rate_of_two, gain.work(),
               gain.arithmetic, gain.share(), gain.share() >= required ? "kept" : "missed");
}

void print_threads(const Setting& setting, const InstructionSet& instruction_set, std::size_t rounds) {
    std::vector<EngineBlock> mine = make_thread_work(setting, instruction_set),
                             others = make_thread_work(setting, instruction_set);
    const auto run_all = [](std::vector<EngineBlock>& blocks) {
        return [&blocks] {
            for (EngineBlock& block : blocks) block.run();
        };
    };
    const std::vector<std::function<void()>> works{run_all(mine), run_all(others)};
    const double agent_steps = block_agent_steps * static_cast<double>(mine.size());
    fmt::print(
        "| {}, million agent-steps a second | one thread | two | gain | of arithmetic | share | at least 0.97 |\n"
        "|---|--:|--:|--:|--:|--:|---|\n",
        instruction_set.name());
    print_gain("by the clock", measure_gain_of_second_thread(works, CLOCK_MONOTONIC, rounds), agent_steps);
    print_gain("by processor time", measure_gain_of_second_thread(works, CLOCK_THREAD_CPUTIME_ID, rounds), agent_steps);
}

void print_everything(std::size_t rounds) {
    const std::span<const InstructionSet* const> sets = instruction_sets();
    std::deque<Setting> settings;
    settings.emplace_back("tabular, d = 30", "random-mdp", "tabular", Metric::mave, SweepGrid{});
    settings.emplace_back("binary, d = 5", "random-mdp", "binary", Metric::mave, SweepGrid{});
    // Its ratios of 7 make everything diverge that is not slow.
    settings.emplace_back("Baird, d = 8", "baird", "", Metric::rmsve,
                          SweepGrid{.least_alpha = 1e-9, .greatest_alpha = 1e-8});
    compare_with_loops(settings[0], sets, rounds);
    print_by_lambda(settings[0], *sets[0], rounds);
    print_by_problem(settings, *sets[0], rounds);
    print_difficulties(settings[0], *sets[0], rounds);
    print_threads(settings[0], *sets[0], rounds);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    const long rounds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 9;
    if (argc > 2 || rounds < 1) {
        fmt::print(stderr, "usage: bellwether_sweep_bench [rounds]\n");
        return 2;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // tables appear when they are done, also in a pipe
    bench::print_everything(static_cast<std::size_t>(rounds));
}
