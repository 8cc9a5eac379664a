#include "logs/return_errors.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether {

namespace {

// s_i of several weights, one after the other.
void set_squares(const Log& log, const LongVector<double>& returns, const Segment& segment,
                 std::span<const std::span<const double>> weights, std::span<double> squares) {
    for (std::size_t c = 0; c < weights.size(); ++c) {
        squares[c] = 0;
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
            squares[c] += std::pow(dot(log.x(row), weights[c]) - returns[row], 2);
    }
}

// Segments of one fold, or all that there are.
struct Squares {
    std::vector<std::vector<double>> by_segment;  // s_i by configuration
    std::vector<double> steps;

    double all_steps() const {
        double sum = 0;
        for (const double own : steps) sum += own;
        return sum;
    }
    double mean(std::size_t c) const {
        double sum = 0;
        for (const std::vector<double>& own : by_segment) sum += own[c];
        return sum / all_steps();
    }
};

}  // namespace

FinalErrors final_return_errors(const Log& log, const LongVector<double>& returns,
                                const std::vector<std::vector<double>>& weights, const std::vector<bool>& finite,
                                std::size_t best, std::size_t threads) {
    const std::size_t d = log.dimension;
    FinalErrors errors{std::vector<double>(finite.size()), std::vector<double>(finite.size())};
    const std::vector<std::size_t> there = finite_ones(finite);
    std::vector<Squares> by_fold(folds);
    for_each_part_by_fold(log, PartReads::features, threads, [&](const FoldPart& part) {
        Squares& own = by_fold[part.fold];
        std::vector<std::span<const double>> of_fold;
        for (const std::size_t c : there) of_fold.push_back(std::span(weights[part.fold]).subspan(c * d, d));
        for_each_segment_of(log, part, [&](std::size_t, const Segment& segment) {
            own.steps.push_back(static_cast<double>(segment.steps));
            set_squares(log, returns, segment, of_fold, own.by_segment.emplace_back(there.size()));
        });
    });
    const auto n = static_cast<double>(log.segments.size());
    const auto best_place = static_cast<std::size_t>(std::find(there.begin(), there.end(), best) - there.begin());
    for (std::size_t place = 0; place < there.size(); ++place) {
        double squares = 0;
        for (const Squares& fold : by_fold) {
            const double S = fold.mean(place), S_best = fold.mean(best_place), steps = fold.all_steps();
            errors.S[there[place]] += S / static_cast<double>(folds);
            // φ has the mean 0 in every fold: the sums of squares are those of the deviations.
            const double share = static_cast<double>(fold.steps.size()) / steps;
            for (std::size_t i = 0; i < fold.steps.size(); ++i)
                squares += std::pow(
                    share * (fold.by_segment[i][place] - fold.by_segment[i][best_place] - (S - S_best) * fold.steps[i]),
                    2);
        }
        errors.se_of_difference[there[place]] = std::sqrt(squares / (n - 1) / n);
    }
    return errors;
}

std::vector<FreshError> fresh_return_errors(const Log& log, const LongVector<double>& returns,
                                            std::span<const double> weights) {
    const std::size_t d = log.dimension;
    std::vector<std::span<const double>> each;
    for (std::size_t first = 0; first < weights.size(); first += d) each.push_back(weights.subspan(first, d));
    Squares all;
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        all.steps.push_back(static_cast<double>(segment.steps));
        set_squares(log, returns, segment, each, all.by_segment.emplace_back(each.size()));
    });
    const double n = static_cast<double>(all.steps.size()), steps = all.all_steps();
    std::vector<FreshError> errors;
    for (std::size_t c = 0; c < each.size(); ++c) {
        const double S = all.mean(c);
        double squares = 0;
        for (std::size_t i = 0; i < all.steps.size(); ++i)
            squares += std::pow((all.by_segment[i][c] - S * all.steps[i]) * n / steps, 2);
        errors.push_back({S, std::sqrt(squares / (n - 1) / n)});
    }
    return errors;
}

}  // namespace bellwether
