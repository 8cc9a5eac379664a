// How many samples an algorithm has learned from when an update takes longer than an iteration (docs/runtimes.md).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bellwether {

// What "until it is done computing" means. Quantised: a sample takes whole iterations, ⌈K/c⌉ of them. Proportional:
// it takes K/c of them, and after iteration t there are floor(t · min(1, c/K)) samples, with K its mean.
enum class TimeReading { quantised, proportional };
inline constexpr std::array both_time_readings{TimeReading::quantised, TimeReading::proportional};
inline constexpr std::array<std::string_view, 2> time_reading_ids{"quantised", "proportional"};  // in their order
inline std::string_view id_of(TimeReading reading) {
    return time_reading_ids[static_cast<std::size_t>(reading)];
}
std::optional<TimeReading> find_time_reading(std::string_view id);

// An update takes K = fixed + Exp(mean noise), drawn for every sample.
struct UpdateTime {
    double fixed;
    double noise = 0;

    double mean() const { return fixed + noise; }
    bool operator==(const UpdateTime&) const = default;
};

// E⌈K/c⌉: how many iterations of duration c a sample takes.
double mean_iterations(const UpdateTime& update, double duration);

// floor(t · min(1, c/K)).
std::size_t samples_processed(std::size_t iteration, double duration, double cost);

// The distribution of the number of samples processed after iterations 0, 1, …, in closed form: nothing is drawn.
// Quantised, the samples are a renewal process that goes on when the iterations begin, so that its mean after t of them
// is t / E⌈K/c⌉.
class SampleCounts {
public:
    SampleCounts(TimeReading reading, const UpdateTime& update, double duration, std::size_t iterations);

    std::size_t iterations() const { return counts_.size() - 1; }
    double mean(std::size_t iteration) const;
    // The mean of the errors that the learning curve has after as many samples. It begins with the error of w_0.
    double error(std::span<const double> learning_curve, std::size_t iteration) const;
    std::size_t most() const;  // that there may be after the last iteration

private:
    // Count first + k has the probability probabilities[k].
    struct Counts {
        std::size_t first = 0;
        std::vector<double> probabilities{};

        void add(std::size_t count, double probability);
    };
    void count_proportionally(double cost, double duration);
    void count_whole_iterations(const UpdateTime& update, double duration);

    std::vector<Counts> counts_;  // by iteration
};

// The errors after iterations 0, 1, … UsageError where the learning curve is too short.
std::vector<double> real_time_curve(std::span<const double> learning_curve, const SampleCounts& counts);

}  // namespace bellwether
