// Sweeps over a user's stream, and hordes. bellwether/sweep.py and bellwether/horde.py are what users see.
#include <pybind11/stl.h>

#include <chrono>
#include <string>
#include <utility>

#include "bellwether/catalogue.hpp"
#include "bindings.hpp"
#include "device_notices.hpp"
#include "engine/device/device.hpp"
#include "stream/horde.hpp"
#include "stream/stream_sweep.hpp"
#include "stream_arguments.hpp"
#include "support/algorithms.hpp"

namespace bellwether::python {

namespace {

// Looks whether a signal has come. The GIL must be held.
void check_signals() {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// ---- sweeps ----

StreamMetric metric_named(const std::string& name) {
    if (name == "rmse") return StreamMetric::rmse;
    if (name == "mse") return StreamMetric::mse;
    if (name == "mae") return StreamMetric::mae;
    refuse_value("metric must be 'rmse', 'mse' or 'mae', not '" + name + "'");
}

template <class Number>
py::array_t<Number> array_from(const std::vector<Number>& numbers) {
    return py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

// Numbers by configuration in the order in which the table has its rows: grid after grid, each in reading order.
// `width` numbers belong to a configuration.
template <class Number>
std::vector<Number> in_table_order(const std::vector<AlgorithmGrid>& grids, const std::vector<Number>& numbers,
                                   std::size_t width = 1) {
    std::vector<Number> rows;
    rows.reserve(numbers.size());
    std::size_t before = 0;
    for (const AlgorithmGrid& grid : grids) {
        const std::vector<std::size_t> order = grid.reading_order();
        for (const std::size_t c : order) {
            const auto first = numbers.begin() + static_cast<std::ptrdiff_t>((before + c) * width);
            rows.insert(rows.end(), first, first + static_cast<std::ptrdiff_t>(width));
        }
        before += order.size();
    }
    return rows;
}

// The values of a parameter by configuration, NaN where an algorithm has no such parameter; none where nobody has it.
std::optional<std::vector<double>> values_of(const std::vector<AlgorithmGrid>& grids, const ParameterInfo& parameter) {
    std::vector<double> values;
    bool known = false;
    for (const AlgorithmGrid& grid : grids) {
        const ParameterInfo* own = grid.info->find(parameter.name);
        const std::size_t p = own ? static_cast<std::size_t>(own - grid.info->parameters.data()) : 0;
        known = known || own;
        for (std::size_t c = 0; c < grid.configurations(); ++c)
            values.push_back(own ? grid.value(c, p) : std::numeric_limits<double>::quiet_NaN());
    }
    if (!known) return std::nullopt;
    return values;
}

// The columns of the table: the place of the algorithm in the list, every parameter that some of them has (NaN for the
// others), score, diverged, weights.
py::dict table_of(const std::vector<AlgorithmGrid>& grids, const StreamScores& results, std::size_t dimension) {
    py::dict columns;
    std::vector<std::int64_t> places;
    for (std::size_t a = 0; a < grids.size(); ++a)
        places.insert(places.end(), grids[a].configurations(), static_cast<std::int64_t>(a));
    columns["algorithm"] = array_from(places);
    for_each_parameter([&](const ParameterInfo& parameter, const auto&) {
        if (const auto values = values_of(grids, parameter))
            columns[py::str(std::string(parameter.name))] = array_from(in_table_order(grids, *values));
    });
    columns["score"] = array_from(in_table_order(grids, results.scores));
    columns["diverged"] = array_from(in_table_order(grids, results.diverged)).attr("astype")("bool");
    if (!results.weights.empty())
        columns["weights"] = array_from(in_table_order(grids, results.weights, dimension))
                                 .attr("reshape")(results.scores.size(), dimension);
    return columns;
}

// The truth that scores are measured by, with what its views point to.
class TruthArguments {
public:
    TruthArguments(const py::dict& given, const StreamView& stream, std::size_t dimension) {
        const py::object truth = given["truth"], evaluation = given["evaluation"];
        truth_.every = given["every"].cast<std::size_t>();
        if (py::isinstance<py::str>(truth)) {
            truth_.returns = true;
        } else if (evaluation.is_none()) {
            values_ = float64_array("truth", truth);
            const auto count = static_cast<std::size_t>(values_.size());
            const bool by_row = given["X_next"].is_none() && count == stream.steps + 1;
            if (values_.ndim() != 1 || (count != stream.steps && !by_row))
                refuse_value("truth must have one value per step of the stream (" + std::to_string(stream.steps) +
                             "), not shape " + py::str(values_.attr("shape")).cast<std::string>());
            truth_.by_step = static_cast<const double*>(values_.data());
        } else {
            rows_.emplace("evaluation", evaluation, dimension);
            values_ = column("truth", truth);
            truth_.rows = rows_->view();
            truth_.row_count = rows_->count();
            truth_.values = static_cast<const double*>(values_.data());
            if (given["evaluation_weights"].is_none()) return;
            weights_ = column("evaluation_weights", given["evaluation_weights"]);
            truth_.weights = static_cast<const double*>(weights_.data());
        }
    }

    const StreamTruth& truth() const { return truth_; }

private:
    py::array column(const char* name, const py::object& given) const {
        py::array array = float64_array(name, given);
        if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != rows_->count())
            refuse_value(std::string(name) + " must have one number per row of evaluation (" +
                         std::to_string(rows_->count()) + "), not shape " +
                         py::str(array.attr("shape")).cast<std::string>());
        return array;
    }

    std::optional<LaneRows> rows_;
    py::array values_, weights_;
    StreamTruth truth_;
};

// None, or a number per component.
py::object initial_weights(const py::object& given, std::size_t dimension) {
    if (given.is_none()) return given;
    const py::array weights = float64_array("initial_weights", given);
    if (weights.ndim() != 1 || static_cast<std::size_t>(weights.size()) != dimension)
        refuse_value("initial_weights must have shape (" + std::to_string(dimension) + ",)");
    return weights;
}

std::vector<AlgorithmGrid> grids_of_arguments(const py::dict& given) {
    std::vector<const AlgorithmInfo*> infos;
    for (const auto& name : given["algorithms"].cast<std::vector<std::string>>())
        infos.push_back(&algorithm_named(name));
    std::vector<ParameterValues> values;
    for (const auto& [name, numbers] : given["parameters"].cast<py::dict>())
        values.push_back({name.cast<std::string>(), numbers.cast<std::vector<double>>()});
    return grids_of(infos, values);
}

py::tuple sweep(const py::dict& given) {
    const auto dimension = given["dimension"].cast<std::size_t>();
    const StreamArguments stream(given, dimension, std::nullopt);
    const std::vector<AlgorithmGrid> grids = grids_of_arguments(given);
    const TruthArguments truth(given, stream.view(), dimension);
    const py::object progress = given["progress"], initial = initial_weights(given["initial_weights"], dimension);
    StreamSweepOptions options{.metric = metric_named(given["metric"].cast<std::string>()),
                               .score_share = given["score"].cast<double>(),
                               .keeps_weights = given["weights"].cast<bool>(),
                               .threads = given["threads"].cast<std::size_t>()};
    if (!initial.is_none()) options.initial_weights = static_cast<const double*>(initial.cast<py::array>().data());
    options.watch = [&](double done) {
        const py::gil_scoped_acquire hold;
        if (!progress.is_none()) progress(done);
        check_signals();
    };
    const auto device_name = given["device"].cast<std::string>();
    DeviceNotices notices;
    StreamScores results;
    double seconds = 0;
    {
        const py::gil_scoped_release others_run;
        const std::unique_ptr<Device> device = open_device("device", device_name, {.notice = notices.listener()});
        options.device = device.get();
        const auto begin = std::chrono::steady_clock::now();
        results = sweep_stream(stream.view(), grids, truth.truth(), options);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
    notices.warn();
    std::vector<std::string> ids;
    for (const AlgorithmGrid& grid : grids) ids.emplace_back(grid.info->id);
    return py::make_tuple(ids, table_of(grids, results, dimension), seconds);
}

// ---- hordes ----

class HordeObject {
public:
    HordeObject(const std::string& algorithm, std::size_t dimension, std::size_t predictions,
                const py::array& parameters)
        : horde_(algorithm_named(algorithm), dimension, predictions, numbers_of(parameters)) {}

    const Horde& idle() const {
        if (busy_) throw std::runtime_error("this horde is learning in another call: wait for it, or use a copy");
        return horde_;
    }
    Horde& idle() { return const_cast<Horde&>(std::as_const(*this).idle()); }

    py::object learn(const py::dict& given, std::size_t threads, bool wants_predictions) {
        Horde& horde = idle();
        const StreamArguments stream(given, horde.dimension(), horde.predictions());
        py::object before = py::none();
        double* to = nullptr;
        if (wants_predictions) {
            py::array_t<double> array(
                {static_cast<py::ssize_t>(stream.view().steps), static_cast<py::ssize_t>(horde.predictions())});
            to = array.mutable_data();
            before = std::move(array);
        }
        busy_ = true;
        const Idle when_done{busy_};
        const py::gil_scoped_release others_run;
        auto looked = std::chrono::steady_clock::now();
        horde.learn(stream.view(), to, threads, [&] {
            const auto now = std::chrono::steady_clock::now();
            if (now - looked < std::chrono::milliseconds(10)) return;
            looked = now;
            const py::gil_scoped_acquire hold;
            check_signals();
        });
        if (stream.starts_at_end()) horde.start();
        return before;
    }

    void grow(std::size_t predictions, const py::array& parameters) {
        idle().grow(predictions, numbers_of(parameters));
    }

    py::object weights() const {
        const Horde& horde = idle();
        return array_from(horde.weights())
            .attr("reshape")(static_cast<py::ssize_t>(horde.predictions()),
                             static_cast<py::ssize_t>(horde.dimension()));
    }
    py::bytes state(std::size_t prediction) const {
        const std::vector<std::byte> bytes = idle().save(prediction);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    void restore(std::size_t prediction, const py::bytes& state) {
        const auto text = static_cast<std::string_view>(state);
        const std::string problem = idle().restore(prediction, std::as_bytes(std::span(text)));
        if (!problem.empty()) refuse_value("cannot restore this horde: " + problem);
    }

private:
    static std::vector<double> numbers_of(const py::array& parameters) {
        const py::array numbers = float64_array("parameters", parameters);
        const auto* first = static_cast<const double*>(numbers.data());
        return {first, first + numbers.size()};
    }

    struct Idle {
        bool& busy;
        ~Idle() { busy = false; }
    };

    Horde horde_;
    bool busy_ = false;
};

}  // namespace

void bind_sweep(py::module_& module) {
    module.def("_sweep", &sweep, py::arg("arguments"),
               "_sweep(arguments)\n--\n\nThe engine of bellwether.sweep: ids of the algorithms, the table's columns, "
               "and seconds.");
    py::class_<HordeObject>(module, "_Horde", "The engine of bellwether.Horde.")
        .def(py::init<const std::string&, std::size_t, std::size_t, const py::array&>(), py::arg("algorithm"),
             py::arg("dimension"), py::arg("predictions"), py::arg("parameters"),
             "__init__(self, algorithm, dimension, predictions, parameters)\n--\n\nParameters by prediction.")
        .def("learn", &HordeObject::learn, py::arg("arguments"), py::arg("threads"), py::arg("predictions"),
             "learn(self, arguments, threads, predictions)\n--\n\nLearn from a stream.")
        .def(
            "start", [](HordeObject& object) { object.idle().start(); }, "start(self)\n--\n\nBegin a new segment.")
        .def("grow", &HordeObject::grow, py::arg("predictions"), py::arg("parameters"),
             "grow(self, predictions, parameters)\n--\n\nMore predictions.")
        .def_property_readonly("weights", &HordeObject::weights, "The weights, predictions x dimension.")
        .def("state", &HordeObject::state, py::arg("prediction"),
             "state(self, prediction)\n--\n\nA learner's saved state.")
        .def("restore", &HordeObject::restore, py::arg("prediction"), py::arg("state"),
             "restore(self, prediction, state)\n--\n\nGo on from a saved state.");
}

}  // namespace bellwether::python
