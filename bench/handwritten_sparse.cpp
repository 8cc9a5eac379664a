// A trace is a list of entries with a map from component to entry; an entry that decays to the cutoff is dropped.
#include <cmath>

#include "handwritten.hpp"

namespace bench {
namespace handwritten {
namespace {

struct Trace {
    static constexpr std::uint32_t absent = UINT32_MAX;

    explicit Trace(std::size_t d) : values(d), indices(d), slots(d, absent) {}

    // e ← decay·e; returns e·h.
    double decay_and_dot(double decay, double cutoff, const double* h) {
        double sum = 0;
        for (std::size_t k = 0; k < count;) {
            const double value = decay * values[k];
            const std::uint32_t i = indices[k];
            if (std::fabs(value) <= cutoff) {
                drop(k);
            } else {
                values[k++] = value;
                sum += value * h[i];
            }
        }
        return sum;
    }
    // e ← decay·e; w ← w + w_e·e
    void decay_and_add(double decay, double cutoff, double* w, double w_e) {
        for (std::size_t k = 0; k < count;) {
            const double value = decay * values[k];
            const std::uint32_t i = indices[k];
            if (std::fabs(value) <= cutoff) {
                drop(k);
            } else {
                values[k++] = value;
                w[i] += w_e * value;
            }
        }
    }
    // e ← decay·e; w ← w + w_e·e; h ← h + h_e·e
    void decay_and_add(double decay, double cutoff, double* w, double w_e, double* h, double h_e) {
        for (std::size_t k = 0; k < count;) {
            const double value = decay * values[k];
            const std::uint32_t i = indices[k];
            if (std::fabs(value) <= cutoff) {
                drop(k);
            } else {
                values[k++] = value;
                w[i] += w_e * value;
                h[i] += h_e * value;
            }
        }
    }
    // e ← decay·e; returns e·h; then w ← w + w_e·e; h ← h + h_e·e
    double decay_dot_and_add(double decay, double cutoff, double* w, double w_e, double* h, double h_e) {
        double sum = 0;
        for (std::size_t k = 0; k < count;) {
            const double value = decay * values[k];
            const std::uint32_t i = indices[k];
            if (std::fabs(value) <= cutoff) {
                drop(k);
            } else {
                values[k++] = value;
                sum += value * h[i];
                w[i] += w_e * value;
                h[i] += h_e * value;
            }
        }
        return sum;
    }
    void add(std::size_t i, double value) {
        std::uint32_t& slot = slots[i];
        if (slot == absent) {
            slot = static_cast<std::uint32_t>(count);
            indices[count] = static_cast<std::uint32_t>(i);
            values[count++] = value;
        } else {
            values[slot] += value;
        }
    }
    double operator[](std::size_t i) { return slots[i] == absent ? 0 : values[slots[i]]; }

    Array<double> values;
    Array<std::uint32_t> indices, slots;
    std::size_t count = 0;

private:
    void drop(std::size_t k) {
        slots[indices[k]] = absent;
        if (k == --count) return;
        values[k] = values[count];
        indices[k] = indices[count];
        slots[indices[k]] = static_cast<std::uint32_t>(k);
    }
};

// The features of one state.
struct Active {
    const std::uint32_t* indices;
    const double* values;
    std::size_t count;

    double dot(const double* v) const {
        double sum = 0;
        for (std::size_t k = 0; k < count; ++k) sum += values[k] * v[indices[k]];
        return sum;
    }
};

template <class Learner>
void run_stream(Learner& learner, const SparseStream& stream, const Settings& p) {
    const auto x = [&](std::size_t t) {
        return Active{stream.indices.data() + t * stream.active, stream.values.data() + t * stream.active,
                      stream.active};
    };
    for (std::size_t t = 0; t < stream.transitions.size(); ++t) learner.step(x(t), x(t + 1), stream.transitions[t], p);
}

struct Td {
    explicit Td(std::size_t d) : w(d), e(d) {}

    void run(const SparseStream& stream, const Settings& p) { run_stream(*this, stream, p); }
    void step(const Active& x, const Active& x_next, Transition s, Settings p) {
        const double delta = s.reward + s.gamma * x_next.dot(w.data()) - x.dot(w.data());
        const double w_e = p.alpha * delta;
        e.decay_and_add(gamma_ * p.lambda, p.cutoff, w.data(), w_e);
        for (std::size_t k = 0; k < x.count; ++k) {
            e.add(x.indices[k], x.values[k]);
            w[x.indices[k]] += w_e * x.values[k];
        }
        gamma_ = s.gamma;
    }

    Array<double> w;
    Trace e;

private:
    double gamma_ = 0;
};

struct Gtd {
    explicit Gtd(std::size_t d) : w(d), h(d), e(d) {}

