#include "logs/estimate.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether {

double mean_of(std::span<const double> numbers) {
    double sum = 0;
    for (const double number : numbers) sum += number;
    return sum / static_cast<double>(numbers.size());
}

double deviation_of(std::span<const double> numbers) {
    if (numbers.size() < 2) return 0;
    const double mean = mean_of(numbers);
    double squares = 0;
    for (const double number : numbers) squares += (number - mean) * (number - mean);
    return std::sqrt(squares / static_cast<double>(numbers.size() - 1));
}

std::vector<double> by_group(std::span<const double> by_segment) {
    constexpr std::size_t most_groups = 100'000;
    const std::size_t segments = by_segment.size(), groups = std::min(segments, most_groups);
    std::vector<double> numbers(groups);
    for (std::size_t i = 0; i < segments; ++i) numbers[i * groups / segments] += by_segment[i];
    if (groups < segments)
        for (double& number : numbers) number *= static_cast<double>(groups) / static_cast<double>(segments);
    return numbers;
}

void set_interval(PolicyEstimate& estimate, double level) {
    const auto n = static_cast<double>(std::max<std::size_t>(1, estimate.influence.size()));
    estimate.se = std::hypot(deviation_of(estimate.influence) / std::sqrt(n), estimate.se_of_values);
    const double t = student_quantile(level, std::max(1.0, estimate.effective - 1));
    estimate.lower = estimate.value - t * estimate.se;
    estimate.upper = estimate.value + t * estimate.se;
}

}  // namespace bellwether
