// What holds for every device, real or not: sweeps over streams are those of the processor.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "bellwether/registry.hpp"
#include "engine/device/device.hpp"
#include "stream/stream_data.hpp"
#include "stream/stream_sweep.hpp"

namespace bellwether::test {

// Algorithms over a stream with segments and steps that are none, measured by its returns, by values that are
// given, and by an evaluation set.
class DeviceStreamChecks {
public:
    DeviceStreamChecks(const Device& device, FeatureKind kind, std::vector<const AlgorithmInfo*> algorithms)
        : device_(device),
          algorithms_(std::move(algorithms)),
          data_(random_case(5, steps, {.dimension = dimension, .features = kind})),
          columns_(data_, kind),
          rows_(kind, dimension),
          followed_(kind, dimension) {
        for (std::size_t t = 40; t < steps; t += 60) columns_.marks[t] |= is_no_step;
        Random random(3);
        for (std::size_t k = 0; k < 9; ++k)
            rows_.add(random_features(random, {.dimension = dimension, .features = kind}));
        for (std::size_t t = 0; t <= steps; ++t)
            followed_.add(random_features(random, {.dimension = dimension, .features = kind}));
        values_ = random.vector(9, -1, 1);
        weights_ = random.vector(9, 0, 1);
        by_step_ = random.vector(steps, -1, 1);
    }

    void expect_equal() const {
        const StreamTruth returns{.returns = true}, given{.by_step = by_step_.data()};
        const StreamTruth evaluation{
            .rows = rows_.view(), .row_count = 9, .values = values_.data(), .weights = weights_.data(), .every = 7};
        const double* start = data_.w_0.data();
        expect_equal(columns_.view(false), returns, {.metric = StreamMetric::rmse, .keeps_weights = true}, "returns");
        expect_equal(columns_.view(true), given, {.metric = StreamMetric::mae, .initial_weights = start, .threads = 2},
                     "values");
        expect_equal(columns_.view(true), evaluation,
                     {.metric = StreamMetric::rmse, .initial_weights = start, .keeps_weights = true}, "evaluation");
        StreamView without_gaps = columns_.view(false);
        without_gaps.x = followed_.view();
        without_gaps.x_next = rows_from(followed_.view(), 1);
        expect_equal(without_gaps, given, {.metric = StreamMetric::mse, .keeps_weights = true}, "rows that follow");
    }

private:
    static constexpr std::size_t steps = 300, dimension = 7;

    void expect_equal(const StreamView& stream, const StreamTruth& truth, StreamSweepOptions options,
                      const std::string& what) const {
        const std::vector<ParameterValues> grid{
            {"alpha", {0.001, 0.01, 0.05, 0.1, 1e60}}, {"eta", {0.5, 1}}, {"lambda", {0, 0.4, 0.9, 1}}};
        const std::vector<AlgorithmGrid> grids = grids_of(algorithms_, grid);
        const StreamScores expected = sweep_stream(stream, grids, truth, options);
        options.device = &device_;
        const StreamScores found = sweep_stream(stream, grids, truth, options);
        EXPECT_EQ(differences(found.scores, expected.scores), 0U) << what << " on " << device_.name();
        EXPECT_EQ(found.diverged, expected.diverged);
        EXPECT_EQ(differences(found.weights, expected.weights), 0U) << what << " on " << device_.name();
        std::size_t diverged = 0;
        for (const std::uint8_t one : expected.diverged) diverged += one;
        EXPECT_GT(diverged, 0U);
        EXPECT_LT(diverged, expected.diverged.size() / 2);
    }

    const Device& device_;
    std::vector<const AlgorithmInfo*> algorithms_;
    Case data_;
    Columns columns_;
    Rows rows_, followed_;
    Vec values_, weights_, by_step_;
};

inline void expect_sweeps_of_processor(const Device& device, const std::vector<const AlgorithmInfo*>& algorithms) {
    for (const FeatureKind kind : {FeatureKind::one_hot, FeatureKind::sparse, FeatureKind::dense}) {
        SCOPED_TRACE(static_cast<int>(kind));
        DeviceStreamChecks(device, kind, algorithms).expect_equal();
    }
}
inline void expect_sweeps_of_processor(const Device& device) {
    std::vector<const AlgorithmInfo*> algorithms;
    for (const AlgorithmInfo& info : algorithm_table)
        if (!info.on_policy_only) algorithms.push_back(&info);
    expect_sweeps_of_processor(device, algorithms);
}

}  // namespace bellwether::test
