#include "logs/ratios.hpp"

#include <fmt/format.h>

#include "support/error.hpp"

namespace bellwether {

namespace {

using Kind = TargetPolicy::Kind;

std::string describe(const TargetPolicy& target, const Log& log) {
    switch (target.kind) {
        case Kind::columns:
            if (!log.target.empty()) return fmt::format("columns pi0 … pi{}", log.actions - 1);
            return log.pi.empty() ? "column rho" : "column pi";
        case Kind::uniform:
            return "uniform";
        case Kind::always:
            return fmt::format("always {}", target.action);
        case Kind::behaviour:
            return "the behaviour (on-policy)";
        case Kind::greedy:
            return target.epsilon > 0 ? fmt::format("greedy, epsilon {}", target.epsilon) : "greedy";
        case Kind::softmax:
            break;
    }
    return fmt::format("softmax, temperature {}", target.temperature);
}

void take_given(Log& log, const std::vector<double>& given) {
    if (log.action.empty()) throw UsageError(fmt::format("{}: given probabilities need the column 'action'", log.name));
    if (given.size() != log.steps() * log.actions)
        throw UsageError(fmt::format("the behaviour has {} numbers where {} has {} steps of {} actions", given.size(),
                                     log.name, log.steps(), log.actions));
    log.behaviour = LongVector<double>(log.memory, log.rows() * log.actions);
    log.mu = LongVector<double>(log.memory, log.rows());
    std::size_t step = 0;
    for_each_step(log, [&](std::size_t row) {
        double sum = 0;
        for (std::size_t a = 0; a < log.actions; ++a) {
            const double mu = given[step * log.actions + a];
            if (!(mu >= 0 && mu <= 1))
                throw UsageError(
                    fmt::format("the behaviour's mu{} = {} in step {}: a probability must be in [0, 1]", a, mu, step));
            sum += log.behaviour[row * log.actions + a] = mu;
        }
        if (!(sum > 1 - 1e-6 && sum < 1 + 1e-6))
            throw UsageError(
                fmt::format("the behaviour's probabilities add up to {:.6g}, not 1, in step {}", sum, step));
        log.mu[row] = given[step * log.actions + log.action[row]];
        if (log.mu[row] == 0) throw UsageError(fmt::format("mu is 0 for an action that was taken, in step {}", step));
        ++step;
    });
}

void take_fitted(Log& log, RatioSource& source, const std::string& model) {
    if (log.action.empty()) throw UsageError(fmt::format("{}: a behaviour is fitted to the column 'action'", log.name));
    const BehaviourData data = behaviour_data(log);
    source.fitted = fit_behaviour(data, model);
    std::vector<double> rewards;
    for_each_step(log, [&](std::size_t row) { rewards.push_back(log.reward[row]); });
    BehaviourReport& report = source.fitted->report;
    report.memory = memory_test(data, rewards, report.ridge > 0 ? report.ridge : 1);
    source.behaviour = fmt::format("{}, fitted", report.model);
    source.unsupported_below = source.fitted->model->unsupported_below();
    log.behaviour = LongVector<double>(log.memory, log.rows() * log.actions);
    log.mu = LongVector<double>(log.memory, log.rows());
    for_each_step(log, [&](std::size_t row) {
        const std::span<double> to(&log.behaviour[row * log.actions], log.actions);
        source.fitted->model->probabilities(log.x(row), to);
        log.mu[row] = to[log.action[row]];
    });
}

[[noreturn]] void refuse(const Log& log) {
    throw UsageError(fmt::format(
        "{}: no ratios: give rho, or pi and mu, or actions with pi0 ... (or --target) and --behaviour", log.name));
}

}  // namespace

RatioSource set_ratios(Log& log, const TargetPolicy& target, const BehaviourSource& behaviour) {
    RatioSource source;
    set_target(log, target);
    const bool nothing = log.rho.empty() && log.pi.empty() && log.mu.empty() && log.target.empty();
    if (target.kind == Kind::behaviour ||
        (target.kind == Kind::columns && nothing && behaviour.model.empty() && behaviour.given.empty())) {
        source.on_policy = target.kind != Kind::behaviour;  // by what is missing, which a note says
        source.in_columns = log.rho.empty();
        source.target = describe({.kind = Kind::behaviour, .weights = {}}, log);
        source.behaviour = log.mu.empty() ? "as logged" : log.behaviour.empty() ? "column mu" : "columns mu0 …";
        log.rho.assign(log.rows(), 1);
        return source;
    }
    source.target = describe(target, log);
    source.in_columns = !is_computed(target) && behaviour.given.empty() && behaviour.model.empty();
    if (!behaviour.given.empty()) {
        take_given(log, behaviour.given);
        source.behaviour = "given";
        source.unsupported_below = behaviour.unsupported_below;
        log.rho.clear();
    } else if (!behaviour.model.empty()) {
        take_fitted(log, source, behaviour.model);
        log.rho.clear();
    } else {
        source.behaviour = log.mu.empty()          ? "in the ratios"
                           : log.behaviour.empty() ? "column mu"
                                                   : fmt::format("columns mu0 … mu{}", log.actions - 1);
    }
    if (!log.rho.empty()) return source;
    if (log.mu.empty() || (log.pi.empty() && log.target.empty())) refuse(log);
    log.rho.assign(log.rows(), 0);
    for_each_step(log, [&](std::size_t row) {
        const double pi = log.target.empty() ? log.pi[row] : log.target_of(row)[log.action[row]];
        log.rho[row] = pi / log.mu[row];
    });
    return source;
}

}  // namespace bellwether
