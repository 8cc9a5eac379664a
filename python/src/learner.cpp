// bellwether.Learner and the table of algorithms.
#include <unistd.h>

#include <cstring>

#include "bindings.hpp"
#include "learner_object.hpp"
#include "support/algorithms.hpp"
#include "support/parameter_order.hpp"

namespace bellwether::python {

namespace {

// ---- making one ----

std::vector<std::string> parameter_names(const AlgorithmInfo& info) {
    std::vector<std::string> names;
    for (const ParameterInfo& parameter : info.parameters) names.push_back(python_name(parameter.name));
    return names;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

// The values of the algorithm's parameters, in the order of its declaration.
std::vector<double> parameter_values(const AlgorithmInfo& info, const py::dict& given) {
    const std::vector<std::string> names = parameter_names(info);
    std::vector<double> values;
    for (const ParameterInfo& parameter : info.parameters) values.push_back(parameter.default_value);
    for (const auto& [key, value] : given) {
        const auto name = key.cast<std::string>();
        std::size_t at = 0;
        while (at < names.size() && names[at] != name && info.parameters[at].name != name) ++at;
        if (at == names.size()) {
            std::vector<std::string> known = names;
            known.insert(known.end(), {"dimension", "traces", "trace_cutoff"});
            refuse_type(std::string(info.id) + " has no parameter '" + name + "'" + did_you_mean(name, known) +
                        " (it has " + joined(names) + ")");
        }
        values[at] = number_of(names[at].c_str(), value);
        if (!info.parameters[at].range.contains(values[at]))
            refuse_value(names[at] + " = " + number_text(values[at]) + " is out of range: it must be finite and " +
                         describe(info.parameters[at].range));
    }
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != values[i])
            refuse_type(std::string(info.id) + " needs " + names[i] + ": " + std::string(info.parameters[i].help) +
                        ", " + describe(info.parameters[i].range));
    check_order(info, values);
    return values;
}

const AlgorithmInfo& algorithm_of(py::handle name) {
    if (!py::isinstance<py::str>(name)) refuse_type("algorithm must be a str, not " + describe_object(name));
    return algorithm_named(name.cast<std::string>());
}

// The cutoff of sparse traces; none for dense ones.
std::optional<double> cutoff_of(py::handle traces, py::handle trace_cutoff) {
    const double cutoff = number_of("trace_cutoff", trace_cutoff);
    if (!(cutoff >= 0 && cutoff < INFINITY))
        refuse_value("trace_cutoff is " + number_text(cutoff) + ": it must be finite and at least 0");
    const std::string kind = py::isinstance<py::str>(traces) ? traces.cast<std::string>() : "";
    if (kind == "sparse") return cutoff;
    if (kind != "dense")
        refuse_value("traces must be 'dense' or 'sparse', not " + py::repr(traces).cast<std::string>());
    if (cutoff != 0) refuse_value("trace_cutoff is for traces='sparse'");
    return std::nullopt;
}

std::unique_ptr<LearnerObject> make(const AlgorithmInfo& info, std::size_t dimension, std::span<const double> values,
                                    std::optional<double> cutoff) {
    const double needed = memory_needed(info, dimension, cutoff.has_value());
    const double there = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    if (needed > there) {
        PyErr_Format(PyExc_MemoryError, "dimension %zu: the learner needs %zu MB of memory, this machine has %zu MB",
                     dimension, static_cast<std::size_t>(std::min(needed / 1e6, 1e18)),
                     static_cast<std::size_t>(there / 1e6));
        throw py::error_already_set();
    }
    return std::make_unique<LearnerObject>(best_instruction_set().make_learner(info, dimension, values, cutoff));
}

std::unique_ptr<LearnerObject> construct(const py::args& given, const py::kwargs& named) {
    const py::dict parameters = py::dict(named.attr("copy")());
    if (py::len(given) > 2)
        refuse_type("Learner() takes 2 arguments by position, the algorithm and the dimension; parameters by name");
    const auto take = [&](const char* name, std::size_t position) -> py::object {
        const bool is_named = parameters.contains(name);
        if (position < py::len(given)) {
            if (is_named) refuse_type(std::string("Learner() got the argument '") + name + "' twice");
            return given[position];
        }
        return is_named ? py::object(parameters.attr("pop")(name)) : py::object();
    };
    const py::object algorithm = take("algorithm", 0), dimension = take("dimension", 1);
    py::object traces = take("traces", 2), trace_cutoff = take("trace_cutoff", 2);
    if (!algorithm) refuse_type("Learner() needs algorithm, the id of one (bellwether.algorithms() has them all)");
    const AlgorithmInfo& info = algorithm_of(algorithm);
    // Unknown parameters first: a slip in 'dimension' is one of them.
    const std::vector<double> values = parameter_values(info, parameters);
    if (!dimension) refuse_type("Learner() needs dimension, the length of feature vectors");
    return make(info, count_of("dimension", dimension, 1), values,
                cutoff_of(traces ? traces : py::str("dense"), trace_cutoff ? trace_cutoff : py::float_(0.0)));
}

// ---- saving ----

std::unique_ptr<LearnerObject> copy_of(LearnerObject& object) {
    return std::make_unique<LearnerObject>(object.idle().clone());
}

py::bytes saved(LearnerObject& object) {
    const std::vector<std::byte> bytes = object.idle().save();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::unique_ptr<LearnerObject> restored(const py::bytes& pickled) {
    const auto text = static_cast<std::string_view>(pickled);
    const std::span bytes = std::as_bytes(std::span(text));
    SavedState state;
    if (const std::string problem = read_state(bytes, state); !problem.empty())
        refuse_value("cannot restore this learner: " + problem);
    auto info = require_algorithm(state.algorithm);
    if (!info) refuse_value("cannot restore this learner: " + info.error());
    auto values = check_parameters(*info, state.parameters);
    if (!values) refuse_value("cannot restore this learner: " + values.error());
    auto object = make(*info, state.dimension, values.value(), state.cutoff);
    if (const std::string problem = object->idle().restore(bytes); !problem.empty())
        refuse_value("cannot restore this learner: " + problem);
    return object;
}

// ---- what can be asked of one ----

py::array weights(LearnerObject& object) {
    const std::span<const double> weights = object.idle().weights();
    py::array_t<double> copy(static_cast<py::ssize_t>(weights.size()), weights.data());
    copy.attr("setflags")(py::arg("write") = false);  // an assignment to it would be lost
    return copy;
}

void set_weights(LearnerObject& object, const py::handle& given) {
    const py::array array = float64_array("weights", given);
    if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != object.dimension())
        refuse_value("weights must have shape (" + std::to_string(object.dimension()) + ",), not " +
                     py::str(array.attr("shape")).cast<std::string>());
    object.idle().set_weights({static_cast<const double*>(array.data()), object.dimension()});
}

py::object predict(LearnerObject& object, const py::handle& X) {
    const Learner& learner = object.idle();
    const bool array = py::isinstance<py::array>(X);
    const bool sparse = py::hasattr(X, "tocsr");
    const py::object numbers = array || sparse ? py::reinterpret_borrow<py::object>(X)
                                               : py::object(py::module_::import("numpy").attr("asarray")(X));
    // One vector of floats, or one index: one prediction. Everything else has rows.
    if (!sparse) {
        const auto given = numbers.cast<py::array>();
        const char kind = given.dtype().kind();
        if (given.ndim() == 0 || (given.ndim() == 1 && kind != 'i' && kind != 'u')) {
            FeatureVector vector;
            read_feature_vector("X", given.ndim() == 0 && !array ? X : numbers, learner.dimension(), vector);
            double value = 0;
            with_features(vector.kind,
                          [&]<class Features>(Features) { value = learner.predict(vector.as<Features>()); });
            return py::float_(value);
        }
    }
    const FeatureRows rows("X", numbers, learner.dimension());
    py::array_t<double> values(static_cast<py::ssize_t>(rows.count()));
    double* to = values.mutable_data();
    LearnerObject::Use use(object);
    const py::gil_scoped_release others_run;
    with_features(rows.kind(), [&]<class Features>(Features) {
        for (std::size_t row = 0; row < rows.count(); ++row) to[row] = learner.predict(rows.at<Features>(row));
    });
    return values;
}

py::dict parameters(LearnerObject& object) {
    py::dict values;
    for (std::size_t i = 0; i < object.info().parameters.size(); ++i)
        values[py::str(python_name(object.info().parameters[i].name))] = object.idle().parameter(i);
    return values;
}

std::string representation(LearnerObject& object) {
    std::string text =
        "Learner('" + std::string(object.info().id) + "', dimension=" + std::to_string(object.dimension());
    for (const auto& [name, value] : parameters(object))
        text += ", " + name.cast<std::string>() + "=" + py::repr(value).cast<std::string>();
    if (const auto cutoff = object.idle().cutoff())
        text += ", traces='sparse', trace_cutoff=" + py::repr(py::float_(*cutoff)).cast<std::string>();
    return text + ")";
}

// ---- what is known of the algorithms ----

py::list algorithm_list() {
    py::list algorithms;
    for (const AlgorithmInfo& info : algorithm_table) {
        py::list parameter_list;
        for (const ParameterInfo& p : info.parameters) {
            py::dict parameter;
            parameter["name"] = python_name(p.name);
            parameter["default"] = p.required() ? py::object(py::none()) : py::object(py::float_(p.default_value));
            parameter["minimum"] = p.range.minimum;
            parameter["maximum"] = p.range.maximum;
            parameter["includes_minimum"] = p.range.includes_minimum;
            parameter["range"] = describe(p.range);
            parameter["help"] = std::string(p.help);
            parameter_list.append(parameter);
        }
        py::list aliases;
        for (const AlgorithmAlias& alias : algorithm_aliases)
            if (alias.id == info.id) aliases.append(std::string(alias.name));
        py::dict algorithm;
        algorithm["id"] = std::string(info.id);
        algorithm["name"] = std::string(info.name);
        algorithm["summary"] = std::string(info.summary);
        algorithm["source"] = std::string(info.source);
        algorithm["aliases"] = py::tuple(aliases);
        algorithm["parameters"] = parameter_list;
        algorithm["on_policy_only"] = info.on_policy_only;
        algorithm["needs_policies"] = info.needs_policies;
        algorithm["uses_interest"] = info.uses_interest;
        algorithm["quadratic"] = info.quadratic;
        algorithms.append(algorithm);
    }
    return algorithms;
}

}  // namespace

void bind_learner(py::module_& module) {
    py::class_<LearnerObject> learner(
        module, "Learner", R"(Learner(algorithm, dimension, *, traces='dense', trace_cutoff=0.0, **parameters)
--

A learner of the value function w.x: learner = Learner("gtd", dimension=30, alpha=0.1, eta=1.0, lambda_=0.9)

algorithm: an id of bellwether.algorithms().
dimension: the length of feature vectors.
traces: "dense", or "sparse" for a large dimension with few active features.
trace_cutoff: sparse traces drop entries that are at most this large.
parameters: the algorithm's own, as bellwether.signature(id) shows them.

Copies and pickles continue bit-identically.
)");
    learner.attr("__module__") = "bellwether";
    learner
        .def(py::init(&construct),
             "__init__(self, algorithm, dimension, *, traces='dense', trace_cutoff=0.0, **parameters)\n--\n\nMake a "
             "learner with weights of zero.")
        .def(
            "start", [](LearnerObject& object) { object.idle().start(); },
            "start(self)\n--\n\nBegin a new segment, as after a truncation: traces are cleared, weights are kept.\n\n"
            "A step with gamma = 0 needs no start().")
        .def("learn", &learn_stream, py::arg("X"), py::arg("rewards"), py::arg("gammas"), py::arg("rhos") = py::none(),
             py::kw_only(), py::arg("X_next") = py::none(), py::arg("lambdas") = py::none(),
             py::arg("lambdas_next") = py::none(), py::arg("interests") = py::none(), py::arg("pis") = py::none(),
             py::arg("mus") = py::none(), py::arg("starts") = py::none(), py::arg("predictions") = true,
             learn_documentation)
        .def("predict", &predict, py::arg("X"),
             "predict(self, X)\n--\n\nThe prediction w.x of every row of X, in the forms that learn() takes.\n\n"
             "One float vector or one index gives a float.")
        .def_property(
            "weights", &weights, &set_weights,
            "The weights w: a read-only copy. An array assigned to it is copied, and learning goes on from there.")
        .def_property_readonly(
            "diverged", [](LearnerObject& object) { return object.idle().diverged(); },
            "Whether some weight is no longer finite.")
        .def_property_readonly("dimension", &LearnerObject::dimension, "The length of feature vectors.")
        .def_property_readonly(
            "algorithm", [](LearnerObject& object) { return std::string(object.info().id); }, "The algorithm's id.")
        .def_property_readonly("parameters", &parameters, "The algorithm's parameters by name, a new dict.")
        .def("__copy__", &copy_of, "__copy__(self)\n--\n\nA learner that goes on from here on its own.")
        .def(
            "__deepcopy__", [](LearnerObject& object, const py::handle&) { return copy_of(object); }, py::arg("memo"),
            "__deepcopy__(self, memo)\n--\n\nThe same as a copy.")
        .def("__repr__", &representation, "__repr__(self)\n--\n\nThe call that makes such a learner.")
        .def(py::pickle(&saved, &restored));
    bind_step(learner);
    bind_learn_timing(module);
    module.def("_algorithms", &algorithm_list,
               "_algorithms()\n--\n\nWhat every algorithm declares of itself, as dicts.");
    module.def(
        "_algorithm_id", [](const py::handle& name) { return std::string(algorithm_of(name).id); }, py::arg("name"),
        "_algorithm_id(name)\n--\n\nThe id of the algorithm of that id or alias.");
}

}  // namespace bellwether::python
