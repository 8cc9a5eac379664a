// Two passes: the first takes every inner product, the second moves the weights by what they say.
#include "handwritten.hpp"

namespace bench {
namespace handwritten {
namespace {

struct Td {
    explicit Td(std::size_t d) : w(d), e(d), d_(d) {}

    void run(const DenseStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.values.data() + t * d_, stream.values.data() + (t + 1) * d_, stream.transitions[t], p);
    }
    void step(const double* __restrict x, const double* __restrict x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict e_ = e.data();
        double w_x = 0, w_x_next = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            w_x += w_[i] * x[i];
            w_x_next += w_[i] * x_next[i];
        }
        const double delta = s.reward + s.gamma * w_x_next - w_x;
        const double w_e = p.alpha * delta;
        const double decay = gamma_ * p.lambda;
        for (std::size_t i = 0; i < d_; ++i) {
            e_[i] = decay * e_[i] + x[i];
            w_[i] += w_e * e_[i];
        }
        gamma_ = s.gamma;
    }

    Array<double> w, e;

private:
    std::size_t d_;
    double gamma_ = 0;
};

struct Gtd {
    explicit Gtd(std::size_t d) : w(d), h(d), e(d), d_(d) {}

    void run(const DenseStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.values.data() + t * d_, stream.values.data() + (t + 1) * d_, stream.transitions[t], p);
    }
    void step(const double* __restrict x, const double* __restrict x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict h_ = h.data();
        double* __restrict e_ = e.data();
        const double alpha_h = p.eta * p.alpha;
        const double decay = s.rho * gamma_ * p.lambda;
        double w_x = 0, w_x_next = 0, h_x = 0, e_h = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            w_x += w_[i] * x[i];
            w_x_next += w_[i] * x_next[i];
            h_x += h_[i] * x[i];
            e_[i] = decay * e_[i] + s.rho * x[i];
            e_h += e_[i] * h_[i];
        }
        const double delta = s.reward + s.gamma * w_x_next - w_x;
        const double w_e = p.alpha * delta, w_x_next_term = p.alpha * s.gamma * (1 - p.lambda) * e_h;
        const double h_e = alpha_h * delta, h_x_term = alpha_h * h_x;
        for (std::size_t i = 0; i < d_; ++i) {
            w_[i] += w_e * e_[i] - w_x_next_term * x_next[i];
            h_[i] += h_e * e_[i] - h_x_term * x[i];
        }
        gamma_ = s.gamma;
    }

    Array<double> w, h, e;

private:
    std::size_t d_;
    double gamma_ = 0;
};

struct Htd {
    explicit Htd(std::size_t d) : w(d), h(d), e(d), e_mu(d), d_(d) {}

    void run(const DenseStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.values.data() + t * d_, stream.values.data() + (t + 1) * d_, stream.transitions[t], p);
    }
    void step(const double* __restrict x, const double* __restrict x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict h_ = h.data();
        double* __restrict e_ = e.data();
        double* __restrict e_mu_ = e_mu.data();
        const double alpha_h = p.eta * p.alpha;
        const double decay_mu = gamma_ * p.lambda;
        const double decay = s.rho * decay_mu;
        double w_x = 0, w_x_next = 0, e_h = 0, e_mu_h = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            w_x += w_[i] * x[i];
            w_x_next += w_[i] * x_next[i];
            e_[i] = decay * e_[i] + s.rho * x[i];
            e_mu_[i] = decay_mu * e_mu_[i] + x[i];
            e_h += e_[i] * h_[i];
            e_mu_h += e_mu_[i] * h_[i];
        }
        const double delta = s.reward + s.gamma * w_x_next - w_x;
        const double w_e = p.alpha * delta, w_u = p.alpha * (e_h - e_mu_h);
        const double h_e = alpha_h * delta, h_u = alpha_h * e_mu_h;
        for (std::size_t i = 0; i < d_; ++i) {
            const double u = x[i] - s.gamma * x_next[i];
            w_[i] += w_e * e_[i] + w_u * u;
            h_[i] += h_e * e_[i] - h_u * u;
        }
        gamma_ = s.gamma;
    }

    Array<double> w, h, e, e_mu;

private:
    std::size_t d_;
    double gamma_ = 0;
};

struct ToHtd {
    explicit ToHtd(std::size_t d) : w(d), h(d), e(d), e_mu(d), e_online(d), d_(d) {}

    void run(const DenseStream& stream, const Settings& p) {
        for (std::size_t t = 0; t < stream.transitions.size(); ++t)
            step(stream.values.data() + t * d_, stream.values.data() + (t + 1) * d_, stream.transitions[t], p);
    }
    void step(const double* __restrict x, const double* __restrict x_next, Transition s, Settings p) {
        double* __restrict w_ = w.data();
        double* __restrict h_ = h.data();
        double* __restrict e_ = e.data();
        double* __restrict e_mu_ = e_mu.data();
        double* __restrict e_online_ = e_online.data();
        const double alpha_h = p.eta * p.alpha;
        const double decay_mu = gamma_ * p.lambda;
        const double decay = s.rho * decay_mu;
        double w_x = 0, w_x_next = 0, e_h = 0, e_mu_h = 0, e_online_x = 0;
        for (std::size_t i = 0; i < d_; ++i) {
            w_x += w_[i] * x[i];
            w_x_next += w_[i] * x_next[i];
            e_online_x += e_online_[i] * x[i];
            e_[i] = decay * e_[i] + s.rho * x[i];
            e_mu_[i] = decay_mu * e_mu_[i] + x[i];
            e_h += e_[i] * h_[i];
            e_mu_h += e_mu_[i] * h_[i];
        }
        const double delta = s.reward + s.gamma * w_x_next - w_x;
        const double change = w_x - v_;
        const double online_x = p.alpha * s.rho * (1 - decay * e_online_x);
        const double d_e = delta + change, d_x = -p.alpha * s.rho * change;
        const double w_u = p.alpha * (e_h - e_mu_h), h_u = -alpha_h * e_mu_h;
        const double w_x_term = d_x + w_u, w_x_next_term = w_u * s.gamma;
        const double h_x_term = p.eta * d_x + h_u, h_x_next_term = h_u * s.gamma;
        for (std::size_t i = 0; i < d_; ++i) {
            e_online_[i] = decay * e_online_[i] + online_x * x[i];
            w_[i] += d_e * e_online_[i] + w_x_term * x[i] - w_x_next_term * x_next[i];
            h_[i] += p.eta * d_e * e_online_[i] + h_x_term * x[i] - h_x_next_term * x_next[i];
        }
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

std::unique_ptr<Contestant> make_handwritten(std::string_view algorithm, const DenseStream& stream,
                                             const Settings& settings) {
    using namespace handwritten;
    return choose<Td, Gtd, Htd, ToHtd>(algorithm, stream, settings);
}

}  // namespace bench
