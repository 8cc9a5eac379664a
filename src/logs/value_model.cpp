#include "logs/value_model.hpp"

namespace bellwether {

void Moments::add(const Moments& other) {
    A.add(other.A);
    for (std::size_t k = 0; k < b.size(); ++k) b[k] += other.b[k];
}

double ValueModel::value(std::size_t row, std::span<const double> w) const {
    if (of_ == Of::states) return dot(log_.x(row), w);
    const std::span<const double> policy = log_.target_of(row);
    double sum = 0;
    for (std::size_t a = 0; a < log_.actions; ++a)
        if (policy[a] != 0) sum += policy[a] * dot(log_.x(row), w.subspan(a * log_.dimension, log_.dimension));
    return sum;
}

double ValueModel::predicted(std::size_t row, std::span<const double> w) const {
    if (of_ == Of::states) return dot(log_.x(row), w);
    return dot(log_.x(row), w.subspan(log_.action[row] * log_.dimension, log_.dimension));
}

void ValueModel::add_value(std::size_t row, double scale, std::span<double> to) const {
    if (of_ == Of::states) return add_scaled(scale, log_.x(row), to);
    const std::span<const double> policy = log_.target_of(row);
    for (std::size_t a = 0; a < log_.actions; ++a)
        if (policy[a] != 0) add_scaled(scale * policy[a], log_.x(row), to.subspan(a * log_.dimension, log_.dimension));
}

void ValueModel::add_predicted(std::size_t row, double scale, std::span<double> to) const {
    if (of_ == Of::states) return add_scaled(scale, log_.x(row), to);
    add_scaled(scale, log_.x(row), to.subspan(log_.action[row] * log_.dimension, log_.dimension));
}

double ValueModel::error(const Segment& segment, std::size_t row, std::span<const double> w) const {
    const double next = bootstraps(segment, row) ? log_.gamma[row] * value(row + 1, w) : 0;
    return weight(row) * (log_.reward[row] + next - predicted(row, w));
}

// Adds up A_i and b_i of segment after segment.
class ValueModel::Accumulator {
public:
    Accumulator(const ValueModel& model, double lambda, Moments& to)
        : model_(model),
          lambda_(lambda),
          to_(to),
          z_(model.dimension()),
          difference_(model.dimension()),
          products_(model.dimension(), to.A.entries.data()) {}

    void add(const Segment& segment) {
        model_.for_each_trace(segment, lambda_, z_, [&](std::size_t row, std::span<const double> trace) {
            const double ratio = model_.weight(row);
            if (ratio == 0) return;
            std::fill(difference_.begin(), difference_.end(), 0.0);
            model_.add_predicted(row, ratio, difference_);
            if (model_.bootstraps(segment, row))
                model_.add_value(row + 1, -ratio * model_.log_.gamma[row], difference_);
            products_.add(trace, difference_);
            add_scaled(ratio * model_.log_.reward[row], trace, to_.b);
        });
    }

private:
    const ValueModel& model_;
    double lambda_;
    Moments& to_;
    std::vector<double> z_, difference_;
    OuterProducts products_;
};

std::vector<Moments> ValueModel::moments_by_fold(double lambda) const {
    std::vector<Moments> sums(folds, Moments(dimension()));
    for (std::size_t k = 0; k < folds; ++k) {
        Accumulator sum(*this, lambda, sums[k]);
        for (std::size_t i = k; i < log_.segments.size(); i += folds) sum.add(log_.segments[i]);
    }
    return sums;
}

Moments ValueModel::moments(double lambda) const {
    Moments moments(dimension());
    {
        Accumulator sum(*this, lambda, moments);
        for (const Segment& segment : log_.segments) sum.add(segment);
    }
    return moments;
}

Moments ValueModel::moments_of(const Segment& segment, double lambda) const {
    Moments moments(dimension());
    Accumulator(*this, lambda, moments).add(segment);
    return moments;
}

}  // namespace bellwether
