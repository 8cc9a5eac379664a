// An independent, slow transcription of every update equation in plain vectors. It shares no code with the library:
// half steps are materialised, the true-online methods keep w_{t−1} as a second vector, LSTD solves A w = b anew.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace bellwether::test {

// ---- plain linear algebra

using Vec = std::vector<double>;
using Mat = std::vector<Vec>;  // by rows

inline double dot(const Vec& a, const Vec& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}
inline Vec operator*(double c, Vec a) {
    for (double& value : a) value *= c;
    return a;
}
inline Vec operator+(Vec a, const Vec& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}
inline Vec operator-(Vec a, const Vec& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
}
inline Vec& operator+=(Vec& a, const Vec& b) {
    return a = a + b;
}
inline double largest(std::span<const double> a) {
    double result = 0;
    for (const double value : a) result = std::isnan(value) ? value : std::max(result, std::fabs(value));
    return result;
}
// |a − b|∞ relative to max(1, |b|∞). Infinite where either is not finite, so that no comparison passes by NaN.
inline double deviation(std::span<const double> a, std::span<const double> b) {
    double difference = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (!std::isfinite(a[i]) || !std::isfinite(b[i])) return HUGE_VAL;
        difference = std::max(difference, std::fabs(a[i] - b[i]));
    }
    return difference / std::max(1.0, largest(b));
}

// Gaussian elimination with partial pivoting.
inline Vec solve(Mat A, Vec b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::fabs(A[i][k]) > std::fabs(A[pivot][k])) pivot = i;
        std::swap(A[k], A[pivot]);
        std::swap(b[k], b[pivot]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const double factor = A[i][k] / A[k][k];
            for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
    return b;
}

// ---- one step of a stream

struct Sample {
    bool starts_segment = false;  // the learner is told start() before this step
    Vec x, x_next;
    double reward = 0;
    double gamma = 0;  // γ_{t+1}, of the transition out of x
    double lambda = 0, lambda_next = 0;
    double rho = 1, pi = 1, mu = 1;
    double interest = 1;
};
using Stream = std::vector<Sample>;

// ---- the oracle

struct OracleParameters {
    double alpha = 0;
    double eta = 1;
    double beta_scale = 0.5;
    double regularization = 1;
    double zeta = 0.5, psi0 = 1, psi_max = 2;
    double epsilon = 0.01;
    double theta = 0.01, bound = 0.1, decay = 0.99, alpha_min = 1e-4, tau = 100;
    double kappa = 2, recency = 1;
    double variance_lambda = 0, target_lambda = 1;
};

// Every quantity that some update equation names. An algorithm uses those its equations name and leaves the rest.
struct Oracle;
using OracleUpdate = void (*)(Oracle&, const Sample&);

struct Oracle {
    Oracle(std::string_view id, OracleParameters parameters, Vec w_0);

    void start();
    void step(const Sample& s);  // with start() where the sample begins a segment

    OracleParameters parameters;
    Vec w, w_prev;  // w_t, w_{t−1}
    Vec h;
    Vec e, e_mu, e_online, e_h;
    double F = 0, M = 0;
    Mat A;  // of LSTD, with b
    Vec b;
    Mat A_trace;  // F of WIS-LSTD, with its f
    Vec b_trace;
    Vec step_sizes, h_prev, normalizer, usage;
    Vec e_bar, p, q;  // further traces
    double z = 0;
    Vec m;  // of the variance
    double average_reward = 0;
    Stream episode;    // so far
    double gamma = 0;  // γ_t, of the transition into x
    double rho_prev = 1, pi_prev = 1, mu_prev = 1;

private:
    OracleUpdate update_;
    bool h_is_a_trace_;
};

// The ids of all algorithms the oracle knows.
std::vector<std::string_view> oracle_ids();

}  // namespace bellwether::test
