// The other side of the sweep's comparison: one agent after the other through the trajectory, as plain loops over its
// components. One source, compiled twice: as most programs are (-O3 -ffast-math), and for this machine (-march=native).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bench {

struct ScalarProblem {
    std::size_t dimension;  // at most most_scalar_dimensions
    std::size_t steps;
    const std::uint32_t* features;  // the one active feature of S_0 … S_N
    const double* reward;
    const double* gamma;
    const double* rho;
    const double* initial_weights;
    // The error of the weights is Σ_i error_scale_i |w_i − truth_i|.
    const double* error_scale;
    const double* truth;
};
inline constexpr std::size_t most_scalar_dimensions = 64;

struct ScalarConfiguration {
    double alpha, eta, lambda;
};

// One agent's run; returns the mean of the error after every step.
using ScalarRun = double(const ScalarProblem& problem, const ScalarConfiguration& configuration);

// When the error is computed: in a pass after the update, or within the update's own, which takes more care.
enum class ScalarError { afterwards, on_the_way };

// The loop of td, gtd, htd or to-htd; null for any other algorithm.
namespace generic {
ScalarRun* find_scalar_run(std::string_view algorithm, ScalarError error);
}
namespace native {
ScalarRun* find_scalar_run(std::string_view algorithm, ScalarError error);
}

}  // namespace bench
