#include "logs/starts.hpp"

#include "logs/estimate.hpp"

namespace bellwether {

namespace {

std::size_t rows_of(const Segment& segment, const Starts& starts) {
    return starts.from == Starts::From::all ? segment.steps : 1;
}

}  // namespace

std::vector<double> mean_start(const Log& log, const ValueModel& model, const Starts& starts) {
    std::vector<double> mean(model.dimension());
    if (starts.from == Starts::From::rows) {
        Log rows;
        rows.dimension = log.dimension;
        rows.actions = log.actions;
        rows.features.append(starts.rows);
        rows.target.append(starts.target);
        const ValueModel there(rows, model.of());
        const std::size_t count = starts.count(log);
        for (std::size_t row = 0; row < count; ++row) there.add_value(row, 1 / static_cast<double>(count), mean);
        return mean;
    }
    const auto n = static_cast<double>(log.segments.size());
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        const std::size_t rows = rows_of(segment, starts);
        for (std::size_t h = 0; h < rows; ++h)
            model.add_value(segment.first + h, 1 / (n * static_cast<double>(rows)), mean);
    });
    return mean;
}

LongVector<double> start_deviations(const Log& log, const ValueModel& model, const Starts& starts,
                                    std::span<const double> w) {
    LongVector<double> values(log.memory, log.segments.size());
    if (starts.from == Starts::From::rows) return values;
    for_each_segment(log, [&](std::size_t i, const Segment& segment) {
        const std::size_t rows = rows_of(segment, starts);
        for (std::size_t h = 0; h < rows; ++h)
            values[i] += model.value(segment.first + h, w) / static_cast<double>(rows);
    });
    const double mean = mean_of(values);
    for (double& value : values) value -= mean;
    return values;
}

}  // namespace bellwether
