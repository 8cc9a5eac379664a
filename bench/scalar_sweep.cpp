// With one active feature every correction touches at most two components beside the traces, so that one pass per step
// does everything but the error of the weights.
#include "scalar_sweep.hpp"

#include <algorithm>
#include <cmath>

namespace bench::BELLWETHER_SCALAR_NAMESPACE {
namespace {

struct Vector {
    alignas(64) double at[most_scalar_dimensions]{};
};

struct Step {
    std::size_t x, x_next;
    double reward, gamma, gamma_next, rho;
};

// The error of the weights in a pass of its own, when they are complete.
class ErrorAfterwards {
public:
    explicit ErrorAfterwards(const ScalarProblem& problem) : problem_(problem) {}

    void see(std::size_t, double) {}
    void add(Vector& w, std::size_t i, double amount) { w.at[i] += amount; }
    double of(const Vector& w) const {
        double sum = 0;
        for (std::size_t i = 0; i < problem_.dimension; ++i)
            sum += problem_.error_scale[i] * std::fabs(w.at[i] - problem_.truth[i]);
        return sum;
    }

private:
    const ScalarProblem& problem_;
};

// The error in the pass that moves the weights, put right where one of them moves again: what is to be had by thinking
// of it.
class ErrorOnTheWay {
public:
    explicit ErrorOnTheWay(const ScalarProblem& problem) : problem_(problem) {}

    void see(std::size_t i, double w_i) { sum_ += term(i, w_i); }
    void add(Vector& w, std::size_t i, double amount) {
        const double before = term(i, w.at[i]);
        w.at[i] += amount;
        sum_ += term(i, w.at[i]) - before;
    }
    double of(const Vector&) const { return sum_; }

private:
    double term(std::size_t i, double w_i) const {
        return problem_.error_scale[i] * std::fabs(w_i - problem_.truth[i]);
    }

    const ScalarProblem& problem_;
    double sum_ = 0;
};

struct Td {
    Vector w, e;

    template <class Error>
    void step(const Step& s, const ScalarConfiguration& p, std::size_t d, Error& error) {
        const double delta = s.reward + s.gamma_next * w.at[s.x_next] - w.at[s.x];
        const double w_e = p.alpha * delta, decay = s.gamma * p.lambda;
        for (std::size_t i = 0; i < d; ++i) {
            e.at[i] *= decay;
            w.at[i] += w_e * e.at[i];
            error.see(i, w.at[i]);
        }
        e.at[s.x] += 1;
        error.add(w, s.x, w_e);
    }
};

struct Gtd {
    Vector w, h, e;

    template <class Error>
    void step(const Step& s, const ScalarConfiguration& p, std::size_t d, Error& error) {
        const double alpha_h = p.eta * p.alpha, h_x = h.at[s.x];
        const double delta = s.reward + s.gamma_next * w.at[s.x_next] - w.at[s.x];
        const double w_e = p.alpha * delta, h_e = alpha_h * delta, decay = s.rho * s.gamma * p.lambda;
        double e_h = s.rho * h_x;
        for (std::size_t i = 0; i < d; ++i) {
            e.at[i] *= decay;
            e_h += e.at[i] * h.at[i];
            w.at[i] += w_e * e.at[i];
            error.see(i, w.at[i]);
            h.at[i] += h_e * e.at[i];
        }
        e.at[s.x] += s.rho;
        error.add(w, s.x, w_e * s.rho);
        error.add(w, s.x_next, -(p.alpha * s.gamma_next * (1 - p.lambda) * e_h));
        h.at[s.x] += h_e * s.rho - alpha_h * h_x;
    }
};

struct Htd {
    Vector w, h, e, e_mu;

