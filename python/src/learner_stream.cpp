// learner.learn: a whole stream in one call, from arrays that are read where they lie.
#include <algorithm>
#include <chrono>

#include "learner_object.hpp"
#include "signals.hpp"
#include "stream/learn_steps.hpp"
#include "stream/stream_check.hpp"
#include "stream_arguments.hpp"

namespace bellwether::python {

namespace {

// In pieces, so that Ctrl-C stops between two steps. The GIL must be released.
void learn_in_pieces(Learner& learner, const StreamView& stream, double* predictions) {
    SignalWatch watch;
    for (std::size_t t = 0; t < stream.steps;) {
        const std::size_t end = std::min(stream.steps, t + watch.steps());
        learn_steps(learner, stream, t, end, predictions);
        t = end;
        watch.ask();
    }
}

}  // namespace

py::object learn_stream(LearnerObject& object, py::handle X, py::handle rewards, py::handle gammas, py::handle rhos,
                        py::handle X_next, py::handle lambdas, py::handle lambdas_next, py::handle interests,
                        py::handle pis, py::handle mus, py::handle starts, bool predictions) {
    LearnerObject::Use use(object);
    Learner& learner = use.learner();
    const py::dict given(py::arg("X") = X, py::arg("rewards") = rewards, py::arg("gammas") = gammas,
                         py::arg("rhos") = rhos, py::arg("X_next") = X_next, py::arg("lambdas") = lambdas,
                         py::arg("lambdas_next") = lambdas_next, py::arg("interests") = interests, py::arg("pis") = pis,
                         py::arg("mus") = mus, py::arg("starts") = starts);
    const StreamArguments stream(given, learner.dimension(), std::nullopt);
    check_transitions(stream.view(), 1);
    check_algorithm(learner.info(), stream.view(), 1);

    py::object predicted = py::none();
    double* to = nullptr;
    if (predictions) {
        py::array_t<double> array(static_cast<py::ssize_t>(stream.view().steps));
        to = array.mutable_data();
        predicted = std::move(array);
    }
    const py::gil_scoped_release others_run;
    learn_in_pieces(learner, stream.view(), to);
    if (stream.starts_at_end()) learner.start();
    return predicted;
}

const char* const learn_documentation =
    R"(learn(self, X, rewards, gammas, rhos=None, *, X_next=None, lambdas=None, lambdas_next=None, interests=None, pis=None, mus=None, starts=None, predictions=True)
--

Learn from a whole stream and return the prediction w.x of every step, made before its update.

X: the features, one row per time step. Step t goes from row t to row t + 1, so that X has one row
    more than there are steps; with X_next, step t goes from row t of X to row t of X_next.
    float64 (rows, dimension) in C order and scipy.sparse CSR are read without a copy. Integers are
    the indices of features that are 1: (rows,) for one-hot vectors, (rows, active) as
    TileCoder.encode makes them.
rewards, gammas, rhos, interests, pis, mus: one number per step, or one for all of them; as in step().
lambdas: lambda of every row of X (with X_next: of every step, and lambdas_next beside it); the
    algorithm's parameter unless given.
starts: the rows of X that begin a new segment (numbers, or a boolean each): traces are cleared there
    and weights kept, as by start(). Without X_next the row before such a row closes a segment: the
    step into it bootstraps on it, and the step out of it is none, its reward and the rest are not read.
predictions: False returns None and saves the time to compute them.

Returns a float64 array with one prediction per step, or None.

The result is the same to the bit as that of step() in a loop. Other Python threads run meanwhile. Ctrl-C stops
between two steps: the learner then is as it was after the last whole step.
)";

// ---- what bench/python_bench.py compares with ----

void bind_learn_timing(py::module_& module) {
    module.def(
        "_do_nothing_typed", [](const py::array_t<double>&, double, double, const py::array_t<double>&, double) {},
        py::arg("x"), py::arg("reward"), py::arg("gamma"), py::arg("x_next"), py::arg("rho"),
        "_do_nothing_typed(x, reward, gamma, x_next, rho)\n--\n\nFor benchmarks: takes what step() takes, as pybind11 "
        "converts it.");
    // The nanoseconds per step of a plain C++ loop over the same rows.
    module.def(
        "_time_learn",
        [](LearnerObject& object, const py::handle& X, const py::handle& rewards, const py::handle& gammas,
           const py::handle& rhos, bool predictions) {
            LearnerObject::Use use(object);
            Learner& learner = use.learner();
            const FeatureRows rows("X", X, learner.dimension());
            if (rows.kind() != FeatureRows::Kind::dense || rows.count() < 2) refuse_value("X must be dense");
            const std::size_t steps = rows.count() - 1, dimension = learner.dimension();
            const auto numbers = [&](const char* name, const py::handle& given) {
                const py::array array = float64_array(name, given);
                if (static_cast<std::size_t>(array.size()) != steps) refuse_value(std::string(name) + ": one per step");
                return static_cast<const double*>(array.data());
            };
            const double *x = rows.dense(0).values.data(), *reward = numbers("rewards", rewards);
            const double *gamma = numbers("gammas", gammas), *rho = numbers("rhos", rhos);
            std::vector<double> predicted(predictions ? steps : 0);
            const auto begin = std::chrono::steady_clock::now();
            for (std::size_t t = 0; t < steps; ++t, x += dimension) {
                if (predictions) predicted[t] = learner.predict(Dense<double>{{x, dimension}});
                learner.step(Transition<Dense<double>>{.x = {{x, dimension}},
                                                       .reward = reward[t],
                                                       .gamma = gamma[t],
                                                       .x_next = {{x + dimension, dimension}},
                                                       .rho = rho[t]});
            }
            const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
            return taken.count() / static_cast<double>(steps);
        },
        py::arg("learner"), py::arg("X"), py::arg("rewards"), py::arg("gammas"), py::arg("rhos"),
        py::arg("predictions"),
        "_time_learn(learner, X, rewards, gammas, rhos, predictions)\n--\n\n"
        "For benchmarks: ns per step of a plain C++ loop over float64 arrays in C order.");
}

}  // namespace bellwether::python
