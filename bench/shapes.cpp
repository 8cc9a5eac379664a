// The sweep engine on the shapes of features that papers have: nanoseconds per agent-step, and per entry that a step
// touches, beside tabular features and beside the floor. An error after every step reads the features of all states:
// there, time is also given per entry that the step or its error touches. Prints tables in Markdown:
// bellwether_shapes_bench [rounds]
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "problems/finite_mdp.hpp"
#include "register_loop.hpp"
#include "timing/rounds.hpp"
#include "timing/sweep_block.hpp"

namespace bench {
namespace {

using namespace bellwether;

constexpr const char* algorithms[] = {"off-policy-td", "gtd", "htd", "etd"};

// A walk on a ring with these features; what a state's features are is all that matters here.
struct Shape {
    std::string_view name;
    std::size_t states, dimension;
    std::function<double(std::size_t state, std::size_t component)> feature;
};

// Numbers in [-1, 1] that repeat themselves late.
double scattered(std::size_t state, std::size_t component) {
    return std::sin(1 + 12.9898 * static_cast<double>(state) + 78.233 * static_cast<double>(component));
}

std::vector<Shape> all_shapes() {
    return {
        {"tabular, d = 30", 30, 30, [](std::size_t s, std::size_t i) { return s == i ? 1.0 : 0.0; }},
        {"1000 states in 20 groups", 1000, 20, [](std::size_t s, std::size_t i) { return s / 50 == i ? 1.0 : 0.0; }},
        // Rooms: three tilings of 2 × 2.
        {"binary, 3 of 12", 104, 12,
         [](std::size_t s, std::size_t i) {
             return (s / (i / 4 == 0 ? 1 : i / 4 == 1 ? 4 : 16)) % 4 == i % 4 ? 1.0 : 0.0;
         }},
        // The 1000-state walk with 50 tilings of width 200 (Sutton & Barto 2018, figure 9.10).
        {"50 tilings of 1000 states", 1000, 300,
         [](std::size_t s, std::size_t i) { return (s + 200 - 4 * (i / 6)) / 200 == i % 6 ? 1.0 : 0.0; }},
        // Collision has three ones of six; dense ones cost the same.
        {"dense, d = 6", 8, 6, scattered},
    };
}

std::shared_ptr<const FiniteMdp> ring_of(const Shape& shape) {
    MdpDescription d;
    d.name = shape.name;
    d.states = shape.states;
    d.actions = 2;
    d.outcomes.resize(2 * shape.states);
    for (std::size_t s = 0; s < shape.states; ++s)
        for (const std::size_t a : {0, 1}) {
            const std::size_t next = (s + (a == 0 ? 1 : shape.states - 1)) % shape.states;
            d.outcomes[2 * s + a] = {{static_cast<std::uint32_t>(next), 1, scattered(s, a), 0.9}};
            d.target.push_back(a == 0 ? 0.6 : 0.4);
            d.behaviour.push_back(0.5);
        }
    d.dimension = shape.dimension;
    for (std::size_t s = 0; s < shape.states; ++s)
        for (std::size_t i = 0; i < shape.dimension; ++i) d.features.push_back(shape.feature(s, i));
    return std::make_shared<const FiniteMdp>(std::move(d));
}

// Entries of a feature vector that are not 0, in the mean over states.
double touched_entries(const Shape& shape) {
    std::size_t entries = 0;
    for (std::size_t s = 0; s < shape.states; ++s)
        for (std::size_t i = 0; i < shape.dimension; ++i) entries += shape.feature(s, i) != 0;
    return static_cast<double>(entries) / static_cast<double>(shape.states);
}

// What one entry of TD(λ) needs at the least, whatever its representation: its part of x·w and of x'·w, its trace, its
// weight.
constexpr double multiply_adds_of_entry = 4;

double nanoseconds_of_multiply_add(std::size_t rounds) {
    constexpr std::size_t iterations = 200'000;
    double sink = 0;
    const std::vector<TimedWork> works{{.run = [&] { sink += run_register_loop(iterations); },
                                        .agent_steps = static_cast<double>(iterations * multiply_adds_of_iteration())}};
    const double nanoseconds = measure_nanoseconds(works, rounds).front();
    return sink == 0.5 ? 0 : nanoseconds;
}

void print_shapes(std::size_t rounds) {
    const InstructionSet& instruction_set = best_instruction_set();
    const std::vector<Shape> shapes = all_shapes();
    // Errors after every step, and after the last one alone.
    constexpr std::size_t scored[] = {trajectory_steps, 1};
    std::deque<SweepProblem> problems;
    std::deque<EngineBlock> blocks;
    std::vector<TimedWork> works;
    for (const Shape& shape : shapes) {
        const SweepProblem& problem = problems.emplace_back(Problem(ring_of(shape)), Metric::rmsve);
        for (const std::size_t scored_steps : scored)
            for (const char* algorithm : algorithms) {
                EngineBlock& block = blocks.emplace_back(
                    problem, instruction_set, algorithm,
                    SweepGrid{.least_alpha = 1e-6, .greatest_alpha = 1e-4, .lambda = 0.5}, scored_steps);
                works.push_back({.run = [&block] { block.run(); }, .agent_steps = block_agent_steps});
            }
    }
    const std::vector<double> times = measure_nanoseconds(works, rounds);
    const double floor = multiply_adds_of_entry * nanoseconds_of_multiply_add(rounds);
    constexpr std::size_t columns = std::size(algorithms);
    const auto time = [&](std::size_t shape, std::size_t which, std::size_t algorithm) {
        return times[(shape * std::size(scored) + which) * columns + algorithm];
    };
    for (std::size_t which = 0; which < std::size(scored); ++which) {
        fmt::print("| ns per agent-step, {}, error {} | entries |", instruction_set.name(),
                   which == 0 ? "after every step" : "at the end");
        for (const char* algorithm : algorithms) fmt::print(" {} |", algorithm);
        fmt::print(" floor of td |\n|---|--:|");
        for (std::size_t k = 0; k < columns + 1; ++k) fmt::print("--:|");
        fmt::print("\n");
        for (std::size_t s = 0; s < shapes.size(); ++s) {
            const double entries = touched_entries(shapes[s]);
            fmt::print("| {} | {:.3g} |", shapes[s].name, entries);
            for (std::size_t a = 0; a < columns; ++a) fmt::print(" {:.2f} |", time(s, which, a));
            fmt::print(" {:.2f} |\n", floor * entries);
        }
        fmt::print("\n");
        const auto print_ratios = [&](std::string_view what, auto entries_of) {
            fmt::print("| {}, over tabular | entries |", what);
            for (const char* algorithm : algorithms) fmt::print(" {} |", algorithm);
            fmt::print(" at most 2 |\n|---|--:|");
            for (std::size_t k = 0; k < columns; ++k) fmt::print("--:|");
            fmt::print("---|\n");
            for (std::size_t s = 0; s < shapes.size(); ++s) {
                const double entries = entries_of(shapes[s]);
                fmt::print("| {} | {:.0f} |", shapes[s].name, entries);
                double worst = 0;
                for (std::size_t a = 0; a < columns; ++a) {
                    const double ratio = time(s, which, a) / entries / (time(0, which, a) / entries_of(shapes[0]));
                    worst = std::max(worst, ratio);
                    fmt::print(" {:.2f} |", ratio);
                }
                fmt::print(" {} |\n", worst <= 2 ? "kept" : "missed");
            }
            fmt::print("\n");
        };
        print_ratios("per entry of the step", touched_entries);
        if (which == 0)
            print_ratios("per entry of the step or of its error", [](const Shape& shape) {
                return touched_entries(shape) * static_cast<double>(1 + shape.states);
            });
    }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    const long rounds = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 9;
    if (argc > 2 || rounds < 1) {
        fmt::print(stderr, "usage: bellwether_shapes_bench [rounds]\n");
        return 2;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    bench::print_shapes(static_cast<std::size_t>(rounds));
}
