// The states that "overall" is the average of.
#pragma once

#include <cstddef>
#include <vector>

#include "logs/log.hpp"
#include "logs/value_model.hpp"

namespace bellwether {

struct Starts {
    enum class From { segments, all, rows };

    From from = From::segments;    // the first row of each segment; all rows, each segment's mean counting the same; or
    std::vector<double> rows{};    // rows of features that were given,
    std::vector<double> target{};  // with the target's probabilities in them; empty: not known

    std::size_t count(const Log& log) const { return rows.size() / log.dimension; }
};

// ∂(average value)/∂w: x̄_0, or the average of Σ_a π(a|s) φ(s,a).
std::vector<double> mean_start(const Log& log, const ValueModel& model, const Starts& starts);

// By segment: the value of its start, less the average one; 0 where the rows were given.
LongVector<double> start_deviations(const Log& log, const ValueModel& model, const Starts& starts,
                                    std::span<const double> w);

}  // namespace bellwether
