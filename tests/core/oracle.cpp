#include "oracle.hpp"

#include <array>
#include <stdexcept>
#include <string>

#include "oracle_parts.hpp"

namespace bellwether::test {
namespace {

// ---- temporal differences

void td0(Oracle& o, const Sample& s) {
    o.w += o.parameters.alpha * s.rho * td_error(o, s) * s.x;
}
void td(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    o.e = o.gamma * s.lambda * o.e + s.x;
    o.w += o.parameters.alpha * delta * o.e;
}
void td_replacing(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    for (std::size_t i = 0; i < o.e.size(); ++i) o.e[i] = s.x[i] != 0 ? s.x[i] : o.gamma * s.lambda * o.e[i];
    o.w += o.parameters.alpha * delta * o.e;
}
// The episode is kept, and gone through when it has ended: once backwards for its returns, once forwards.
void offline_td(Oracle& o, const Sample& s) {
    o.episode.push_back(s);
    if (s.gamma != 0) return;
    Vec returns(o.episode.size());
    for (std::size_t t = returns.size(); t-- > 0;) {
        const Sample& now = o.episode[t];
        returns[t] = now.reward;
        if (t + 1 < returns.size())
            returns[t] += now.gamma * ((1 - now.lambda_next) * dot(o.w, now.x_next) + now.lambda_next * returns[t + 1]);
    }
    for (std::size_t t = 0; t < returns.size(); ++t)
        o.w += o.parameters.alpha * (returns[t] - dot(o.w, o.episode[t].x)) * o.episode[t].x;
    o.episode.clear();
}
void off_policy_td(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    common_trace(o, s);
    o.w += o.parameters.alpha * delta * o.e;
}
void to_td(Oracle& o, const Sample& s) {
    const double alpha = o.parameters.alpha, v = dot(o.w_prev, s.x);
    o.e = o.gamma * s.lambda * o.e + alpha * (1 - o.gamma * s.lambda * dot(o.e, s.x)) * s.x;
    o.w += (s.reward + s.gamma * dot(o.w, s.x_next) - v) * o.e + alpha * (v - dot(o.w, s.x)) * s.x;
}
void tree_backup(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    o.e = o.gamma * s.lambda * o.pi_prev * o.e + s.x;
    o.w += o.parameters.alpha * s.rho * delta * o.e;
}
void vtrace(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    o.e = o.gamma * s.lambda * std::min(1.0, o.rho_prev) * o.e + s.x;
    o.w += o.parameters.alpha * s.rho * delta * o.e;
}
void vtrace_clipped(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    o.e = o.gamma * s.lambda * std::min(1.0, o.rho_prev) * o.e + s.x;
    o.w += o.parameters.alpha * std::min(1.0, s.rho) * delta * o.e;
}
void abtd(Oracle& o, const Sample& s) {
    const auto& p = o.parameters;
    const double delta = td_error(o, s);
    const double psi = 2 * p.zeta * p.psi0 + std::max(0.0, 2 * p.zeta - 1) * (p.psi_max - 2 * p.psi0);
    const double nu_prev = std::min(psi, 1 / std::max(o.pi_prev, o.mu_prev));
    o.e = o.gamma * nu_prev * o.pi_prev * o.e + s.x;
    o.w += p.alpha * s.rho * delta * o.e;
}

void implicit_td(Oracle& o, const Sample& s) {
    const double alpha = o.parameters.alpha, delta = td_error(o, s);
    const Vec y = o.gamma * s.lambda * o.e + s.x;
    o.e = s.rho * y;
    o.w += alpha * delta / (1 + alpha * s.rho * dot(y, y)) * o.e;
}

// ---- provisional

void ptd_with(Oracle& o, const Sample& s, double decay) {
    const double alpha = o.parameters.alpha, delta = td_error(o, s);
    const double delta_bar = s.reward + dot(o.w, s.x_next) - dot(o.w, s.x);
    common_trace(o, s);
    o.w += alpha * delta * o.e + (s.rho - 1) * o.h;
    o.h = decay * (s.rho * o.h + alpha * delta_bar * o.e);
}
void ptd(Oracle& o, const Sample& s) {
    ptd_with(o, s, s.gamma * s.lambda_next);
}
void ptd_as_printed(Oracle& o, const Sample& s) {
    ptd_with(o, s, o.gamma * s.lambda);
}

// ---- emphatic

// F ← ρ⁻ β F + I, M = l I + (1−l)F
void emphasis(Oracle& o, const Sample& s, double beta) {
    o.F = o.rho_prev * beta * o.F + s.interest;
    o.M = s.lambda * s.interest + (1 - s.lambda) * o.F;
}
void etd_with(Oracle& o, const Sample& s, double beta) {
    const double delta = td_error(o, s);
    emphasis(o, s, beta);
    o.e = s.rho * (o.gamma * s.lambda * o.e + o.M * s.x);
    o.w += o.parameters.alpha * delta * o.e;
}
void etd(Oracle& o, const Sample& s) {
    etd_with(o, s, o.gamma);
}
void etd_beta(Oracle& o, const Sample& s) {
    etd_with(o, s, o.parameters.beta_scale * o.gamma);
}
void to_etd_with(Oracle& o, const Sample& s, double beta) {
    const double alpha = o.parameters.alpha, delta = td_error(o, s), decay = s.rho * o.gamma * s.lambda;
    emphasis(o, s, beta);
    o.e = decay * o.e + s.rho * alpha * o.M * (1 - decay * dot(s.x, o.e)) * s.x;
    o.w += delta * o.e + dot(o.w - o.w_prev, s.x) * (o.e - alpha * o.M * s.rho * s.x);
}
void to_etd(Oracle& o, const Sample& s) {
    to_etd_with(o, s, o.gamma);
}
void to_etd_beta(Oracle& o, const Sample& s) {
    to_etd_with(o, s, o.parameters.beta_scale * o.gamma);
}

// ---- gradient

void gtd(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    common_trace(o, s);
    const Vec dw = delta * o.e - correction(s, o.e, o.h);
    const Vec dh = delta * o.e - dot(s.x, o.h) * s.x;
    o.w += o.parameters.alpha * dw;
    o.h += alpha_h(o) * dh;
}
void gtd2(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    common_trace(o, s);
    const Vec dw = dot(s.x, o.h) * s.x - correction(s, o.e, o.h);
    const Vec dh = delta * o.e - dot(s.x, o.h) * s.x;
    o.w += o.parameters.alpha * dw;
    o.h += alpha_h(o) * dh;
}
void tdrc(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    common_trace(o, s);
    const Vec dw = delta * o.e - correction(s, o.e, o.h);
    const Vec dh = delta * o.e - dot(s.x, o.h) * s.x - o.parameters.regularization * o.h;
    o.w += o.parameters.alpha * dw;
    o.h += alpha_h(o) * dh;
}
void gtd2_mp(Oracle& o, const Sample& s) {
    const double alpha = o.parameters.alpha;
    common_trace(o, s);
    Oracle half = o;
    half.h = o.h + alpha_h(o) * (td_error(o, s) * o.e - dot(s.x, o.h) * s.x);
    half.w = o.w + alpha * (dot(s.x, o.h) * s.x - correction(s, o.e, o.h));
    const double delta_half = td_error(half, s);
    o.w += alpha * (dot(s.x, half.h) * s.x - correction(s, o.e, half.h));
    o.h += alpha_h(o) * (delta_half * o.e - dot(s.x, half.h) * s.x);
}
void tdc_mp(Oracle& o, const Sample& s) {
    const double alpha = o.parameters.alpha, delta = td_error(o, s);
    common_trace(o, s);
    Oracle half = o;
    half.h = o.h + alpha_h(o) * (delta * o.e - dot(s.x, o.h) * s.x);
    half.w = o.w + alpha * (delta * o.e - correction(s, o.e, o.h));
    const double delta_half = td_error(half, s);
    o.w += alpha * (delta_half * o.e - correction(s, o.e, half.h));
    o.h += alpha_h(o) * (delta_half * o.e - dot(s.x, half.h) * s.x);
}

// z ← ρ(g l z + h·x)
void trace_of_h(Oracle& o, const Sample& s) {
    common_trace(o, s);
    o.z = s.rho * (o.gamma * s.lambda * o.z + dot(o.h, s.x));
}
void gtd2_trace(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    trace_of_h(o, s);
    const Vec dh = delta * o.e - dot(s.x, o.h) * s.x;
    o.w += o.parameters.alpha * o.z * u_of(s);
    o.h += alpha_h(o) * dh;
}
void tdrc_trace(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    trace_of_h(o, s);
    const Vec change = delta * o.e - dot(s.x, o.h) * s.x;
    o.w += o.parameters.alpha * (change + o.z * u_of(s));
    o.h += alpha_h(o) * (change - o.parameters.regularization * o.h);
}

// e° ← ρ[g l e° + α(1 − ρ g l x·e°)x];  returns d = δe° + (e° − αρx)((w_t − w_{t−1})·x)
Vec true_online_change(Oracle& o, const Sample& s) {
    const double alpha = o.parameters.alpha, gl = o.gamma * s.lambda;
    o.e_online = s.rho * (gl * o.e_online + alpha * (1 - s.rho * gl * dot(s.x, o.e_online)) * s.x);
    return td_error(o, s) * o.e_online + dot(o.w - o.w_prev, s.x) * (o.e_online - alpha * s.rho * s.x);
}
void to_gtd(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s), decay_h = o.rho_prev * o.gamma * s.lambda;
    const Vec d = true_online_change(o, s);
    common_trace(o, s);
    o.e_h = decay_h * o.e_h + alpha_h(o) * (1 - decay_h * dot(s.x, o.e_h)) * s.x;
    const Vec dw = d - o.parameters.alpha * correction(s, o.e, o.h);
    const Vec dh = s.rho * delta * o.e_h - alpha_h(o) * dot(s.x, o.h) * s.x;
    o.w += dw;
    o.h += dh;
}

// ---- hybrid

void hybrid_traces(Oracle& o, const Sample& s) {
    common_trace(o, s);
    o.e_mu = o.gamma * s.lambda * o.e_mu + s.x;
}
void htd(Oracle& o, const Sample& s) {
    const double delta = td_error(o, s);
    hybrid_traces(o, s);
    const Vec dw = delta * o.e + dot(o.e - o.e_mu, o.h) * u_of(s);
    const Vec dh = delta * o.e - dot(o.e_mu, o.h) * u_of(s);
    o.w += o.parameters.alpha * dw;
    o.h += alpha_h(o) * dh;
}
void to_htd_with(Oracle& o, const Sample& s, double d_in_h) {
    const Vec d = true_online_change(o, s);
    hybrid_traces(o, s);
    const Vec dw = d + o.parameters.alpha * dot(o.e - o.e_mu, o.h) * u_of(s);
    const Vec dh = d_in_h * d - alpha_h(o) * dot(o.e_mu, o.h) * u_of(s);
    o.w += dw;
    o.h += dh;
}
void to_htd(Oracle& o, const Sample& s) {
    to_htd_with(o, s, o.parameters.eta);
}
void to_htd_as_printed(Oracle& o, const Sample& s) {
    to_htd_with(o, s, 1);
}

// ---- least squares

void lstd(Oracle& o, const Sample& s) {
    common_trace(o, s);
    const Vec u = u_of(s);
    for (std::size_t i = 0; i < o.w.size(); ++i) o.A[i] += o.e[i] * u;
    o.b += s.reward * o.e;
    o.w = solve(o.A, o.b);
}

struct OracleRow {
    std::string_view id;
    OracleUpdate update;
};
constexpr std::array rows{
    OracleRow{"td0", td0},
    OracleRow{"td", td},
    OracleRow{"to-td", to_td},
    OracleRow{"ptd", ptd},
    OracleRow{"gtd", gtd},
    OracleRow{"to-etd", to_etd},
    OracleRow{"to-etd-beta", to_etd_beta},
    OracleRow{"htd", htd},
    OracleRow{"to-gtd", to_gtd},
    OracleRow{"gtd2-mp", gtd2_mp},
    OracleRow{"tdc-mp", tdc_mp},
    OracleRow{"to-htd", to_htd},
    OracleRow{"ptd-as-printed", ptd_as_printed},
    OracleRow{"to-htd-as-printed", to_htd_as_printed},
    OracleRow{"off-policy-td", off_policy_td},
    OracleRow{"etd", etd},
    OracleRow{"etd-beta", etd_beta},
    OracleRow{"gtd2", gtd2},
    OracleRow{"tdrc", tdrc},
    OracleRow{"tb", tree_backup},
    OracleRow{"vtrace", vtrace},
    OracleRow{"abtd", abtd},
    OracleRow{"lstd", lstd},
    OracleRow{"implicit-td", implicit_td},
    OracleRow{"swift-td", swift_td},
    OracleRow{"tidbd", tidbd},
    OracleRow{"tidbd-full", tidbd_full},
    OracleRow{"auto-tidbd", auto_tidbd},
    OracleRow{"obgd-td", obgd_td},
    OracleRow{"alpha-bound", alpha_bound},
    OracleRow{"wis-td", wis_td},
    OracleRow{"wis-lstd", wis_lstd},
    OracleRow{"tdrc-trace", tdrc_trace},
    OracleRow{"gtd2-trace", gtd2_trace},
    OracleRow{"variance", variance},
    OracleRow{"differential-td", differential_td},
    OracleRow{"td-replacing", td_replacing},
    OracleRow{"offline-td", offline_td},
    OracleRow{"vtrace-clipped", vtrace_clipped},
};

OracleUpdate update_of(std::string_view id) {
    for (const OracleRow& row : rows)
        if (row.id == id) return row.update;
    throw std::invalid_argument("the oracle does not know " + std::string(id));
}

}  // namespace

