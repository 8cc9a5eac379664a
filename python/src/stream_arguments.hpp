// A stream in NumPy arrays as a StreamView: what Learner.learn, sweep and Horde take. Arrays that have the right form
// are read where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "stream/stream_view.hpp"

namespace bellwether::python {

// Rows of features (FeatureRows has the forms).
class LaneRows {
public:
    LaneRows(const char* name, py::handle given, std::size_t dimension);

    std::size_t count() const { return rows_.count(); }
    FeatureRows::Kind kind() const { return rows_.kind(); }
    const LaneFeatures& view() const { return view_; }

private:
    void take_one_hot(const char* name);
    void take_sparse(const char* name);

    FeatureRows rows_;
    std::vector<std::uint32_t> numbers_;  // of one-hot rows their indices, of sparse ones where they begin
    std::vector<double> ones_;
    LaneFeatures view_{};
};

// Numbers that broadcast to (steps, predictions) as NumPy's do: one for all, (predictions,), (steps, 1) or
// (steps, predictions). Of a stream without predictions: one for all, or (steps,).
class LaneNumbers {
public:
    LaneNumbers(const char* name, py::handle given, std::size_t steps, std::optional<std::size_t> predictions);

    const LaneSignal& signal() const { return signal_; }
    // A number per step, where they must lie in a row.
    const double* column(std::size_t steps);

private:
    py::array array_;
    LaneSignal signal_{};
    std::vector<double> expanded_;
};

// The arguments X, X_next, gammas, rhos, lambdas, lambdas_next, interests, pis, mus, starts, and rewards, or cumulants
// where there are predictions. Their shapes are checked here, their numbers by stream/stream_check.hpp.
class StreamArguments {
public:
    StreamArguments(const py::dict& given, std::size_t dimension, std::optional<std::size_t> predictions);

    const StreamView& view() const { return view_; }
    // Whether the row after the last step begins a segment.
    bool starts_at_end() const { return starts_at_end_; }

private:
    void take_rows();
    void take_signals();
    void take_lambdas();
    void take_starts(py::handle starts);

    bool is_given(const char* name) const { return !given_[name].is_none(); }
    LaneNumbers& add_numbers(const char* name, std::size_t count, std::optional<std::size_t> predictions);
    const double* column(const char* name, std::size_t count);
    LaneSignal ratio_of_policies();

    py::dict given_;
    std::optional<std::size_t> predictions_;
    LaneRows x_;
    std::optional<LaneRows> x_next_;
    std::vector<std::unique_ptr<LaneNumbers>> numbers_;
    std::vector<double> ratios_;
    std::vector<std::uint8_t> marks_;
    bool starts_at_end_ = false;
    StreamView view_{};
};

}  // namespace bellwether::python