    void run(const SparseStream& stream, const Settings& p) { run_stream(*this, stream, p); }
    void step(const Active& x, const Active& x_next, Transition s, Settings p) {
        const double alpha_h = p.eta * p.alpha;
        const double delta = s.reward + s.gamma * x_next.dot(w.data()) - x.dot(w.data());
        const double h_x = x.dot(h.data());
        const double w_e = p.alpha * delta, h_e = alpha_h * delta;
        const double e_h =
            s.rho * h_x + e.decay_dot_and_add(s.rho * gamma_ * p.lambda, p.cutoff, w.data(), w_e, h.data(), h_e);
        const double w_x = w_e * s.rho, w_x_next = -p.alpha * s.gamma * (1 - p.lambda) * e_h;
        const double h_x_term = h_e * s.rho - alpha_h * h_x;
        for (std::size_t k = 0; k < x.count; ++k) {
            e.add(x.indices[k], s.rho * x.values[k]);
            w[x.indices[k]] += w_x * x.values[k];
            h[x.indices[k]] += h_x_term * x.values[k];
        }
        for (std::size_t k = 0; k < x_next.count; ++k) w[x_next.indices[k]] += w_x_next * x_next.values[k];
        gamma_ = s.gamma;
    }

    Array<double> w, h;
    Trace e;

private:
    double gamma_ = 0;
};

struct Htd {
    explicit Htd(std::size_t d) : w(d), h(d), e(d), e_mu(d) {}

    void run(const SparseStream& stream, const Settings& p) { run_stream(*this, stream, p); }
    void step(const Active& x, const Active& x_next, Transition s, Settings p) {
        const double alpha_h = p.eta * p.alpha;
        const double delta = s.reward + s.gamma * x_next.dot(w.data()) - x.dot(w.data());
        const double h_x = x.dot(h.data());
        const double decay_mu = gamma_ * p.lambda;
        const double w_e = p.alpha * delta, h_e = alpha_h * delta;
        const double e_mu_h = h_x + e_mu.decay_and_dot(decay_mu, p.cutoff, h.data());
        const double e_h = s.rho * h_x + e.decay_dot_and_add(s.rho * decay_mu, p.cutoff, w.data(), w_e, h.data(), h_e);
        const double w_u = p.alpha * (e_h - e_mu_h), h_u = -alpha_h * e_mu_h;
        const double w_x = w_e * s.rho + w_u, h_x_term = h_e * s.rho + h_u;
        for (std::size_t k = 0; k < x.count; ++k) {
            e.add(x.indices[k], s.rho * x.values[k]);
            e_mu.add(x.indices[k], x.values[k]);
            w[x.indices[k]] += w_x * x.values[k];
            h[x.indices[k]] += h_x_term * x.values[k];
        }
        for (std::size_t k = 0; k < x_next.count; ++k) {
            w[x_next.indices[k]] -= w_u * s.gamma * x_next.values[k];
            h[x_next.indices[k]] -= h_u * s.gamma * x_next.values[k];
        }
        gamma_ = s.gamma;
    }

    Array<double> w, h;
    Trace e, e_mu;

private:
    double gamma_ = 0;
};

struct ToHtd {
    explicit ToHtd(std::size_t d) : w(d), h(d), e(d), e_mu(d), e_online(d) {}

    void run(const SparseStream& stream, const Settings& p) { run_stream(*this, stream, p); }
    void step(const Active& x, const Active& x_next, Transition s, Settings p) {
        const double alpha_h = p.eta * p.alpha;
        const double w_x = x.dot(w.data()), w_x_next = x_next.dot(w.data()), h_x = x.dot(h.data());
        double e_online_x = 0;
        for (std::size_t k = 0; k < x.count; ++k) e_online_x += x.values[k] * e_online[x.indices[k]];
        const double delta = s.reward + s.gamma * w_x_next - w_x;
        const double change = w_x - v_;
        const double decay_mu = gamma_ * p.lambda;
        const double decay = s.rho * decay_mu;
        const double online_x = p.alpha * s.rho * (1 - decay * e_online_x);
        const double d_e = delta + change, d_x = -p.alpha * s.rho * change;
        const double e_h = s.rho * h_x + e.decay_and_dot(decay, p.cutoff, h.data());
        const double e_mu_h = h_x + e_mu.decay_and_dot(decay_mu, p.cutoff, h.data());
        const double w_u = p.alpha * (e_h - e_mu_h), h_u = -alpha_h * e_mu_h;
        e_online.decay_and_add(decay, p.cutoff, w.data(), d_e, h.data(), p.eta * d_e);
        const double w_x_term = d_e * online_x + d_x + w_u, h_x_term = p.eta * (d_e * online_x + d_x) + h_u;
        for (std::size_t k = 0; k < x.count; ++k) {
            e.add(x.indices[k], s.rho * x.values[k]);
            e_mu.add(x.indices[k], x.values[k]);
            e_online.add(x.indices[k], online_x * x.values[k]);
            w[x.indices[k]] += w_x_term * x.values[k];
            h[x.indices[k]] += h_x_term * x.values[k];
        }
        for (std::size_t k = 0; k < x_next.count; ++k) {
            w[x_next.indices[k]] -= w_u * s.gamma * x_next.values[k];
            h[x_next.indices[k]] -= h_u * s.gamma * x_next.values[k];
        }
        v_ = w_x_next;
        gamma_ = s.gamma;
    }

    Array<double> w, h;
    Trace e, e_mu, e_online;

private:
    double gamma_ = 0, v_ = 0;
};

}  // namespace
}  // namespace handwritten

std::unique_ptr<Contestant> make_handwritten(std::string_view algorithm, const SparseStream& stream,
                                             const Settings& settings) {
    using namespace handwritten;
    return choose<Td, Gtd, Htd, ToHtd>(algorithm, stream, settings);
}

}  // namespace bench
