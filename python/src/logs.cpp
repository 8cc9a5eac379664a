// Logs, their evaluation, and fitted behaviours. bellwether/logs/ is what users see.
#include <pybind11/stl.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bellwether/catalogue.hpp"
#include "bindings.hpp"
#include "logs/behaviour.hpp"
#include "logs/evaluation.hpp"
#include "logs/evaluation_json.hpp"
#include "logs/evaluation_text.hpp"
#include "logs/log.hpp"
#include "logs/log_reader.hpp"
#include "logs/log_writer.hpp"
#include "logs/online.hpp"
#include "logs/tuning.hpp"
#include "logs/tuning_text.hpp"
#include "report/log_pages.hpp"
#include "signals.hpp"

namespace bellwether::python {

namespace {

constexpr const char* program = "bellwether " BELLWETHER_VERSION;

std::vector<double> numbers_of(const char* name, py::handle given) {
    if (given.is_none()) return {};
    const py::array array = float64_array(name, given);
    const auto* first = static_cast<const double*>(array.data());
    return {first, first + array.size()};
}

std::vector<std::uint32_t> actions_of(py::handle given) {
    if (given.is_none()) return {};
    const auto array = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>::ensure(given);
    if (!array) throw py::error_already_set();
    std::vector<std::uint32_t> actions;
    for (py::ssize_t k = 0; k < array.size(); ++k) {
        const std::int64_t action = array.data()[k];
        if (action < 0 || action >= 1'000'000)
            refuse_value("actions[" + std::to_string(k) + "] = " + std::to_string(action) +
                         ": an action is a whole number from 0");
        actions.push_back(static_cast<std::uint32_t>(action));
    }
    return actions;
}

py::array_t<double> matrix_of(std::span<const double> numbers, std::size_t columns) {
    py::array_t<double> array({static_cast<py::ssize_t>(numbers.size() / columns), static_cast<py::ssize_t>(columns)});
    std::copy(numbers.begin(), numbers.end(), array.mutable_data());
    return array;
}

// Rows as bellwether/logs/reading.py has put them together.
Log log_of(const py::dict& given) {
    Log log;
    log.name = given["name"].cast<std::string>();
    log.dimension = given["dimension"].cast<std::size_t>();
    log.actions = given["n_actions"].cast<std::size_t>();
    log.features = numbers_of("X", given["X"]);
    log.reward = numbers_of("rewards", given["rewards"]);
    log.gamma = numbers_of("gammas", given["gammas"]);
    log.rho = numbers_of("rhos", given["rhos"]);
    log.pi = numbers_of("pis", given["pi"]);
    log.mu = numbers_of("mus", given["mu"]);
    log.target = numbers_of("pis", given["target"]);
    log.behaviour = numbers_of("mus", given["behaviour"]);
    log.action = actions_of(given["actions"]);
    log.missing_steps = given["missing_steps"].cast<std::uint64_t>();
    const auto first = given["first"].cast<std::vector<std::size_t>>();
    const auto steps = given["steps"].cast<std::vector<std::size_t>>();
    const auto ended = given["ended"].cast<std::vector<bool>>();
    for (std::size_t i = 0; i < first.size(); ++i) log.segments.push_back({first[i], steps[i], ended[i]});
    check_log(log);
    return log;
}

TargetPolicy target_of(const py::handle& given) {
    TargetPolicy target;
    if (given.is_none()) return target;
    const auto options = given.cast<py::dict>();
    target = target_named(options["name"].cast<std::string>());
    if (options.contains("weights")) target.weights = numbers_of("weights", options["weights"]);
    if (options.contains("epsilon")) target.epsilon = options["epsilon"].cast<double>();
    if (options.contains("temperature")) target.temperature = options["temperature"].cast<double>();
    return target;
}

std::optional<Starts> starts_of(py::handle given, py::handle target) {
    if (given.is_none()) return std::nullopt;
    if (!py::isinstance<py::str>(given))
        return Starts{
            .from = Starts::From::rows, .rows = numbers_of("starts", given), .target = numbers_of("target", target)};
    const auto name = given.cast<std::string>();
    if (name == "segments") return Starts{.from = Starts::From::segments};
    if (name == "all") return Starts{.from = Starts::From::all};
    refuse_value("starts must be 'segments', 'all' or rows of features, not '" + name + "'");
}

// The log with the target's probabilities where they are given in every row.
Log with_target(const Log& log, const py::dict& given) {
    Log own = log;
    if (given["probabilities"].is_none()) return own;
    own.target = numbers_of("target", given["probabilities"]);
    const auto actions = given["n_actions"].cast<std::size_t>();
    if ((!log.target.empty() || !log.behaviour.empty()) && actions != log.actions)
        refuse_value("the target knows " + std::to_string(actions) + " actions; the log's " +
                     (log.behaviour.empty() ? "pis" : "mus") + " know " + std::to_string(log.actions));
    own.actions = actions;
    own.pi.clear();
    own.rho.clear();
    check_log(own);
    return own;
}

BehaviourSource behaviour_of(const py::dict& given) {
    return {.model = given["behaviour"].cast<std::string>(),
            .given = numbers_of("behaviour", given["mus"]),
            .unsupported_below = given["unsupported_below"].cast<double>()};
}

std::optional<OnlineLearner> online_of(py::handle given) {
    if (given.is_none()) return std::nullopt;
    const auto options = given.cast<py::dict>();
    const AlgorithmInfo& algorithm = algorithm_named(options["algorithm"].cast<std::string>());
    std::vector<std::string> names;
    std::vector<NamedValue> values;
    const auto parameters = options["parameters"].cast<py::dict>();
    names.reserve(parameters.size());
    for (const auto& [name, value] : parameters) {
        names.push_back(name.cast<std::string>());
        values.push_back({names.back(), value.cast<double>()});
    }
    auto checked = check_parameters(algorithm, values);
    if (!checked) refuse_value(checked.error());
    return OnlineLearner{&algorithm, checked.value()};
}

// Calls what the caller gave, or None; work that runs without the GIL calls it.
std::function<void(double)> watch_of(const py::object& progress) {
    return [&progress](double done) {
        const py::gil_scoped_acquire hold;
        if (!progress.is_none()) progress(done);
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    };
}

PolicyEvaluation evaluate_log(const Log& log, const py::dict& given) {
    EvaluationOptions options;
    Log own = with_target(log, given);
    options.target = target_of(given["target"]);
    options.behaviour = behaviour_of(given);
    options.starts = starts_of(given["starts"], given["starts_target"]);
    if (!given["piece"].is_none()) options.piece = given["piece"].cast<std::size_t>();
    if (!given["at"].is_none()) options.at = numbers_of("at", given["at"]);
    options.lambda = given["lambda"].cast<double>();
    options.level = given["level"].cast<double>();
    options.threads = given["threads"].cast<std::size_t>();
    options.online = online_of(given["online"]);
    const py::object progress = given["progress"];
    options.watch = watch_of(progress);
    const py::gil_scoped_release others_run;
    return evaluate(std::move(own), options);
}

// Every configuration, the best first.
py::list configurations_of(const Tuning& tuning) {
    py::list rows;
    for (const TunedConfiguration& one : tuning.configurations) {
        py::dict row;
        row["algorithm"] = std::string(one.algorithm->id);
        for (std::size_t p = 0; p < one.parameters.size(); ++p)
            row[py::str(std::string(one.algorithm->parameters[p].name))] = one.parameters[p];
        row["score"] = one.score;
        if (one.fresh) row["fresh"] = one.fresh->score;
        if (one.rupee) row["rupee"] = *one.rupee;
        rows.append(row);
    }
    return rows;
}

Tuning tune_log(const Log& log, const py::dict& given) {
    Log own = with_target(log, given);
    const TargetPolicy target = target_of(given["target"]);
    const BehaviourSource behaviour = behaviour_of(given);
    TuningOptions options{.algorithms = given["algorithms"].cast<std::vector<std::string>>(),
                          .fresh = given["fresh"].cast<std::size_t>(),
                          .monitor = given["monitor"].cast<bool>(),
                          .threads = given["threads"].cast<std::size_t>()};
    if (!given["score"].is_none()) options.score = tuning_score_named(given["score"].cast<std::string>());
    for (const auto& [name, numbers] : given["parameters"].cast<py::dict>())
        options.values.push_back({name.cast<std::string>(), numbers.cast<std::vector<double>>()});
    std::optional<std::size_t> piece;
    if (!given["piece"].is_none()) piece = given["piece"].cast<std::size_t>();
    const py::object progress = given["progress"];
    options.watch = watch_of(progress);
    const bool own_probabilities = given["probabilities"].is_none();
    const py::gil_scoped_release others_run;
    const bool in_columns = set_ratios(own, target, behaviour).in_columns && own_probabilities;
    if (piece || is_continuing(own)) cut_into_pieces(own, piece.value_or(piece_length(own)));
    Tuning tuning = tune(std::move(own), options);
    tuning.ratios_in_columns = in_columns;
    return tuning;
}

// (values, standard errors) of rows of features.
py::tuple values_of(const PolicyEvaluation& evaluation, py::handle given) {
    const py::array rows = float64_array("X", given);
    if (rows.ndim() != 2 || static_cast<std::size_t>(rows.shape(1)) != evaluation.dimension)
        refuse_value("X must have shape (rows, " + std::to_string(evaluation.dimension) + ")");
    std::vector<double> values, errors;
    const auto* first = static_cast<const double*>(rows.data());
    for (py::ssize_t row = 0; row < rows.shape(0); ++row) {
        const StateValue found = evaluation.value_of({first + row * rows.shape(1), evaluation.dimension});
        values.push_back(found.value);
        errors.push_back(found.se);
    }
    return py::make_tuple(array_of(std::move(values)), array_of(std::move(errors)));
}

struct BehaviourObject {
    FittedBehaviour fitted;
    std::size_t dimension, actions;

