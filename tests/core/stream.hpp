// Streams to test on: random ones, and the recorded ones of tests/data; and how they are fed to a learner.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bellwether/features.hpp"
#include "bellwether/step.hpp"
#include "oracle.hpp"

namespace bellwether::test {

// ---- random streams

enum class FeatureKind { dense, sparse, one_hot };

struct StreamOptions {
    std::size_t dimension = 5;
    FeatureKind features = FeatureKind::dense;
    bool on_policy = false;
    bool segments = true;            // some steps begin a new segment by start()
    bool random_interest = true;     // else 1
    std::optional<double> lambda{};  // λ(s), random unless given
};

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double uniform(double from, double to) {  // the same numbers on every platform
        return from + (to - from) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
    }
    bool chance(double probability) { return uniform(0, 1) < probability; }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(uniform(0, static_cast<double>(n))); }
    Vec vector(std::size_t size, double from, double to) {
        Vec v(size);
        for (double& value : v) value = uniform(from, to);
        return v;
    }

private:
    std::mt19937_64 engine_;
};

inline Vec random_features(Random& random, const StreamOptions& options) {
    Vec x(options.dimension);
    if (options.features == FeatureKind::one_hot) {
        x[random.below(x.size())] = 1;
    } else {
        const double density = options.features == FeatureKind::sparse ? 0.4 : 1;
        for (double& value : x)
            if (random.chance(density)) value = random.uniform(-0.8, 0.8);
    }
    return x;
}

// A stream whose first n steps do not depend on how many follow. Actions are drawn from μ, hence E[ρ] = 1 and traces
// stay moderate; some actions are never taken by π (ρ = 0), some transitions end an episode (γ = 0) or do not
// discount (γ = 1).
inline Stream random_stream(Random& random, std::size_t steps, const StreamOptions& options) {
    const auto state_lambda = [&] { return options.lambda ? *options.lambda : random.uniform(0, 1); };
    Stream stream;
    Vec x = random_features(random, options);
    double lambda = state_lambda();
    for (std::size_t t = 0; t < steps; ++t) {
        Sample s;
        s.starts_segment = options.segments && t > 0 && random.chance(0.08);
        if (s.starts_segment) x = random_features(random, options), lambda = state_lambda();
        s.x = x;
        s.lambda = lambda;
        s.reward = random.uniform(-1, 1);
        s.gamma = random.chance(0.1) ? 0 : random.chance(0.1) ? 1 : random.uniform(0, 1);
        // Two actions; the one taken has probability mu and pi.
        const double mu_first = random.uniform(0.25, 0.75);
        const double pi_first = random.chance(0.1) ? 1 : random.uniform(0, 1);
        const bool first = random.chance(mu_first);
        s.mu = first ? mu_first : 1 - mu_first;
        s.pi = options.on_policy ? s.mu : first ? pi_first : 1 - pi_first;
        s.rho = options.on_policy ? 1 : s.pi / s.mu;
        s.interest = options.random_interest ? random.uniform(0, 2) : 1;
        s.x_next = x = random_features(random, options);
        s.lambda_next = lambda = state_lambda();
        stream.push_back(s);
    }
    return stream;
}

// A stream with step sizes and initial weights to run it with.
struct Case {
    std::size_t dimension;
    double alpha, eta;
    Vec w_0, h_0;
    Stream stream;
};

inline Case random_case(std::uint64_t seed, std::size_t steps, const StreamOptions& options) {
    Random random(seed);
    Case c{.dimension = options.dimension,
           .alpha = random.uniform(0.01, 0.1),
           .eta = random.uniform(0.1, 2),
           .w_0 = random.vector(options.dimension, -1, 1),
           .h_0 = random.vector(options.dimension, -1, 1),
           .stream = {}};
    c.stream = random_stream(random, steps, options);
    return c;
}