std::vector<std::string_view> oracle_ids() {
    std::vector<std::string_view> ids;
    for (const OracleRow& row : rows) ids.push_back(row.id);
    return ids;
}

Oracle::Oracle(std::string_view id, OracleParameters given, Vec w_0)
    : parameters(given),
      w(std::move(w_0)),
      h(w.size()),
      A(w.size(), Vec(w.size())),
      b(parameters.epsilon * w),
      step_sizes(w.size(), parameters.alpha),
      h_prev(w.size()),
      normalizer(w.size()),
      usage(w.size(), 1 / parameters.alpha),
      m(w.size()),
      update_(update_of(id)),
      h_is_a_trace_(id.starts_with("ptd") || id == "wis-td") {
    for (std::size_t i = 0; i < w.size(); ++i) A[i][i] = parameters.epsilon;
    if (id == "swift-td")
        for (double& alpha : step_sizes) alpha = std::min(std::max(alpha, parameters.alpha_min), parameters.bound);
    start();
}

void Oracle::start() {
    e = e_mu = e_online = e_h = e_bar = p = q = b_trace = Vec(w.size());
    A_trace = Mat(w.size(), Vec(w.size()));
    z = 0;
    episode.clear();
    if (h_is_a_trace_) h = Vec(w.size());
    F = 0;
    w_prev = w;
    gamma = 0;
    rho_prev = pi_prev = mu_prev = 1;
}

void Oracle::step(const Sample& s) {
    if (s.starts_segment) start();
    const Vec w_now = w;
    update_(*this, s);
    w_prev = w_now;
    gamma = s.gamma;
    rho_prev = s.rho;
    pi_prev = s.pi;
    mu_prev = s.mu;
}

}  // namespace bellwether::test