    py::array_t<double> probabilities(py::handle given) const {
        const py::array rows = float64_array("X", given);
        if (rows.ndim() != 2 || static_cast<std::size_t>(rows.shape(1)) != dimension)
            refuse_value("X must have shape (rows, " + std::to_string(dimension) + ")");
        py::array_t<double> result({rows.shape(0), static_cast<py::ssize_t>(actions)});
        const auto* first = static_cast<const double*>(rows.data());
        for (py::ssize_t row = 0; row < rows.shape(0); ++row)
            fitted.model->probabilities({first + row * rows.shape(1), dimension},
                                        {result.mutable_data() + row * static_cast<py::ssize_t>(actions), actions});
        return result;
    }

    py::dict report() const {
        const BehaviourReport& r = fitted.report;
        py::list bins;
        for (const ReliabilityBin& bin : r.reliability)
            bins.append(py::make_tuple(bin.predicted, bin.taken, bin.count));
        py::dict report;
        report["model"] = r.model;
        report["ridge"] = r.ridge;
        report["log_loss"] = r.log_loss;
        report["held_out_log_loss"] = r.held_out_log_loss;
        report["marginal_log_loss"] = r.marginal_log_loss;
        report["uniform_log_loss"] = r.uniform_log_loss;
        report["calibration_error"] = r.calibration_error;
        report["smallest_taken"] = r.smallest_taken;
        report["reliability"] = bins;
        return report;
    }
};

BehaviourObject fit(const py::array& X, const py::handle& actions, const std::vector<std::size_t>& segments,
                    std::size_t count, const std::string& model) {
    BehaviourData data{.dimension = static_cast<std::size_t>(X.shape(1)), .actions = count};
    data.features = numbers_of("X", X);
    data.action = actions_of(actions);
    data.segment = segments;
    const py::gil_scoped_release others_run;
    return {fit_behaviour(data, model), data.dimension, data.actions};
}

}  // namespace

void bind_logs(py::module_& module) {
    py::class_<Log, std::shared_ptr<Log>>(module, "_Log", "The rows of bellwether.Log.")
        .def(py::init(&log_of), py::arg("arguments"), "__init__(self, arguments)\n--\n\nRows of arrays.")
        .def_static(
            "read",
            [](const std::string& path, std::optional<std::size_t> dimension, std::optional<char> separator,
               bool split_gaps) {
                LogReaderOptions options{.dimension = dimension, .separator = separator, .split_gaps = split_gaps};
                SignalWatch signals;
                options.watch = [&](double, double) { signals.ask(); };
                const py::gil_scoped_release others_run;
                return read_log(path, options);
            },
            py::arg("path"), py::arg("dimension"), py::arg("separator"), py::arg("split_gaps"),
            "read(path, dimension, separator, split_gaps)\n--\n\nA log from a file.")
        .def(
            "write", [](const Log& log, const std::string& path) { write_log(log, path); }, py::arg("path"),
            "write(self, path)\n--\n\nThe log as CSV.")
        .def_property_readonly(
            "segments", [](const Log& log) { return log.segments.size(); }, "How many segments.")
        .def_property_readonly("steps", &Log::steps, "How many steps.")
        .def_readonly("dimension", &Log::dimension, "The length of feature vectors.")
        .def_readonly("actions", &Log::actions, "The number of actions; 0 where it is not known.")
        .def_property_readonly(
            "rows", [](const Log& log) { return matrix_of(log.features, log.dimension); }, "The features of every row.")
        .def_property_readonly(
            "step_rows",
            [](const Log& log) {
                std::vector<std::int64_t> rows;
                for (const Segment& segment : log.segments)
                    for (std::size_t h = 0; h < segment.steps; ++h)
                        rows.push_back(static_cast<std::int64_t>(segment.first + h));
                return py::array_t<std::int64_t>(static_cast<py::ssize_t>(rows.size()), rows.data());
            },
            "The rows of the steps.");
    py::class_<PolicyEvaluation>(module, "_Evaluation", "The numbers of bellwether.Evaluation.")
        .def_property_readonly("json", &evaluation_json, "Everything, as JSON.")
        .def_property_readonly("text", &evaluation_text, "What the command prints.")
        .def_property_readonly(
            "effective_sample",
            [](const PolicyEvaluation& evaluation) { return array_of(evaluation.effective_sample); },
            "Effective segments after 1, 2, ... steps.")
        .def("values", &values_of, py::arg("X"), "values(self, X)\n--\n\nValues and standard errors of rows.")
        .def_property_readonly(
            "page", [](const PolicyEvaluation& evaluation) { return evaluation_page(evaluation, program); },
            "The page of it; empty where the package was built without one.");
    py::class_<Tuning>(module, "_Tuning", "The numbers of bellwether.Tuning.")
        .def_property_readonly("json", &tuning_json, "The best of it, as JSON.")
        .def_property_readonly("text", &tuning_text, "What the command prints.")
        .def_property_readonly("configurations", &configurations_of, "Every configuration, the best first.")
        .def_property_readonly(
            "page", [](const Tuning& tuning) { return tuning_page(tuning, program); },
            "The page of it; empty where the package was built without one.");
    py::class_<BehaviourObject>(module, "_Behaviour", "The model of bellwether.Behaviour.")
        .def("probabilities", &BehaviourObject::probabilities, py::arg("X"),
             "probabilities(self, X)\n--\n\nOf every action.")
        .def_property_readonly("report", &BehaviourObject::report, "How well it fits.");
    module.def("_evaluate", &evaluate_log, py::arg("log"), py::arg("arguments"),
               "_evaluate(log, arguments)\n--\n\nThe engine of bellwether.evaluate.");
    module.def("_tune", &tune_log, py::arg("log"), py::arg("arguments"),
               "_tune(log, arguments)\n--\n\nThe engine of bellwether.tune.");
    module.def("_fit_behaviour", &fit, py::arg("X"), py::arg("actions"), py::arg("segments"), py::arg("n_actions"),
               py::arg("model"),
               "_fit_behaviour(X, actions, segments, n_actions, model)\n--\n\nThe engine of bellwether.fit_behaviour.");
}

}  // namespace bellwether::python
