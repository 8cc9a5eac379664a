// A horde of the shape of a robot that learned 2,160 predictions from 6,065 binary features of which 457 are active
// (Modayil, White & Sutton 2014), made synthetically: 540 cumulants at four time scales. Updates of all predictions a
// second: step by step, in stretches of a stream, and the same learners one by one, in turn and on the same threads.
//     bellwether_horde_bench [threads] [memory]      memory: 10,000 predictions of d = 10⁵ instead
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string_view>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "stream/horde.hpp"
#include "support/parallel_for.hpp"
#include "support/random.hpp"

namespace {

using namespace bellwether;

struct Shape {
    std::size_t predictions, dimension, active, steps;
};

constexpr std::size_t most_cumulant_steps = 100;  // of longer streams every step has the same

struct Stream {
    explicit Stream(const Shape& shape) : first{0} {
        RandomStream random(1, 0, 0, Purpose::features);
        // Half of the active features stay from step to step, as tiles over slow sensors do.
        std::vector<std::uint32_t> now;
        for (std::size_t t = 0; t <= shape.steps; ++t) {
            std::vector<bool> chosen(shape.dimension);
            std::vector<std::uint32_t> next;
            const auto take = [&](std::uint32_t index) {
                if (chosen[index]) return;
                chosen[index] = true;
                next.push_back(index);
            };
            for (const std::uint32_t index : now)
                if (random.uniform() < 0.5) take(index);
            while (next.size() < shape.active)
                take(static_cast<std::uint32_t>(random.uniform() * static_cast<double>(shape.dimension)));
            std::sort(next.begin(), next.end());
            indices.insert(indices.end(), next.begin(), next.end());
            first.push_back(static_cast<std::uint32_t>(indices.size()));
            now = next;
        }
        values.assign(indices.size(), 1.0);
        const double scales[] = {0, 0.8, 0.95, 0.9875};
        for (std::size_t k = 0; k < shape.predictions; ++k) gamma.push_back(scales[k * 4 / shape.predictions]);
        for (std::size_t n = 0; n < most_cumulant_steps * shape.predictions; ++n) cumulants.push_back(random.uniform());
        const LaneFeatures x{.kind = LaneFeatures::Kind::sparse,
                             .dimension = shape.dimension,
                             .first = first.data(),
                             .indices = indices.data(),
                             .values = values.data()};
        view = {.steps = shape.steps,
                .x = x,
                .x_next = rows_from(x, 1),
                .reward = {cumulants.data(), shape.steps > most_cumulant_steps ? 0 : shape.predictions, true},
                .gamma = {gamma.data(), 0, true}};
    }
    Sparse<double> row(std::size_t t) const {
        const std::size_t count = first[t + 1] - first[t];
        return {{indices.data() + first[t], count}, {values.data() + first[t], count}};
    }

    std::vector<std::uint32_t> first, indices;
    std::vector<double> values, gamma, cumulants;
    StreamView view{};
};

double seconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}
double median(std::vector<double> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}
double gigabytes_at_peak() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

std::vector<double> parameters_of(const AlgorithmInfo& info, std::size_t predictions) {
    std::vector<double> all;
    for (const ParameterInfo& parameter : info.parameters)
        all.insert(all.end(), predictions,
                   parameter.name == "alpha"    ? 0.1 / 457
                   : parameter.name == "lambda" ? 0.9
                                                : parameter.default_value);
    return all;
}

void compare(std::string_view id, const Shape& shape, const Stream& stream, std::size_t threads) {
    const AlgorithmInfo& info = *find_algorithm(id);
    const std::vector<double> parameters = parameters_of(info, shape.predictions);
    Horde horde(info, shape.dimension, shape.predictions, parameters);
    horde.learn(stream.view, nullptr, threads, {});
    std::vector<double> own;
    for (std::size_t p = 0; p < info.parameters.size(); ++p) own.push_back(parameters[p * shape.predictions]);
    std::vector<std::unique_ptr<Learner>> learners;
    for (std::size_t k = 0; k < shape.predictions; ++k)
        learners.push_back(best_instruction_set().make_learner(info, shape.dimension, own, std::nullopt));
    const auto one_by_one = [&] {
        std::atomic<bool> stop = false;
        parallel_for(
            threads, learners.size(), stop,
            [&](std::size_t, std::size_t k) {
                for (std::size_t t = 0; t < shape.steps; ++t)
                    learners[k]->step(Transition<Sparse<double>>{.x = stream.row(t),
                                                                 .reward = stream.cumulants[t * shape.predictions + k],
                                                                 .gamma = stream.gamma[k],
                                                                 .x_next = stream.row(t + 1)});
            },
            [] {});
    };
    one_by_one();
    for (std::size_t k = 0; k < shape.predictions; k += 97) {
        const std::vector<double> weights = horde.weights(k);
        if (!std::equal(weights.begin(), weights.end(), learners[k]->weights().begin())) {
            fmt::print("{}: prediction {} differs from its learner\n", id, k);
            return;
        }
    }
    std::vector<double> in_stretches, by_step, alone;
    for (int round = 0; round < 5; ++round) {
        in_stretches.push_back(seconds([&] { horde.learn(stream.view, nullptr, threads, {}); }));
        alone.push_back(seconds(one_by_one));
        by_step.push_back(seconds([&] {
            for (std::size_t t = 0; t < shape.steps; ++t) {
                StreamView one = stream.view;
                one.steps = 1;
                one.x = rows_from(stream.view.x, t);
                one.x_next = rows_from(stream.view.x, t + 1);
                one.reward.numbers += t * shape.predictions;
                horde.learn(one, nullptr, threads, {});
            }
        }));
    }
    const double steps = static_cast<double>(shape.steps);
    fmt::print("{:<6} {:>14.0f} {:>14.0f} {:>14.0f} {:>8.1f}\n", id, steps / median(in_stretches),
               steps / median(by_step), steps / median(alone), median(alone) / median(in_stretches));
}

// Nearly all of the features occur: memory is for those that do.
void measure_memory(std::size_t threads) {
    const Shape shape{.predictions = 10'000, .dimension = 100'000, .active = 200, .steps = 2000};
    Stream stream(shape);
    std::fill(stream.gamma.begin(), stream.gamma.end(), 0.9);
    const AlgorithmInfo& info = *find_algorithm("td");
    const double before = gigabytes_at_peak();
    Horde horde(info, shape.dimension, shape.predictions, parameters_of(info, shape.predictions));
    const double time = seconds([&] { horde.learn(stream.view, nullptr, threads, {}); });
    std::vector<bool> occurs(shape.dimension);
    for (const std::uint32_t index : stream.indices) occurs[index] = true;
    fmt::print("{} predictions of d = {}, of which {} occur: {:.2f} GB, {:.0f} updates of all a second\n",
               shape.predictions, shape.dimension, std::count(occurs.begin(), occurs.end(), true),
               gigabytes_at_peak() - before, static_cast<double>(shape.steps) / time);
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t threads = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 2;
    if (argc > 2) {
        measure_memory(threads);
        return 0;
    }
    const Shape shape{.predictions = 2160, .dimension = 6065, .active = 457, .steps = 96};
    const Stream stream(shape);
    fmt::print("updates of all {} predictions a second, {} threads, {}\n", shape.predictions, threads,
               best_instruction_set().name());
    fmt::print("{:<6} {:>14} {:>14} {:>14} {:>8}\n", "", "in stretches", "step by step", "one by one", "ratio");
    for (const std::string_view id : {"td", "gtd"}) compare(id, shape, stream, threads);
    return 0;
}
