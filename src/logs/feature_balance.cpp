#include "logs/feature_balance.hpp"

#include <algorithm>
#include <cmath>

#include "logs/vectors.hpp"

namespace bellwether {

FeatureBalance::FeatureBalance(const Log& log) : log_(log) {
    for (Fold& fold : folds_)
        for (std::vector<double>* numbers : {&fold.own, &fold.sums, &fold.squares}) numbers->resize(log.dimension);
}

void FeatureBalance::add(std::size_t fold, const Segment& segment) {
    auto& [own, sums, squares] = folds_[fold];
    std::fill(own.begin(), own.end(), 0.0);
    for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
        add_scaled(log_.rho[row] - 1, log_.x(row), own);
    for (std::size_t j = 0; j < own.size(); ++j) {
        sums[j] += own[j];
        squares[j] += own[j] * own[j];
    }
}

std::vector<double> FeatureBalance::statistics() const {
    std::vector<double> z(log_.dimension);
    for (std::size_t j = 0; j < z.size(); ++j) {
        double sum = 0, squares = 0;
        for (const Fold& fold : folds_) {
            sum += fold.sums[j];
            squares += fold.squares[j];
        }
        if (squares > 0) z[j] = sum / std::sqrt(squares);
    }
    return z;
}

}  // namespace bellwether
