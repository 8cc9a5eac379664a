// Multinomial logistic regression by Newton's method, in classes that all have weights: the ridge makes them unique.
#include <algorithm>
#include <cmath>

#include "logs/behaviour.hpp"
#include "logs/linear_system.hpp"
#include "logs/value_model.hpp"

namespace bellwether {

namespace {

constexpr double intercept_ridge = 1e-8;  // intercepts may all move together: this alone holds them
constexpr double gradient_tolerance = 1e-10;

class Logistic : public BehaviourModel {
public:
    Logistic(std::size_t dimension, std::size_t actions)
        : dimension_(dimension), actions_(actions), weights_(actions * (dimension + 1)) {}

    void probabilities(std::span<const double> x, std::span<double> to) const override {
        for (std::size_t a = 0; a < actions_; ++a) {
            const std::span<const double> w = std::span(weights_).subspan(a * (dimension_ + 1), dimension_ + 1);
            to[a] = dot(x, w.first(dimension_)) + w.back();
        }
        const double largest = *std::max_element(to.begin(), to.end());
        double sum = 0;
        for (double& entry : to) sum += entry = std::exp(entry - largest);
        for (double& entry : to) entry /= sum;
    }
    double unsupported_below() const override { return 0.005; }

    void fit(const BehaviourData& data, double ridge, std::optional<std::size_t> left_out) {
        constexpr int most_iterations = 100;
        double objective = begin_iteration(data, ridge, left_out);
        for (int iteration = 0; iteration < most_iterations && largest_gradient() > gradient_tolerance; ++iteration) {
            const std::vector<double> before = weights_, step = Solver(hessian_, 0).solve(gradient_);
            for (int halvings = 0; halvings < 30; ++halvings) {
                const double share = std::ldexp(1.0, -halvings);
                for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] = before[k] - share * step[k];
                const double now = begin_iteration(data, ridge, left_out);
                if (now <= objective + 1e-12 * std::abs(objective)) {
                    objective = now;
                    break;
                }
            }
        }
    }

private:
    double largest_gradient() const {
        double largest = 0;
        for (const double entry : gradient_) largest = std::max(largest, std::abs(entry));
        return largest / static_cast<double>(std::max<std::size_t>(1, steps_));
    }

    // −Σ ln μ(A_t|x_t) + κ/2 Σ w², with its gradient and Hessian.
    double begin_iteration(const BehaviourData& data, double ridge, std::optional<std::size_t> left_out) {
        const std::size_t width = dimension_ + 1;
        gradient_.assign(weights_.size(), 0);
        hessian_ = SquareMatrix(weights_.size());
        steps_ = 0;
        double objective = 0;
        for (std::size_t k = 0; k < weights_.size(); ++k) {
            const double own = k % width == dimension_ ? intercept_ridge : ridge;
            objective += own / 2 * weights_[k] * weights_[k];
            gradient_[k] = own * weights_[k];
            hessian_.column(k)[k] = own;
        }
        std::vector<double> x(width), p(actions_);
        for (std::size_t t = 0; t < data.steps(); ++t) {
            if (left_out && data.segment[t] % folds == *left_out) continue;
            ++steps_;
            std::copy(data.x(t).begin(), data.x(t).end(), x.begin());
            x.back() = 1;
            probabilities(data.x(t), p);
            objective -= std::log(p[data.action[t]]);
            for (std::size_t a = 0; a < actions_; ++a) {
                add_scaled(p[a] - (data.action[t] == a ? 1 : 0), x, std::span(gradient_).subspan(a * width, width));
                for (std::size_t j = 0; j < width; ++j) {
                    if (x[j] == 0) continue;
                    for (std::size_t b = 0; b < actions_; ++b)
                        add_scaled(x[j] * p[a] * ((a == b ? 1 : 0) - p[b]), x,
                                   {hessian_.column(a * width + j) + b * width, width});
                }
            }
        }
        return objective;
    }

    std::size_t dimension_, actions_, steps_ = 0;
    std::vector<double> weights_;  // by action: dimension, then the intercept
    std::vector<double> gradient_;
    SquareMatrix hessian_;
};

}  // namespace

std::unique_ptr<BehaviourModel> fit_logistic(const BehaviourData& data, double ridge,
                                             std::optional<std::size_t> left_out) {
    auto model = std::make_unique<Logistic>(data.dimension, data.actions);
    model->fit(data, ridge, left_out);
    return model;
}

}  // namespace bellwether
