#include "stream_arguments.hpp"

#include <string>

#include "stream/stream_check.hpp"

namespace bellwether::python {

// ---- rows of features ----

LaneRows::LaneRows(const char* name, py::handle given, std::size_t dimension) : rows_(name, given, dimension) {
    view_ = {LaneFeatures::Kind::dense, dimension, nullptr, nullptr, nullptr};
    if (rows_.count() == 0) return;
    switch (rows_.kind()) {
        case FeatureRows::Kind::dense:
            view_.values = rows_.dense(0).values.data();
            break;
        case FeatureRows::Kind::one_hot:
            take_one_hot(name);
            break;
        case FeatureRows::Kind::sparse:
            take_sparse(name);
            break;
    }
}

void LaneRows::take_one_hot(const char* name) {
    numbers_.reserve(rows_.count());
    for (std::size_t row = 0; row < rows_.count(); ++row) {
        const std::size_t index = rows_.one_hot(row).index;
        if (index > UINT32_MAX) refuse_value(std::string(name) + " has an index above 2^32 - 1");
        numbers_.push_back(static_cast<std::uint32_t>(index));
    }
    view_.kind = LaneFeatures::Kind::one_hot;
    view_.indices = numbers_.data();
}

void LaneRows::take_sparse(const char* name) {
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

// ---- numbers ----

LaneNumbers::LaneNumbers(const char* name, py::handle given, std::size_t steps, std::optional<std::size_t> predictions)
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

const double* LaneNumbers::column(std::size_t steps) {
    if (signal_.by_step == 1) return signal_.numbers;
    expanded_.assign(steps, *signal_.numbers);
    return expanded_.data();
}

// ---- the stream ----

namespace {

// Step numbers, or a truth value per step, as the numbers of the steps.
std::vector<std::size_t> step_numbers(py::handle starts, std::size_t steps, std::size_t places) {
    const py::array array = py::module_::import("numpy").attr("asarray")(starts);
    const char kind = array.dtype().kind();
    if (array.ndim() != 1 || (kind != 'b' && kind != 'i' && kind != 'u' && array.size() > 0))
        refuse_type("starts must be a 1-D array of step numbers or of booleans, not " + describe_object(array));
    const py::array numbers = py::module_::import("numpy").attr("require")(array, py::dtype::of<std::int64_t>(), "CA");
    const auto* number = static_cast<const std::int64_t*>(numbers.data());
    const auto count = static_cast<std::size_t>(numbers.size());
    if (kind == 'b' && count != steps && count != places)
        refuse_value("starts has " + std::to_string(count) + " booleans for " + std::to_string(steps) + " steps");
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < count; ++i) {
        if (kind == 'b') {
            if (number[i] != 0) found.push_back(i);
            continue;
        }
        if (number[i] < 0 || static_cast<std::size_t>(number[i]) >= places)
            refuse_value("starts[" + std::to_string(i) + "] is " + std::to_string(number[i]) +
                         ": it must be at least 0 and below " + std::to_string(places));
        found.push_back(static_cast<std::size_t>(number[i]));
    }
    return found;
}

}  // namespace

StreamArguments::StreamArguments(const py::dict& given, std::size_t dimension, std::optional<std::size_t> predictions)
    : given_(given), predictions_(predictions), x_("X", given["X"], dimension) {
    if (is_given("X_next")) x_next_.emplace("X_next", given["X_next"], dimension);
    take_rows();
    take_starts(given["starts"]);
    take_signals();
    take_lambdas();
}

void StreamArguments::take_rows() {
    if (x_next_ && x_next_->count() != x_.count())
        refuse_value("X_next has " + std::to_string(x_next_->count()) + " rows, X has " + std::to_string(x_.count()));
    if (x_next_ && x_next_->kind() != x_.kind())
        refuse_type("X and X_next must be of the same kind: both dense, both CSR, ...");
    if (!x_next_ && x_.count() == 0) refuse_value("X has no rows: without X_next it has one more than there are steps");
    view_.rows_follow = !x_next_;
    view_.steps = x_next_ ? x_.count() : x_.count() - 1;
    view_.x = x_.view();
    view_.x_next = x_next_ ? x_next_->view() : rows_from(x_.view(), 1);
}

// Where the rows of X follow each other, the step out of the row before a start is none, and the row after the last
// step may begin a segment too.
void StreamArguments::take_starts(py::handle starts) {
    if (starts.is_none()) return;
    const std::size_t steps = view_.steps, places = view_.rows_follow ? steps + 1 : steps;
    marks_.resize(steps + 1);
    for (const std::size_t step : step_numbers(starts, steps, places)) {
        marks_[step] |= begins_segment;
        if (view_.rows_follow && step > 0) marks_[step - 1] |= is_no_step;
    }
    view_.marks = marks_.data();
    starts_at_end_ = (marks_[steps] & begins_segment) != 0;
}

void StreamArguments::take_signals() {
    const auto take = [&](const char* name, LaneSignal& signal) {
        signal = add_numbers(name, view_.steps, predictions_).signal();
    };
    view_.reward_name = predictions_ ? "cumulants" : "rewards";
    take(view_.reward_name, view_.reward);
    take("gammas", view_.gamma);
    if (const std::string problem = missing_policy(is_given("pis"), is_given("mus"), stream_names); !problem.empty())
        refuse_value(problem);
    view_.has_policies = is_given("pis");
    if (view_.has_policies) {
        take("pis", view_.pi);
        take("mus", view_.mu);
        view_.rho = ratio_of_policies();
    }
    if (is_given("rhos")) take("rhos", view_.rho);
    view_.interest = column("interests", view_.steps);
}

void StreamArguments::take_lambdas() {
    if (!x_next_ && is_given("lambdas_next"))
        refuse_value("lambdas_next goes with X_next; without it, lambdas has a value for every row of X");
    if (x_next_ && is_given("lambdas") != is_given("lambdas_next"))
        refuse_value("lambdas and lambdas_next come together where X_next is given");
    view_.lambda = column("lambdas", x_.count());
    view_.lambda_next = x_next_ ? column("lambdas_next", view_.steps) : view_.lambda ? view_.lambda + 1 : nullptr;
}

LaneNumbers& StreamArguments::add_numbers(const char* name, std::size_t count, std::optional<std::size_t> predictions) {
    return *numbers_.emplace_back(std::make_unique<LaneNumbers>(name, given_[name], count, predictions));
}

const double* StreamArguments::column(const char* name, std::size_t count) {
    return is_given(name) ? add_numbers(name, count, std::nullopt).column(count) : nullptr;
}

// π/μ in the shape that both broadcast to.
LaneSignal StreamArguments::ratio_of_policies() {
    const bool by_learner = view_.pi.by_learner || view_.mu.by_learner;
    const bool by_step = view_.pi.by_step > 0 || view_.mu.by_step > 0;
    const std::size_t columns = by_learner ? *predictions_ : 1, rows = by_step ? view_.steps : 1;
    ratios_.reserve(rows * columns);
    for (std::size_t t = 0; t < rows; ++t)
        for (std::size_t k = 0; k < columns; ++k)
            ratios_.push_back(number_at(view_.pi, t, k) / number_at(view_.mu, t, k));
    return {ratios_.data(), by_step ? columns : 0, by_learner};
}

}  // namespace bellwether::python
