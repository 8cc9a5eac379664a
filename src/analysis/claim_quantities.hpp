// What claims are about, as a number that was found and what every resample makes of it. All are logarithms, so that a
// difference of two is the logarithm of a ratio.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.hpp"
#include "analysis/simultaneous.hpp"
#include "runtime/sample_counts.hpp"

namespace bellwether {

// What a value should be: "above", "below", "at least" or "at most" a bound.
struct Bound {
    std::string relation;
    double value;

    bool holds(double of) const;
};

// Each is computed once. References stay valid.
class ClaimQuantities {
public:
    explicit ClaimQuantities(const Findings& findings) : findings_(findings) {}

    // The score of an algorithm, by its place in the metric's list. In every resample the configuration is chosen
    // again, on the selection's scores of the instances drawn; what that costs (AlgorithmFindings::choice_costs) is
    // added to the score of the configuration that was recorded. With one instance the choice is not drawn again.
    // The metric must have a spread.
    const Resampled& score(const MetricFindings& metric, std::size_t algorithm);
    // The standard deviation between runs of one instance.
    const Resampled& deviation(const MetricFindings& metric, std::size_t algorithm);
    // The mean over settings of the logarithms: of the geometric mean.
    const Resampled& geometric_mean(const std::vector<const MetricFindings*>& metrics, std::string_view algorithm);
    // The mean of the middle half of the scores of all instances of all settings, each over the lowest score of its
    // setting.
    const Resampled& interquartile_mean(const std::vector<const MetricFindings*>& metrics, std::string_view algorithm);

    // ---- Of the selection's scores.
    // The mean over parameters of the area under the sensitivity curve, the other parameters selected again at each
    // value and in each resample (sensitivity.hpp).
    const Resampled& area(const MetricFindings& metric, std::size_t algorithm,
                          const std::vector<std::string>& parameters);
    // The best score.
    const Resampled& best(const MetricFindings& metric, std::size_t algorithm);
    // The best score with the values of a parameter for which the bound holds, or does not; infinite where there are
    // none.
    const Resampled& best_where(const MetricFindings& metric, std::size_t algorithm, std::size_t parameter,
                                const Bound& bound, bool holds);

    // The error in real time, after as many iterations of that duration as the setting has steps.
    const Resampled& error_in_time(const MetricFindings& metric, std::size_t algorithm, TimeReading time,
                                   const UpdateTime& update, double duration);

private:
    const Resampled& remembered(std::string key, const std::function<Resampled()>& compute);
    std::uint64_t seed() const { return findings_.study->seed; }
    // The best score of these configurations.
    Resampled best_of(const MetricFindings& metric, std::size_t algorithm, const std::vector<std::size_t>& of) const;

    const Findings& findings_;
    std::map<std::string, Resampled, std::less<>> known_;
};

// A quantity over a constant.
Resampled over(const Resampled& quantity, double constant);
// The difference of two quantities themselves, not their logarithms, in parts of a constant.
Resampled difference_in_parts(const Resampled& one, const Resampled& other, double constant);

// The place of a parameter in an algorithm's list.
std::optional<std::size_t> parameter_place(const AlgorithmGrid& grid, std::string_view name);

}  // namespace bellwether
