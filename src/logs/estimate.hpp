// An estimate of what the target is worth, with its influences.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace bellwether {

struct PolicyEstimate {
    std::string_view name{};
    double value = 0;
    std::vector<double> influence{};  // ψ_i by segment, or by_group()
    double effective = 0;             // E, the effective sample that it rests on
    double se_of_values = 0;          // what learned values add to se, where influences do not have it
    double se = 0, lower = 0, upper = 0;

    double half_width() const { return (upper - lower) / 2; }
};

// se² = sd(ψ)²/n with n − 1 in the variance, and what values add to it; and the interval value ± t se of Student's
// distribution with max(1, E − 1) degrees of freedom: a degenerate estimate gets a wide interval.
void set_interval(PolicyEstimate& estimate, double level);

// Beyond 100,000 segments, numbers of so many groups of consecutive ones: the sum over a group times groups/segments,
// which keeps the mean, and the standard error of a mean.
std::vector<double> by_group(std::span<const double> by_segment);

double mean_of(std::span<const double> numbers);
double deviation_of(std::span<const double> numbers);  // with n − 1; 0 of one number

// t such that Student's distribution with so many degrees of freedom has the share `level` in [−t, t].
double student_quantile(double level, double degrees_of_freedom);

}  // namespace bellwether