// The same, drawn by RapidCheck inside of a property. It shrinks to the shortest stream that fails.
inline Case any_case(StreamOptions options = {}, std::size_t most_steps = 80) {
    // At the nominal size from the first case on: RapidCheck would begin with streams of one or two steps.
    const auto draw = [](auto generator) { return *rc::gen::resize(rc::kNominalSize, std::move(generator)); };
    const auto seed = draw(rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
    options.dimension = draw(rc::gen::inRange<std::size_t>(1, 12));  // on both sides of a block of eight
    return random_case(seed, draw(rc::gen::inRange<std::size_t>(1, most_steps + 1)), options);
}

// ---- feeding

template <class Features>
Transition<Features> transition(const Sample& s, Features x, Features x_next) {
    return {.x = x,
            .reward = s.reward,
            .gamma = s.gamma,
            .x_next = x_next,
            .rho = s.rho,
            .lambda = s.lambda,
            .lambda_next = s.lambda_next,
            .interest = s.interest,
            .pi = s.pi,
            .mu = s.mu};
}

// One step, with start() where the sample begins a segment.
template <class Learner>
void feed(Learner& learner, const Sample& s) {
    if (s.starts_segment) learner.start();
    learner.step(transition<Dense<double>>(s, {s.x}, {s.x_next}));
}

struct SparseVector {
    explicit SparseVector(const Vec& x) {
        for (std::size_t i = 0; i < x.size(); ++i)
            if (x[i] != 0) indices.push_back(static_cast<std::uint32_t>(i)), values.push_back(x[i]);
    }
    Sparse<double> view() const { return {indices, values}; }

    std::vector<std::uint32_t> indices;
    std::vector<double> values;
};

// The same with the features as what they are.
template <class Learner>
void feed_as(FeatureKind kind, Learner& learner, const Sample& s) {
    if (kind == FeatureKind::dense) return feed(learner, s);
    if (s.starts_segment) learner.start();
    const SparseVector x(s.x), x_next(s.x_next);
    if (kind == FeatureKind::sparse)
        learner.step(transition<Sparse<double>>(s, x.view(), x_next.view()));
    else
        learner.step(transition<OneHot>(s, {x.indices[0]}, {x_next.indices[0]}));
}

// ---- recorded streams

inline std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
    return fields;
}

struct Csv {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows;
};
inline Csv read_csv(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path);
    Csv csv;
    std::string line;
    std::getline(in, line);
    csv.header = split(line, ',');
    while (std::getline(in, line)) csv.rows.push_back(split(line, ','));
    return csv;
}

// x0..x{d−1}, then reward, gamma and others by their names, as `learn` takes them. A row is the step out of its state;
// a row without a reward closes a segment.
inline Stream read_stream(const std::string& path) {
    const auto [header, rows] = read_csv(path);
    const auto place = [&names = header](const std::string& name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    };
    const std::size_t dimension = place("reward");
    const auto has = [&](const auto& row, const std::string& name) {
        return place(name) < row.size() && !row[place(name)].empty();
    };
    const auto read = [&](const auto& row, const std::string& name, double& to) {
        if (has(row, name)) to = std::stod(row[place(name)]);
    };
    const auto features = [&](const auto& row) {
        Vec x;
        for (std::size_t i = 0; i < dimension; ++i) x.push_back(std::stod(row[i]));
        return x;
    };
    Stream stream;
    bool after_close = false;
    for (std::size_t t = 0; t + 1 < rows.size(); ++t) {
        if (!has(rows[t], "reward")) {
            after_close = true;
            continue;
        }
        Sample s;
        s.starts_segment = std::exchange(after_close, false);
        s.x = features(rows[t]);
        s.x_next = features(rows[t + 1]);
        read(rows[t], "reward", s.reward);
        read(rows[t], "gamma", s.gamma);
        read(rows[t], "rho", s.rho);
        read(rows[t], "pi", s.pi);
        read(rows[t], "mu", s.mu);
        read(rows[t], "lambda", s.lambda);
        read(rows[t], "interest", s.interest);
        read(rows[t + 1], "lambda", s.lambda_next);
        stream.push_back(s);
    }
    return stream;
}

}  // namespace bellwether::test
