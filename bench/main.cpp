// Nanoseconds per update of every linear algorithm, four of them next to a hand-written loop. Prints two tables in
// Markdown; takes the options of Google Benchmark.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "bellwether/bellwether.hpp"
#include "handwritten.hpp"

namespace bench {
namespace {

template <class Algorithm, class Stream>
class Library : public Contestant {
public:
    Library(const Stream& stream, const Settings& settings)
        : stream_(stream), learner_(stream.dimension, parameters(settings), settings.cutoff) {}

    void run() override {
        for (std::size_t t = 0; t < stream_.transitions.size(); ++t) {
            const Transition& s = stream_.transitions[t];
            learner_.step(bellwether::Transition<typename Stream::Features>{.x = stream_.x(t),
                                                                            .reward = s.reward,
                                                                            .gamma = s.gamma,
                                                                            .x_next = stream_.x(t + 1),
                                                                            .rho = s.rho,
                                                                            .pi = 0.5 * s.rho,
                                                                            .mu = 0.5});
        }
    }
    std::span<const double> weights() const override { return learner_.weights(); }

private:
    using Parameters = typename Algorithm::Parameters;

    static Parameters parameters(const Settings& settings) {
        Parameters p;
        p.alpha = settings.alpha;
        if constexpr (requires { p.eta; }) p.eta = settings.eta;
        if constexpr (requires { p.lambda; }) p.lambda = settings.lambda;
        return p;
    }

    const Stream& stream_;
    bellwether::Online<Algorithm> learner_;
};

// Keeps the nanoseconds per update of each repetition.
class Collector : public benchmark::BenchmarkReporter {
public:
    explicit Collector(std::size_t updates) : updates_(static_cast<double>(updates)) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs)
            if (run.run_type == Run::RT_Iteration)
                times_[run.run_name.function_name].push_back(run.cpu_accumulated_time * 1e9 /
                                                             static_cast<double>(run.iterations) / updates_);
    }

    double median(const std::string& name) {
        std::vector<double>& times = times_[name];
        std::sort(times.begin(), times.end());
        return times.empty() ? NAN : times[times.size() / 2];
    }

private:
    double updates_;
    std::map<std::string, std::vector<double>> times_;
};

struct Result {
    std::string algorithm;
    std::size_t column;
    double bellwether;  // ns per update
    std::optional<double> handwritten;
};

constexpr const char* columns[] = {"d = 30 one-hot", "d = 30 dense", "d = 1024 dense", "d = 10⁶ sparse, 32 active"};

// The same weights after one run through the stream.
void check_equal(std::string_view algorithm, Contestant& one, Contestant& other) {
    one.run();
    other.run();
    for (std::size_t i = 0; i < one.weights().size(); ++i) {
        const double a = one.weights()[i], b = other.weights()[i];
        if (std::fabs(a - b) <= 1e-9 * std::max(1.0, std::fabs(a))) continue;
        std::fprintf(stderr, "%.*s: the two sides differ in weight %zu: %.17g, %.17g\n",
                     static_cast<int>(algorithm.size()), algorithm.data(), i, a, b);
        std::exit(1);
    }
}

void check_finite(std::string_view algorithm, const Contestant& contestant) {
    for (const double weight : contestant.weights()) {
        if (std::isfinite(weight)) continue;
        std::fprintf(stderr, "%.*s: diverged\n", static_cast<int>(algorithm.size()), algorithm.data());
        std::exit(1);
    }
}

// Every repetition is a new learner that has seen the stream once.
using Make = std::function<std::unique_ptr<Contestant>()>;

void register_side(const std::string& name, const Make& make) {
    benchmark::RegisterBenchmark(name.c_str(), [name, make](benchmark::State& state) {
        const std::unique_ptr<Contestant> contestant = make();
        contestant->run();
        for (auto _ : state) contestant->run();
        check_finite(name, *contestant);
    });
}

// Repetitions of the two sides take turns at random.
template <template <class, class> class Algorithm, class Traces, class Stream>
void measure(std::size_t column, const Stream& stream, std::vector<Result>& results) {
    const std::string id(Algorithm<double, Traces>::text.id), handwritten_id = id + " hand-written";
    if (!std::regex_search(id, std::regex(benchmark::GetBenchmarkFilter()))) return;

    const Settings settings;
    const Make library = [&] { return std::make_unique<Library<Algorithm<double, Traces>, Stream>>(stream, settings); };
    const Make handwritten = [&] { return make_handwritten(id, stream, settings); };
    const bool compares = handwritten() != nullptr;
    if (compares) check_equal(id, *library(), *handwritten());

    benchmark::ClearRegisteredBenchmarks();
    register_side(id, library);
    if (compares) register_side(handwritten_id, handwritten);
    Collector collector(stream.transitions.size());
    benchmark::RunSpecifiedBenchmarks(&collector, "all");

    Result& result = results.emplace_back(Result{id, column, collector.median(id), std::nullopt});
    if (compares) result.handwritten = collector.median(handwritten_id);
    std::fprintf(stderr, "%s, %s\n", id.c_str(), columns[column]);
}

template <class Traces, class Stream>
void measure_all(std::size_t column, const Stream& stream, std::vector<Result>& results) {
    bellwether::Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if constexpr (!Algorithm<double, Traces>::text.quadratic) measure<Algorithm, Traces>(column, stream, results);
    });
}

std::string format(double number, int decimals) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", decimals, number);
    return text;
}

void print_ratios(const std::vector<Result>& results) {
    std::printf("| algorithm | features | ns per update | hand-written | ratio |\n|---|---|--:|--:|--:|\n");
    for (const Result& result : results)
        if (result.handwritten)
            std::printf("| %s | %s | %s | %s | %s |\n", result.algorithm.c_str(), columns[result.column],
                        format(result.bellwether, 1).c_str(), format(*result.handwritten, 1).c_str(),
                        format(result.bellwether / *result.handwritten, 2).c_str());
}

void print_times(const std::vector<Result>& results) {
    std::printf("| ns per update |");
    for (const char* column : columns) std::printf(" %s |", column);
    std::printf("\n|---|--:|--:|--:|--:|\n");
    std::vector<std::string> order;
    std::map<std::string, std::string> rows;
    for (const Result& result : results) {
        if (!rows.count(result.algorithm)) order.push_back(result.algorithm);
        rows[result.algorithm].append(" ").append(format(result.bellwether, 1)).append(" |");
    }
    for (const std::string& algorithm : order) std::printf("| %s |%s\n", algorithm.c_str(), rows[algorithm].c_str());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using namespace bench;
    // Given first, so that the command line overrides them.
    std::vector<std::string> defaults{"--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=9",
                                      "--benchmark_min_time=0.02", "--benchmark_filter=."};
    std::vector<char*> arguments{argv[0]};
    for (std::string& text : defaults) arguments.push_back(text.data());
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 1;

    std::vector<Result> results;
    measure_all<bellwether::DenseTraces>(0, make_one_hot_stream(30, 4096), results);
    measure_all<bellwether::DenseTraces>(1, make_dense_stream(30, 1024), results);
    measure_all<bellwether::DenseTraces>(2, make_dense_stream(1024, 64), results);
    measure_all<bellwether::SparseTraces>(3, make_sparse_stream(1'000'000, 32, 2048), results);
    print_ratios(results);
    std::printf("\n");
    print_times(results);
}
