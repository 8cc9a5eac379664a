#include "logs/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "bellwether/suggest.hpp"
#include "logs/linear_system.hpp"
#include "stream/line_reader.hpp"
#include "support/error.hpp"
#include "support/number.hpp"
#include "support/one_line.hpp"

namespace bellwether {

namespace {

using Kind = TargetPolicy::Kind;

[[noreturn]] void fail(const LineReader& lines, const std::string& problem) {
    throw UsageError(
        one_line(fmt::format("{}:{}:1: {}", lines.name(), std::max<std::size_t>(1, lines.line_number()), problem)));
}

void greedy(std::span<double> q, double epsilon) {
    const auto best = std::max_element(q.begin(), q.end()) - q.begin();
    std::fill(q.begin(), q.end(), epsilon / static_cast<double>(q.size()));
    q[static_cast<std::size_t>(best)] += 1 - epsilon;
}

void softmax(std::span<double> q, double temperature) {
    const double largest = *std::max_element(q.begin(), q.end());
    double sum = 0;
    for (double& value : q) sum += value = std::exp((value - largest) / temperature);
    for (double& value : q) value /= sum;
}

void fill(const TargetPolicy& policy, std::span<const double> x, std::span<double> to) {
    switch (policy.kind) {
        case Kind::uniform:
            return std::fill(to.begin(), to.end(), 1 / static_cast<double>(to.size()));
        case Kind::always:
            std::fill(to.begin(), to.end(), 0.0);
            to[policy.action] = 1;
            return;
        case Kind::greedy:
        case Kind::softmax:
            for (std::size_t a = 0; a < to.size(); ++a)
                to[a] = dot(x, std::span(policy.weights).subspan(a * x.size(), x.size()));
            return policy.kind == Kind::greedy ? greedy(to, policy.epsilon) : softmax(to, policy.temperature);
        case Kind::columns:
        case Kind::behaviour:
            return;
    }
}

}  // namespace

bool is_computed(const TargetPolicy& policy) {
    return policy.kind != Kind::columns && policy.kind != Kind::behaviour;
}

TargetPolicy target_named(const std::string& text) {
    static constexpr std::array<std::string_view, 5> names{"uniform", "always:0", "behaviour", "greedy", "softmax"};
    if (text == "uniform") return {.kind = Kind::uniform, .weights = {}};
    if (text == "behaviour") return {.kind = Kind::behaviour, .weights = {}};
    if (text == "greedy") return {.kind = Kind::greedy, .weights = {}};
    if (text == "softmax") return {.kind = Kind::softmax, .weights = {}};
    if (text.starts_with("always:")) {
        const auto action = parse_count(std::string_view(text).substr(7));
        if (action && *action < 1'000'000)
            return {.kind = Kind::always, .action = static_cast<std::uint32_t>(*action), .weights = {}};
    }
    throw UsageError(fmt::format("target '{}' is none of uniform, always:A, behaviour, greedy, softmax{}", text,
                                 did_you_mean(text, names)));
}

std::vector<double> read_action_weights(const std::string& path, std::size_t dimension) {
    LineReader lines(path);
    std::string_view line;
    if (!lines.next(line) || line != "action,index,weight") fail(lines, "the first line must be 'action,index,weight'");
    std::vector<double> weights;
    while (lines.next(line)) {
        const std::size_t first = std::min(line.find(','), line.size());
        const std::size_t second = std::min(line.find(',', first + 1), line.size());
        const auto action = parse_count(line.substr(0, first));
        const auto index = parse_count(line.substr(std::min(first + 1, second), second - std::min(first + 1, second)));
        const auto weight = parse_number(line.substr(std::min(second + 1, line.size())));
        if (!action || *action >= 1'000'000 || !index || !weight || !std::isfinite(*weight))
            fail(lines, fmt::format("'{}' is not an action, an index and a finite weight", line));
        if (*index >= dimension)
            fail(lines, fmt::format("index {} is out of range: the log has {} features", *index, dimension));
        weights.resize(std::max(weights.size(), (*action + 1) * dimension));
        weights[*action * dimension + *index] = *weight;
    }
    if (weights.empty()) fail(lines, "there is no weight");
    return weights;
}

void set_target(Log& log, const TargetPolicy& policy) {
    if (policy.kind == Kind::columns) return;
    if (policy.kind == Kind::behaviour) {
        log.target = log.behaviour;
        return;
    }
    if (log.action.empty()) throw UsageError(fmt::format("{}: a target needs the column 'action'", log.name));
    const bool by_weights = policy.kind == Kind::greedy || policy.kind == Kind::softmax;
    const std::size_t known = by_weights                    ? policy.weights.size() / log.dimension
                              : policy.kind == Kind::always ? policy.action + std::size_t{1}
                                                            : 0;
    if (by_weights && known < log.actions)
        throw UsageError(fmt::format("the target's weights know {} actions; {} has {}", known, log.name, log.actions));
    if (known > log.actions) {
        if (!log.behaviour.empty() || !log.target.empty())
            throw UsageError(fmt::format("the target knows {0} actions; {1}0 ... {1}{2} know {3}", known,
                                         log.behaviour.empty() ? "pi" : "mu", log.actions - 1, log.actions));
        log.actions = known;
    }
    LongVector<double> target(log.memory, log.rows() * log.actions);
    for (std::size_t row = 0; row < log.rows(); ++row) {
        fill(policy, log.x(row), {&target[row * log.actions], log.actions});
        if (log.memory) log.memory->release_after(log.dimension * sizeof(double));
    }
    log.target = std::move(target);
    log.pi.clear();
    log.rho.clear();
}

std::vector<double> target_in(const TargetPolicy& policy, std::span<const double> features, std::size_t dimension,
                              std::size_t actions) {
    const std::size_t rows = features.size() / dimension;
    std::vector<double> target(rows * actions);
    for (std::size_t row = 0; row < rows; ++row)
        fill(policy, features.subspan(row * dimension, dimension), std::span(target).subspan(row * actions, actions));
    return target;
}

}  // namespace bellwether
