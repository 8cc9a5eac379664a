// learner.step: the one call that is made once per time step, hence taken straight from the interpreter: no tuple, no
// dictionary and no conversion where the arguments are what they mostly are.
#include <array>
#include <cstring>

#include "learner_object.hpp"
#include "stream/transition_check.hpp"

namespace bellwether::python {

namespace {

enum Argument : std::size_t { x, reward, gamma, x_next, rho, lambda, lambda_next, interest, pi, mu, arguments };
constexpr std::array<const char*, arguments> names{"x",       "reward",      "gamma",    "x_next", "rho",
                                                   "lambda_", "lambda_next", "interest", "pi",     "mu"};
constexpr std::size_t required = 4;    // x to x_next
constexpr std::size_t positional = 5;  // x to rho

using Arguments = std::array<PyObject*, arguments>;

std::size_t argument_named(PyObject* name) {
    for (std::size_t i = 0; i < arguments; ++i)
        if (PyUnicode_CompareWithASCIIString(name, names[i]) == 0) return i;
    const std::string unknown = py::str(name).cast<std::string>();
    const std::array<std::string_view, arguments> known{names[0], names[1], names[2], names[3], names[4],
                                                        names[5], names[6], names[7], names[8], names[9]};
    refuse_type("step() has no argument '" + unknown + "'" + did_you_mean(unknown, known));
}

// Sorts what the interpreter passes into its places; null where nothing was given.
Arguments sorted(PyObject* const* given, py::ssize_t count, PyObject* keywords) {
    Arguments sorted{};
    const auto by_position = static_cast<std::size_t>(count);
    if (by_position > positional)
        refuse_type("step() takes 5 arguments by position, x, reward, gamma, x_next and rho; the others by name");
    for (std::size_t i = 0; i < by_position; ++i) sorted[i] = given[i];
    if (keywords) {
        for (py::ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i) {
            const std::size_t at = argument_named(PyTuple_GET_ITEM(keywords, i));
            if (sorted[at]) refuse_type(std::string("step() got the argument '") + names[at] + "' twice");
            sorted[at] = given[count + i];
        }
    }
    for (std::size_t i = 0; i < required; ++i)
        if (!sorted[i]) refuse_type(std::string("step() needs ") + names[i]);
    for (PyObject*& argument : sorted)
        if (argument == Py_None) argument = nullptr;
    return sorted;
}

std::optional<double> number(const Arguments& given, Argument which) {
    if (!given[which]) return std::nullopt;
    return number_of(names[which], given[which]);
}

constexpr TransitionNames transition_names{
    {names[gamma], names[rho], names[pi], names[mu], names[lambda], names[lambda_next], names[interest]}, false};

void refuse(const std::optional<TransitionProblem>& problem) {
    if (problem) refuse_value(std::string(transition_names[problem->field]) + " " + problem->text);
}
void refuse(const std::string& problem) {
    if (!problem.empty()) refuse_value(problem);
}

// Everything of a transition but the features and the reward.
TransitionNumbers checked_numbers(const Arguments& given, const AlgorithmInfo& info) {
    const TransitionNumbers numbers{.gamma = number_of(names[gamma], given[gamma] ? given[gamma] : Py_None),
                                    .rho = number(given, rho),
                                    .pi = number(given, pi),
                                    .mu = number(given, mu),
                                    .lambda = number(given, lambda),
                                    .lambda_next = number(given, lambda_next),
                                    .interest = number(given, interest)};
    refuse(missing_policy(numbers.pi.has_value(), numbers.mu.has_value(), transition_names));
    refuse(missing_policies(info, numbers.pi.has_value(), transition_names));
    refuse(find_problem(numbers, transition_names));
    refuse(find_off_policy(info, numbers.ratio()));
    return numbers;
}

template <class Features>
Transition<Features> transition(const Arguments& given, const AlgorithmInfo& info) {
    const double r = number_of(names[reward], given[reward] ? given[reward] : Py_None);
    const TransitionNumbers numbers = checked_numbers(given, info);
    return {.reward = r,
            .gamma = numbers.gamma,
            .rho = numbers.ratio(),
            .lambda = numbers.lambda,
            .lambda_next = numbers.lambda_next,
            .interest = numbers.interest.value_or(1),
            .pi = numbers.pi.value_or(1),
            .mu = numbers.mu.value_or(1)};
}

// The learner inside of a Python object, whose type the method's descriptor has checked.
LearnerObject& learner_of(PyObject* self) {
    void* object = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().value_ptr();
    if (!object) refuse_type("Learner.__init__() was not called");
    return *static_cast<LearnerObject*>(object);
}

// Runs `work`; what it throws becomes the Python exception that it means.
template <class Work>
PyObject* guarded(Work work) {
    try {
        work();
        Py_RETURN_NONE;
    } catch (py::error_already_set& error) {
        error.restore();
    } catch (const py::builtin_exception& error) {
        error.set_error();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return nullptr;
}

PyObject* step(PyObject* self, PyObject* const* given, py::ssize_t count, PyObject* keywords) {
    return guarded([&] {
        LearnerObject& object = learner_of(self);
        Learner& learner = object.idle();
        const Arguments argument = sorted(given, count, keywords);
        FeatureVector from, to;
        read_feature_vector("x", argument[x] ? argument[x] : Py_None, learner.dimension(), from);
        read_feature_vector("x_next", argument[x_next] ? argument[x_next] : Py_None, learner.dimension(), to);
        if (from.kind != to.kind)
            refuse_type("x and x_next must be of the same kind: both arrays of floats, both ints, ...");
        with_features(from.kind, [&]<class Features>(Features) {
            auto t = transition<Features>(argument, learner.info());
            t.x = from.as<Features>();
            t.x_next = to.as<Features>();
            learner.step(t);
        });
    });
}

// What a bound call costs: takes what step takes and does nothing with it. For bench/python_bench.py.
PyObject* do_nothing(PyObject*, PyObject* const*, py::ssize_t, PyObject*) {
    Py_RETURN_NONE;
}

PyMethodDef method(const char* name, PyObject* (*function)(PyObject*, PyObject* const*, py::ssize_t, PyObject*),
                   const char* documentation) {
    return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL | METH_KEYWORDS,
            documentation};
}

}  // namespace

void bind_step(py::handle learner_class) {
    static PyMethodDef step_method = method(
        "step", step,
        R"(step($self, x, reward, gamma, x_next, rho=None, *, lambda_=None, lambda_next=None, interest=1.0, pi=None, mu=None)
--

Learn from one transition S_t, A_t, R_{t+1}, S_{t+1}.

x, x_next: features of S_t and S_{t+1}: a float array of length `dimension` (float64 in C order is
    read without a copy), an int for a one-hot vector, an integer array with the indices of the
    features that are 1 (as TileCoder.encode makes them), or a scipy.sparse matrix of one row.
reward: R_{t+1}.
gamma: the discount of the transition, in [0, 1]; 0 ends an episode.
rho: pi(A_t|S_t) / mu(A_t|S_t); 1 unless given, or pi/mu where those are given.
lambda_, lambda_next: lambda(S_t) and lambda(S_{t+1}); the algorithm's parameter unless given.
interest: I_t, at least 0; read by the emphatic algorithms.
pi, mu: the probabilities of the action taken; tree backup and ABTD need them.
)");
    static PyMethodDef nothing_method =
        method("_do_nothing", do_nothing, "_do_nothing($self, *arguments)\n--\n\nFor benchmarks.");
    auto* type = reinterpret_cast<PyTypeObject*>(learner_class.ptr());
    for (PyMethodDef* definition : {&step_method, &nothing_method}) {
        const auto descriptor = py::reinterpret_steal<py::object>(PyDescr_NewMethod(type, definition));
        if (!descriptor) throw py::error_already_set();
        py::setattr(learner_class, definition->ml_name, descriptor);
    }
}

}  // namespace bellwether::python
