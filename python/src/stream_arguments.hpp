// A stream in NumPy arrays as the engine's kernels read it. What has the right form is read where it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "stream/stream_view.hpp"

namespace bellwether::python {

// Rows of features (FeatureRows has the forms).
class LaneRows {
public:
    LaneRows(const char* name, py::handle given, std::size_t dimension) : rows_(name, given, dimension) {
        view_ = {LaneFeatures::Kind::dense, dimension, nullptr, nullptr, nullptr};
        if (rows_.count() == 0) return;
        switch (rows_.kind()) {
            case FeatureRows::Kind::dense:
                view_.values = rows_.dense(0).values.data();
                break;
            case FeatureRows::Kind::one_hot:
                take_one_hot();
                break;
            case FeatureRows::Kind::sparse:
                take_sparse(name);
                break;
        }
    }

    std::size_t count() const { return rows_.count(); }
    FeatureRows::Kind kind() const { return rows_.kind(); }
    const LaneFeatures& view() const { return view_; }

private:
    void take_one_hot() {
        numbers_.reserve(rows_.count());
        for (std::size_t row = 0; row < rows_.count(); ++row)
            numbers_.push_back(static_cast<std::uint32_t>(rows_.one_hot(row).index));
        view_.kind = LaneFeatures::Kind::one_hot;
        view_.indices = numbers_.data();
    }
    void take_sparse(const char* name) {
        const Sparse<double> first = rows_.sparse(0);
        numbers_.reserve(rows_.count() + 1);
        numbers_.push_back(0);
        std::size_t entries = 0;
        bool in_place = true;  // the values of active features are all the same few ones
        for (std::size_t row = 0; row < rows_.count(); ++row) {
            const Sparse<double> entry = rows_.sparse(row);
            in_place = in_place && entry.values.data() == first.values.data() + entries;
            entries += entry.indices.size();
            if (entries > UINT32_MAX) refuse_value(std::string(name) + " has more than 2^32 - 1 entries");
            numbers_.push_back(static_cast<std::uint32_t>(entries));
        }
        if (!in_place) ones_.assign(entries, 1.0);
        view_.kind = LaneFeatures::Kind::sparse;
        view_.first = numbers_.data();
        view_.indices = first.indices.data();
        view_.values = in_place ? first.values.data() : ones_.data();
    }

    FeatureRows rows_;
    std::vector<std::uint32_t> numbers_;  // of one-hot rows their indices, of sparse ones where they begin
    std::vector<double> ones_;
    LaneFeatures view_{};
};

// Numbers that broadcast to (steps, predictions) as NumPy's do: one for all, (predictions,), (steps, 1) or
// (steps, predictions). Of a stream without predictions: one for all, or (steps,).
class LaneNumbers {
public:
    LaneNumbers(const char* name, py::handle given, std::size_t steps, std::optional<std::size_t> predictions)
        : array_(float64_array(name, given)) {
        signal_ = {static_cast<const double*>(array_.data()), 0, false};
        const auto extent = [&](py::ssize_t axis) { return static_cast<std::size_t>(array_.shape(axis)); };
        const py::ssize_t axes = array_.ndim();
        bool fits = axes <= (predictions ? 2 : 1);
        if (fits && axes > 0 && predictions) {
            const std::size_t columns = extent(axes - 1), rows = axes == 2 ? extent(0) : 1;
            fits = (columns == 1 || columns == *predictions) && (rows == 1 || rows == steps);
            signal_.by_learner = columns > 1;
            signal_.by_step = rows > 1 ? columns : 0;
        } else if (fits && axes == 1) {
            fits = extent(0) == steps;
            signal_.by_step = 1;
        }
        if (fits) return;
        const std::string shape =
            predictions ? "(" + std::to_string(steps) + ", " + std::to_string(*predictions) + ") or broadcast to that"
                        : "(" + std::to_string(steps) + ",), one number per step";
        refuse_value(std::string(name) + " must have shape " + shape + ", not " +
                     py::str(array_.attr("shape")).cast<std::string>());
    }

