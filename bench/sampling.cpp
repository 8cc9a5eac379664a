// How fast trajectories are drawn: the paper's runs of 500 steps of a random MDP.
#include <benchmark/benchmark.h>

#include "problems/domain.hpp"
#include "problems/trajectory.hpp"

namespace {

void sample_random_mdp(benchmark::State& state) {
    using namespace bellwether;
    const FiniteMdp mdp = make_domain(request_domain(require_domain("random-mdp"), {}, ""));
    const Sampler sampler(mdp);
    Trajectory trajectory;
    std::uint32_t run = 0;
    for (auto _ : state) {
        sampler.sample(0, 0, run++, 500, trajectory);
        benchmark::DoNotOptimize(trajectory.reward.data());
    }
    state.counters["transitions"] =
        benchmark::Counter(500.0 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(sample_random_mdp);

}  // namespace

BENCHMARK_MAIN();
