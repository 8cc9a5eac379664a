// Updates with step sizes of their own, with weighted importance sampling, and of what is not a value.
#include "oracle_parts.hpp"

namespace bellwether::test {
namespace {

double positive(double a) {
    return std::max(0.0, a);
}
double sign_free_sum(const Vec& a) {
    double sum = 0;
    for (const double value : a) sum += std::fabs(value);
    return sum;
}

void tidbd_with(Oracle& o, const Sample& s, const Vec& y) {
    const double delta = td_error(o, s);
    common_trace(o, s);
    for (std::size_t i = 0; i < o.w.size(); ++i) {
        double& alpha = o.step_sizes[i];
        alpha *= std::exp(o.parameters.theta * s.rho * delta * y[i] * o.h[i]);
        o.w[i] += alpha * delta * o.e[i];
        o.h[i] = o.h[i] * positive(1 - alpha * o.e[i] * y[i]) + alpha * delta * o.e[i];
    }
}

}  // namespace

// ---- step sizes that take care of themselves

void obgd_td(Oracle& o, const Sample& s) {
    const double alpha = o.parameters.alpha, delta = td_error(o, s);
    common_trace(o, s);
    const double M = alpha * o.parameters.kappa * std::max(std::fabs(delta), 1.0) * sign_free_sum(o.e);
    o.w += alpha / std::max(M, 1.0) * delta * o.e;
}
void alpha_bound(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    common_trace(o, s);
    const double ahead = std::fabs(dot(o.e, u_of(s)));
    double& a = o.step_sizes[0];
    if (a * ahead > 1) a = 1 / ahead;
    o.w += a * delta * o.e;
}
void tidbd(Oracle& o, const Sample& s) {
    tidbd_with(o, s, s.x);
}
void tidbd_full(Oracle& o, const Sample& s) {
    tidbd_with(o, s, u_of(s));
}
void auto_tidbd(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    const Vec u = u_of(s);
    common_trace(o, s);
    double M = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
        double &alpha = o.step_sizes[i], &n = o.normalizer[i];
        const double q = s.rho * delta * u[i] * o.h[i];
        n = std::max(std::fabs(q), n + alpha * o.e[i] * u[i] * (std::fabs(q) - n) / o.parameters.tau);
        if (n != 0) alpha *= std::exp(o.parameters.theta * q / n);
        M += alpha * o.e[i] * u[i];
    }
    M = std::max(M, 1.0);
    for (std::size_t i = 0; i < u.size(); ++i) {
        double& alpha = o.step_sizes[i];
        alpha /= M;
        o.w[i] += alpha * delta * o.e[i];
        o.h[i] = o.h[i] * positive(1 - alpha * o.e[i] * u[i]) + alpha * delta * o.e[i];
    }
}
void swift_td(Oracle& o, const Sample& s) {
    const auto& p = o.parameters;
    const double delta = td_error(o, s), c = s.rho * o.gamma * s.lambda;
    const double D = o.gamma == 0 ? 0 : dot(o.w - o.w_prev, s.x);
    double tau = 0;
    for (std::size_t i = 0; i < s.x.size(); ++i) tau += s.rho * o.step_sizes[i] * s.x[i] * s.x[i];
    const double m = tau > p.bound ? p.bound / tau : 1, b = c * dot(o.e, s.x);
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        const double x = s.x[i], step = s.rho * m * o.step_sizes[i] * x;
        o.e[i] = c * o.e[i] + (1 - b) * step;
        o.p[i] = c * o.p[i] + s.rho * o.h_prev[i] * x;
        o.e_bar[i] = c * o.e_bar[i] + step * (1 - b - c * o.e_bar[i] * x);
        double k = o.h[i] - o.h_prev[i] * x * (o.e[i] - step) - o.h[i] * step * x;
        if (tau > p.bound && x != 0) {
            k = o.h[i] = o.e_bar[i] = 0;
            o.step_sizes[i] *= std::pow(p.decay, x * x);
        }
        o.w[i] += (delta + D) * o.e[i] - D * step;
        o.step_sizes[i] = std::clamp(o.step_sizes[i] * std::exp(p.theta * delta * o.p[i] / o.step_sizes[i]),
                                     std::min(p.alpha_min, p.bound), p.bound);
        o.h_prev[i] = o.h[i];
        o.h[i] = k + (delta + D) * o.e_bar[i] - D * step;
    }
}

// ---- weighted importance sampling

void wis_td(Oracle& o, const Sample& s) {
    const double c = o.gamma * s.lambda, forget = o.parameters.recency * o.parameters.alpha;
    const double v = o.gamma == 0 ? dot(o.w, s.x) : dot(o.w_prev, s.x);
    Vec a(s.x.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double square = s.x[i] * s.x[i], k = 1 - forget * square;
        o.usage[i] = k * o.usage[i] + s.rho * square + (s.rho - 1) * c * k * o.q[i];
        o.q[i] = s.rho * c * k * o.q[i] + s.rho * square;
        a[i] = o.usage[i] == 0 ? 0 : s.x[i] / o.usage[i];
    }
    o.e = s.rho * (c * o.e + (1 - s.rho * c * dot(s.x, o.e)) * a);
    const Vec f = c * (o.h - s.rho * dot(s.x, o.h) * a);
    const double next = dot(o.w, s.x_next);
    o.w += (s.reward + s.gamma * next - v) * o.e + s.rho * (v - dot(o.w, s.x)) * a + (s.rho - 1) * f;
    o.h = s.rho * f + (s.reward + next - v) * o.e;
}
void wis_lstd(Oracle& o, const Sample& s) {
    common_trace(o, s);
    const Vec u = u_of(s);
    const double decay = s.gamma * s.lambda_next;
    for (std::size_t i = 0; i < o.w.size(); ++i) {
        o.A[i] += o.e[i] * u + (s.rho - 1) * o.A_trace[i];
        o.A_trace[i] = decay * (s.rho * o.A_trace[i] + o.e[i] * (s.x - s.x_next));
    }
    o.b += s.reward * o.e + (s.rho - 1) * o.b_trace;
    o.b_trace = decay * (s.rho * o.b_trace + s.reward * o.e);
    o.w = solve(o.A, o.b);
}

// ---- beside values

void variance(Oracle& o, const Sample& s) {
    const auto& p = o.parameters;
    const double delta = td_error(o, s), discount = o.gamma * p.target_lambda, next = s.gamma * p.target_lambda;
    common_trace(o, s);
    o.q = s.rho * (discount * discount * p.variance_lambda * o.q + s.x);
    o.w += p.alpha * delta * o.e;
    o.m += p.eta * p.alpha * (delta * delta + next * next * dot(o.m, s.x_next) - dot(o.m, s.x)) * o.q;
}
void differential_td(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s) - o.average_reward;
    common_trace(o, s);
    o.z = s.rho * (o.gamma * s.lambda * o.z + 1);
    o.w += o.parameters.alpha * delta * o.e;
    o.average_reward += alpha_h(o) * delta * o.z;
}

}  // namespace bellwether::test