    const LaneSignal& signal() const { return signal_; }
    // A number per step, where they must lie in a row.
    const double* column(std::size_t steps) {
        if (signal_.by_step == 1) return signal_.numbers;
        expanded_.assign(steps, *signal_.numbers);
        return expanded_.data();
    }

private:
    py::array array_;
    LaneSignal signal_{};
    std::vector<double> expanded_;
};

// The arguments that sweeps and hordes share. Python has made `marks` of the starts: a LaneMark per step, or None.
class StreamArguments {
public:
    StreamArguments(const py::dict& given, std::size_t dimension, std::optional<std::size_t> predictions)
        : x_("X", given["X"], dimension) {
        if (!given["X_next"].is_none()) x_next_.emplace("X_next", given["X_next"], dimension);
        if (x_next_ && x_next_->count() != x_.count())
            refuse_value("X_next has " + std::to_string(x_next_->count()) + " rows, X has " +
                         std::to_string(x_.count()));
        if (x_next_ && x_next_->kind() != x_.kind())
            refuse_type("X and X_next must be of the same kind: both dense, both CSR, ...");
        if (!x_next_ && x_.count() == 0)
            refuse_value("X has no rows: without X_next it has one more than there are steps");
        const std::size_t steps = x_next_ ? x_.count() : x_.count() - 1;
        view_.steps = steps;
        view_.x = x_.view();
        view_.x_next = x_next_ ? x_next_->view() : rows_from(x_.view(), 1);

        const auto take = [&](const char* name, LaneSignal& signal) {
            const bool needed = &signal == &view_.reward || &signal == &view_.gamma;
            if (!needed && given[name].is_none()) return false;
            signal =
                numbers_.emplace_back(std::make_unique<LaneNumbers>(name, given[name], steps, predictions))->signal();
            return true;
        };
        view_.reward_name = predictions ? "cumulants" : "rewards";
        take(view_.reward_name, view_.reward);
        take("gammas", view_.gamma);
        take("rhos", view_.rho);
        const bool has_pi = take("pis", view_.pi), has_mu = take("mus", view_.mu);
        if (has_pi != has_mu)
            refuse_value(std::string(has_pi ? "mus are" : "pis are") + " missing: pis and mus come together");
        view_.has_policies = has_pi;

        const auto take_column = [&](const char* name, std::size_t count) -> const double* {
            if (given[name].is_none()) return nullptr;
            return numbers_.emplace_back(std::make_unique<LaneNumbers>(name, given[name], count, std::nullopt))
                ->column(count);
        };
        view_.interest = take_column("interests", steps);
        if (!x_next_ && !given["lambdas_next"].is_none())
            refuse_value("lambdas_next goes with X_next; without it, lambdas has a value for every row of X");
        if (x_next_ && given["lambdas"].is_none() != given["lambdas_next"].is_none())
            refuse_value("lambdas and lambdas_next come together where X_next is given");
        view_.lambda = take_column("lambdas", x_.count());
        view_.lambda_next = x_next_ ? take_column("lambdas_next", steps) : view_.lambda ? view_.lambda + 1 : nullptr;

        if (!given["marks"].is_none()) {
            marks_ = given["marks"].cast<py::array_t<std::uint8_t, py::array::c_style>>();
            if (static_cast<std::size_t>(marks_.size()) != steps) refuse_value("marks must have one number per step");
            view_.marks = marks_.data();
        }
    }

    const StreamView& view() const { return view_; }

private:
    LaneRows x_;
    std::optional<LaneRows> x_next_;
    std::vector<std::unique_ptr<LaneNumbers>> numbers_;
    py::array_t<std::uint8_t, py::array::c_style> marks_;
    StreamView view_{};
};

}  // namespace bellwether::python
