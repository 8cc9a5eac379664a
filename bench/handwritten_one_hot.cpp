// With one active feature the error is known before the pass and the terms in x and x' touch two components: one pass
// does everything.
#include "handwritten.hpp"

namespace bench {
namespace handwritten {
namespace {

struct Td {
    explicit Td(std::size_t d) : w(d), e(d), d_(d) {}

    void run(const OneHotStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.indices[t], stream.indices[t + 1], stream.transitions[t], p);
    }
    void step(std::size_t x, std::size_t x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict e_ = e.data();
        const double delta = s.reward + s.gamma * w_[x_next] - w_[x];
        const double step_size = p.alpha * delta;
        const double decay = gamma_ * p.lambda;
        for (std::size_t i = 0; i < d_; ++i) {
            e_[i] *= decay;
            w_[i] += step_size * e_[i];
        }
        e_[x] += 1;
        w_[x] += step_size;
        gamma_ = s.gamma;
    }

    Array<double> w, e;

private:
    std::size_t d_;
    double gamma_ = 0;
};

struct Gtd {
    explicit Gtd(std::size_t d) : w(d), h(d), e(d), d_(d) {}

    void run(const OneHotStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.indices[t], stream.indices[t + 1], stream.transitions[t], p);
    }
    void step(std::size_t x, std::size_t x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict h_ = h.data();
        double* __restrict e_ = e.data();
        const double alpha_h = p.eta * p.alpha;
        const double delta = s.reward + s.gamma * w_[x_next] - w_[x];
        const double h_x = h_[x];
        const double decay = s.rho * gamma_ * p.lambda;
        const double w_e = p.alpha * delta, h_e = alpha_h * delta;
        double e_h = s.rho * h_x;
        for (std::size_t i = 0; i < d_; ++i) {
            e_[i] *= decay;
            e_h += e_[i] * h_[i];
            w_[i] += w_e * e_[i];
            h_[i] += h_e * e_[i];
        }
        e_[x] += s.rho;
        w_[x] += w_e * s.rho;
        w_[x_next] -= p.alpha * s.gamma * (1 - p.lambda) * e_h;
        h_[x] += h_e * s.rho - alpha_h * h_x;
        gamma_ = s.gamma;
    }

    Array<double> w, h, e;

private:
    std::size_t d_;
    double gamma_ = 0;
};

struct Htd {
    explicit Htd(std::size_t d) : w(d), h(d), e(d), e_mu(d), d_(d) {}

    void run(const OneHotStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.indices[t], stream.indices[t + 1], stream.transitions[t], p);
    }
    void step(std::size_t x, std::size_t x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict h_ = h.data();
        double* __restrict e_ = e.data();
        double* __restrict e_mu_ = e_mu.data();
        const double alpha_h = p.eta * p.alpha;
        const double delta = s.reward + s.gamma * w_[x_next] - w_[x];
        const double decay_mu = gamma_ * p.lambda;
        const double decay = s.rho * decay_mu;
        const double w_e = p.alpha * delta, h_e = alpha_h * delta;
        double e_h = s.rho * h_[x], e_mu_h = h_[x];
        for (std::size_t i = 0; i < d_; ++i) {
            e_[i] *= decay;
            e_mu_[i] *= decay_mu;
            e_h += e_[i] * h_[i];
            e_mu_h += e_mu_[i] * h_[i];
            w_[i] += w_e * e_[i];
            h_[i] += h_e * e_[i];
        }
        e_[x] += s.rho;
        e_mu_[x] += 1;
        const double w_u = p.alpha * (e_h - e_mu_h), h_u = -alpha_h * e_mu_h;
        w_[x] += w_e * s.rho + w_u;
        w_[x_next] -= w_u * s.gamma;
        h_[x] += h_e * s.rho + h_u;
        h_[x_next] -= h_u * s.gamma;
        gamma_ = s.gamma;
    }

    Array<double> w, h, e, e_mu;

private:
    std::size_t d_;
    double gamma_ = 0;
};

struct ToHtd {
    explicit ToHtd(std::size_t d) : w(d), h(d), e(d), e_mu(d), e_online(d), d_(d) {}

    void run(const OneHotStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.indices[t], stream.indices[t + 1], stream.transitions[t], p);
    }
    void step(std::size_t x, std::size_t x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict h_ = h.data();
        double* __restrict e_ = e.data();
        double* __restrict e_mu_ = e_mu.data();
        double* __restrict e_online_ = e_online.data();
        const double alpha_h = p.eta * p.alpha;
        const double w_x = w_[x], w_x_next = w_[x_next];
        const double delta = s.reward + s.gamma * w_x_next - w_x;
        const double change = w_x - v_;
        const double decay_mu = gamma_ * p.lambda;
        const double decay = s.rho * decay_mu;
        const double online_x = p.alpha * s.rho * (1 - decay * e_online_[x]);
        double e_h = s.rho * h_[x], e_mu_h = h_[x];
        const double d_e = delta + change, d_x = -p.alpha * s.rho * change;
        for (std::size_t i = 0; i < d_; ++i) {
            e_[i] *= decay;
            e_mu_[i] *= decay_mu;
            e_online_[i] *= decay;
            e_h += e_[i] * h_[i];
            e_mu_h += e_mu_[i] * h_[i];
            w_[i] += d_e * e_online_[i];
            h_[i] += p.eta * d_e * e_online_[i];
        }
        e_[x] += s.rho;
        e_mu_[x] += 1;
        e_online_[x] += online_x;
        const double w_u = p.alpha * (e_h - e_mu_h), h_u = -alpha_h * e_mu_h;
        w_[x] += d_e * online_x + d_x + w_u;
        w_[x_next] -= w_u * s.gamma;
        h_[x] += p.eta * (d_e * online_x + d_x) + h_u;
        h_[x_next] -= h_u * s.gamma;
        v_ = w_x_next;
        gamma_ = s.gamma;
    }

    Array<double> w, h, e, e_mu, e_online;

private:
    std::size_t d_;
    double gamma_ = 0, v_ = 0;
};

}  // namespace
}  // namespace handwritten

std::unique_ptr<Contestant> make_handwritten(std::string_view algorithm, const OneHotStream& stream,
                                             const Settings& settings) {
    using namespace handwritten;
    return choose<Td, Gtd, Htd, ToHtd>(algorithm, stream, settings);
}

}  // namespace bench
