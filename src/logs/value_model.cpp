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

void ValueModel::add_moments(const Segment& segment, double lambda, std::vector<double>& z,
                             std::vector<double>& difference, Moments& to) const {
    for_each_trace(segment, lambda, z, [&](std::size_t row, std::span<const double> trace) {
        const double ratio = weight(row);
        if (ratio == 0) return;
        std::fill(difference.begin(), difference.end(), 0.0);
        add_predicted(row, ratio, difference);
        if (bootstraps(segment, row)) add_value(row + 1, -ratio * log_.gamma[row], difference);
        for (std::size_t j = 0; j < difference.size(); ++j)
            if (difference[j] != 0) add_scaled(difference[j], trace, {to.A.column(j), trace.size()});
        add_scaled(ratio * log_.reward[row], trace, to.b);
    });
}

std::vector<Moments> ValueModel::moments_by_fold(double lambda) const {
    std::vector<Moments> sums(folds, Moments(dimension()));
    std::vector<double> z(dimension()), difference(dimension());
    for (std::size_t i = 0; i < log_.segments.size(); ++i)
        add_moments(log_.segments[i], lambda, z, difference, sums[i % folds]);
    return sums;
}

Moments ValueModel::moments(double lambda) const {
    Moments sum(dimension());
    std::vector<double> z(dimension()), difference(dimension());
    for (const Segment& segment : log_.segments) add_moments(segment, lambda, z, difference, sum);
    return sum;
}

}  // namespace bellwether