    template <class Error>
    void step(const Step& s, const ScalarConfiguration& p, std::size_t d, Error& error) {
        const double alpha_h = p.eta * p.alpha;
        const double delta = s.reward + s.gamma_next * w.at[s.x_next] - w.at[s.x];
        const double w_e = p.alpha * delta, h_e = alpha_h * delta;
        const double decay_mu = s.gamma * p.lambda, decay = s.rho * decay_mu;
        double e_h = s.rho * h.at[s.x], e_mu_h = h.at[s.x];
        for (std::size_t i = 0; i < d; ++i) {
            e.at[i] *= decay;
            e_mu.at[i] *= decay_mu;
            e_h += e.at[i] * h.at[i];
            e_mu_h += e_mu.at[i] * h.at[i];
            w.at[i] += w_e * e.at[i];
            error.see(i, w.at[i]);
            h.at[i] += h_e * e.at[i];
        }
        e.at[s.x] += s.rho;
        e_mu.at[s.x] += 1;
        const double w_u = p.alpha * (e_h - e_mu_h), h_u = -alpha_h * e_mu_h;
        error.add(w, s.x, w_e * s.rho + w_u);
        error.add(w, s.x_next, -(w_u * s.gamma_next));
        h.at[s.x] += h_e * s.rho + h_u;
        h.at[s.x_next] -= h_u * s.gamma_next;
    }
};

struct ToHtd {
    Vector w, h, e, e_mu, e_online;
    double v = 0;

    template <class Error>
    void step(const Step& s, const ScalarConfiguration& p, std::size_t d, Error& error) {
        const double alpha_h = p.eta * p.alpha, alpha_rho = p.alpha * s.rho;
        const double w_x = w.at[s.x], w_x_next = w.at[s.x_next];
        const double change = w_x - v;
        const double decay_mu = s.gamma * p.lambda, decay = s.rho * decay_mu;
        const double online_x = alpha_rho * (1 - decay * e_online.at[s.x]);
        const double d_e = s.reward + s.gamma_next * w_x_next - w_x + change, d_x = -alpha_rho * change;
        const double h_e = p.eta * d_e;
        double e_h = s.rho * h.at[s.x], e_mu_h = h.at[s.x];
        for (std::size_t i = 0; i < d; ++i) {
            e.at[i] *= decay;
            e_mu.at[i] *= decay_mu;
            e_online.at[i] *= decay;
            e_h += e.at[i] * h.at[i];
            e_mu_h += e_mu.at[i] * h.at[i];
            w.at[i] += d_e * e_online.at[i];
            error.see(i, w.at[i]);
            h.at[i] += h_e * e_online.at[i];
        }
        e.at[s.x] += s.rho;
        e_mu.at[s.x] += 1;
        e_online.at[s.x] += online_x;
        const double w_u = p.alpha * (e_h - e_mu_h), h_u = -alpha_h * e_mu_h;
        error.add(w, s.x, d_e * online_x + d_x + w_u);
        error.add(w, s.x_next, -(w_u * s.gamma_next));
        h.at[s.x] += p.eta * (d_e * online_x + d_x) + h_u;
        h.at[s.x_next] -= h_u * s.gamma_next;
        v = w_x_next;
    }
};

template <class Agent, class Error>
double run(const ScalarProblem& problem, const ScalarConfiguration& configuration) {
    Agent agent;
    std::copy_n(problem.initial_weights, problem.dimension, agent.w.at);
    double gamma = 0, sum = 0;
    for (std::size_t t = 0; t < problem.steps; ++t) {
        const Step step{.x = problem.features[t],
                        .x_next = problem.features[t + 1],
                        .reward = problem.reward[t],
                        .gamma = gamma,
                        .gamma_next = problem.gamma[t],
                        .rho = problem.rho[t]};
        Error error(problem);
        agent.step(step, configuration, problem.dimension, error);
        sum += error.of(agent.w);
        gamma = problem.gamma[t];
    }
    return sum / static_cast<double>(problem.steps);
}

template <class Error>
ScalarRun* find(std::string_view algorithm) {
    if (algorithm == "td") return run<Td, Error>;
    if (algorithm == "gtd") return run<Gtd, Error>;
    if (algorithm == "htd") return run<Htd, Error>;
    if (algorithm == "to-htd") return run<ToHtd, Error>;
    return nullptr;
}

}  // namespace

ScalarRun* find_scalar_run(std::string_view algorithm, ScalarError error) {
    return error == ScalarError::afterwards ? find<ErrorAfterwards>(algorithm) : find<ErrorOnTheWay>(algorithm);
}

}  // namespace bench::BELLWETHER_SCALAR_NAMESPACE
