// Sweeps of a stream: nanoseconds per agent-step of many configurations that learn from one stream of random rows, on
// the processor and on a device.
//     bellwether_stream_sweep_bench [--device cuda] [STEPS] [ROUNDS]
#include "stream/stream_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "streams.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"

namespace bench {
namespace {

using namespace bellwether;

constexpr std::string_view ids[] = {"off-policy-td", "gtd", "htd", "to-htd"};
constexpr std::size_t one_hot_dimension = 30, dense_dimension = 8;

// 20 step sizes, 16 ratios of step sizes, 20 λ: as the grids of white2016 have them, but more.
std::vector<AlgorithmGrid> grid_of(std::string_view id) {
    std::vector<ParameterValues> values{{"alpha", {}}, {"eta", {}}, {"lambda", {}}};
    for (int k = 0; k < 20; ++k) values[0].values.push_back(1e-4 * (1 + k));
    for (int k = 0; k < 16; ++k) values[1].values.push_back(0.125 * (1 + k));
    for (int k = 0; k < 20; ++k) values[2].values.push_back(0.05 * k);
    const AlgorithmInfo* const algorithm = &algorithm_named(id);
    if (!algorithm->find(step_size_ratio)) values.erase(values.begin() + 1);
    return grids_of({&algorithm, 1}, values);
}

struct Stream {
    const char* name;
    std::vector<double> reward, gamma, rho, truth;
    StreamView view;

    Stream(const char* of, const std::vector<Transition>& transitions, const LaneFeatures& x) : name(of) {
        for (const Transition& t : transitions) {
            reward.push_back(t.reward);
            gamma.push_back(t.gamma);
            rho.push_back(t.rho);
        }
        truth.resize(transitions.size());
        view = {.steps = transitions.size(),
                .x = x,
                .x_next = rows_from(x, 1),
                .reward = {reward.data(), 1, false},
                .gamma = {gamma.data(), 1, false},
                .rho = {rho.data(), 1, false}};
        view.rows_follow = true;
    }
};

double nanoseconds(const Stream& stream, const std::vector<AlgorithmGrid>& grids, const Device* device,
                   std::size_t rounds) {
    double least = 1e300;
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto began = std::chrono::steady_clock::now();
        sweep_stream(stream.view, grids, {.by_step = stream.truth.data()},
                     {.metric = StreamMetric::mse, .is_checked = true, .threads = usable_cores(), .device = device});
        const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - began;
        least = std::min(least, taken.count());
    }
    return least / static_cast<double>(grids.front().configurations() * stream.view.steps);
}

int run(std::string_view device_name, std::size_t steps, std::size_t rounds) {
    const std::unique_ptr<Device> device = open_device("--device", device_name, {});
    const OneHotStream one_hot = make_one_hot_stream(one_hot_dimension, steps);
    const DenseStream dense = make_dense_stream(dense_dimension, steps);
    const LaneFeatures one_hot_rows{LaneFeatures::Kind::one_hot, one_hot_dimension, nullptr, one_hot.indices.data(),
                                    nullptr};
    const LaneFeatures dense_rows{LaneFeatures::Kind::dense, dense_dimension, nullptr, nullptr, dense.values.data()};
    const Stream streams[] = {{"d = 30, one-hot", one_hot.transitions, one_hot_rows},
                              {"d = 8, dense", dense.transitions, dense_rows}};
    fmt::print("| ns per agent-step by the clock, {} steps | configurations | {} threads |{}\n|---|--:|--:|{}\n", steps,
               usable_cores(), device ? fmt::format(" {} |", device->info().name) : "", device ? "--:|" : "");
    for (const Stream& stream : streams)
        for (const std::string_view id : ids) {
            const std::vector<AlgorithmGrid> grids = grid_of(id);
            fmt::print("| {}, {} | {} | {:.3f} |", id, stream.name, grids.front().configurations(),
                       nanoseconds(stream, grids, nullptr, rounds));
            if (device) fmt::print(" {:.3f} |", nanoseconds(stream, grids, device.get(), rounds));
            fmt::print("\n");
            std::fflush(stdout);
        }
    return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    const bool has_device = argc > 2 && std::string_view(argv[1]) == "--device";
    const auto number = [&](int place, std::size_t otherwise) {
        place += has_device ? 2 : 0;
        return argc > place ? static_cast<std::size_t>(std::strtoul(argv[place], nullptr, 10)) : otherwise;
    };
    try {
        return bench::run(has_device ? argv[2] : "cpu", number(1, 100'000), number(2, 3));
    } catch (const bellwether::UsageError& error) {
        fmt::print(stderr, "bellwether_stream_sweep_bench: {}\n", error.what());
        return 2;
    }
}
