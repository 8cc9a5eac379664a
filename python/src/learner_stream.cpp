// learner.learn: a whole stream in one call, from arrays that are read where they lie.
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "learner_object.hpp"
#include "signals.hpp"

namespace bellwether::python {

namespace {

// What happens before and at a step.
enum Mark : std::uint8_t {
    starts_segment = 1,  // start() comes first
    not_a_step = 2,      // the row after this one begins a segment: there is no transition between them
};

struct Columns {
    Column reward, gamma, rho, lambda, lambda_next, interest, pi, mu;
    bool lambda_by_row = false;  // lambda has a value per row; that of the next row is lambda_next
};

struct StreamArrays {
    std::size_t steps = 0;
    std::size_t next_row = 1;         // of row t's successor: t + 1 in the same rows, or t in the other ones
    std::vector<std::uint8_t> marks;  // a Mark per step, and one past the end; empty where no segment starts
    Columns columns;
    bool rho_from_policies = false;

    // Whether rewards, discounts and ratios are all there is.
    bool plain() const {
        return marks.empty() && !columns.pi.given() && !columns.interest.given() && !columns.lambda.given();
    }
};

// ---- checks ----

// What the numbers of a column may be; `least` is not negative.
struct Allowed {
    double least, greatest;
    const char* words;

    bool contains(double value) const { return value >= least && value <= greatest; }
};
constexpr double smallest = std::numeric_limits<double>::denorm_min(), largest = std::numeric_limits<double>::max();
constexpr Allowed fraction{0, 1, "in [0, 1]"};
constexpr Allowed positive_fraction{smallest, 1, "above 0 and at most 1"};
constexpr Allowed not_negative{0, largest, "finite and at least 0"};

// Whether some number may be one that is not allowed; never false where one is. Doubles that are not negative have the
// order of their bits, and compilers make packed instructions of whole numbers but not of comparisons that may trap.
bool suspicious(const double* numbers, std::size_t count, const Allowed& allowed) {
    const auto least = std::bit_cast<std::uint64_t>(allowed.least);
    const auto greatest = std::bit_cast<std::uint64_t>(allowed.greatest);
    std::uint64_t signs = 0;  // the highest bit is set once a number is negative, below or above
    for (std::size_t i = 0; i < count; ++i) {
        const auto bits = std::bit_cast<std::uint64_t>(numbers[i]);
        signs |= bits | (bits - least) | (greatest - bits);
    }
    return (signs >> 63) != 0;
}

// Refuses the first number of a column that is not allowed. A column of steps is not read where there is no step; one
// of rows always is.
void check(const char* name, const Column& column, const StreamArrays& stream, const Allowed& allowed,
           bool by_row = false) {
    if (!column.given()) return;
    const std::size_t count =
        column.constant() ? std::min<std::size_t>(1, stream.steps) : stream.steps + (by_row ? 1 : 0);
    if (!suspicious(column.data(), count, allowed)) return;
    for (std::size_t t = 0; t < count; ++t) {
        const bool read = by_row || column.constant() || stream.marks.empty() || !(stream.marks[t] & not_a_step);
        if (read && !allowed.contains(column[t]))
            refuse_value(std::string(name) + (column.constant() ? "" : "[" + std::to_string(t) + "]") + " is " +
                         number_text(column[t]) + ": it must be " + allowed.words);
    }
}

void check_columns(StreamArrays& stream, const AlgorithmInfo& info) {
    Columns& column = stream.columns;
    check("gammas", column.gamma, stream, fraction);
    check("lambdas", column.lambda, stream, fraction, column.lambda_by_row);
    check("lambdas_next", column.lambda_next, stream, fraction);
    check("interests", column.interest, stream, not_negative);
    check("pis", column.pi, stream, fraction);
    check("mus", column.mu, stream, positive_fraction);
    check("rhos", column.rho, stream, not_negative);
    if (column.pi.given() != column.mu.given())
        refuse_value(std::string(column.pi.given() ? "mus are" : "pis are") + " missing: pis and mus come together");
    if (info.needs_policies && !column.pi.given())
        refuse_value(std::string(info.id) + " needs pis and mus, the probabilities of the actions taken");
    if (column.pi.given() || info.on_policy_only) {
        for (std::size_t t = 0; t < stream.steps; ++t) {
            if (!stream.marks.empty() && (stream.marks[t] & not_a_step)) continue;
            const double ratio = column.pi.given() ? column.pi[t] / column.mu[t] : 1;
            const double rho = column.rho.given() ? column.rho[t] : ratio;
            if (column.pi.given() && column.rho.given() && !agrees(rho, column.pi[t], column.mu[t]))
                refuse_value("rhos[" + std::to_string(t) + "] is " + number_text(rho) + ", but pis/mus is " +
                             number_text(ratio));
            if (info.on_policy_only && rho != 1)
                refuse_value("rhos[" + std::to_string(t) + "] is " + number_text(rho) + ": " + std::string(info.id) +
                             " learns on-policy only, where rho is 1");
        }
    }
}

// Marks from an array of step numbers, or of one truth value per step.
std::vector<std::uint8_t> marks_of(py::handle starts, std::size_t steps, bool rows_follow) {
    if (starts.is_none()) return {};
    std::vector<std::uint8_t> marks(steps + 1);
    // Where the rows of X follow each other, the row after the last step may begin a segment too.
    const std::size_t places = rows_follow ? steps + 1 : steps;
    const auto begin_at = [&](std::size_t step) {
        marks[step] |= starts_segment;
        if (rows_follow && step > 0) marks[step - 1] |= not_a_step;
    };
    const py::array array = py::module_::import("numpy").attr("asarray")(starts);
    const char kind = array.dtype().kind();
    if (array.ndim() != 1 || (kind != 'b' && kind != 'i' && kind != 'u' && array.size() > 0))
        refuse_type("starts must be a 1-D array of step numbers or of booleans, not " + describe_object(array));
    const py::array numbers = py::module_::import("numpy").attr("require")(array, py::dtype::of<std::int64_t>(), "CA");
    const auto* number = static_cast<const std::int64_t*>(numbers.data());
    const auto count = static_cast<std::size_t>(numbers.size());
    if (kind == 'b') {
        if (count != steps && count != places)
            refuse_value("starts has " + std::to_string(count) + " booleans for " + std::to_string(steps) + " steps");
        for (std::size_t i = 0; i < count; ++i)
            if (number[i] != 0) begin_at(i);
        return marks;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (number[i] < 0 || static_cast<std::size_t>(number[i]) >= places)
            refuse_value("starts[" + std::to_string(i) + "] is " + std::to_string(number[i]) +
                         ": it must be at least 0 and below " + std::to_string(places));
        begin_at(static_cast<std::size_t>(number[i]));
    }
    return marks;
}

// ---- learning ----

template <class Features>
Transition<Features> plain_transition(const StreamArrays& stream, const FeatureRows& rows, const FeatureRows& next_rows,
                                      std::size_t t) {
    const Columns& column = stream.columns;
    return {.x = rows.at<Features>(t),
            .reward = column.reward[t],
            .gamma = column.gamma[t],
            .x_next = next_rows.at<Features>(t + stream.next_row),
            .rho = column.rho[t]};
}

template <class Features>
Transition<Features> transition(const StreamArrays& stream, const FeatureRows& rows, const FeatureRows& next_rows,
                                std::size_t t) {
    const Columns& column = stream.columns;
    Transition<Features> transition = plain_transition<Features>(stream, rows, next_rows, t);
    if (column.pi.given()) {
        transition.pi = column.pi[t];
        transition.mu = column.mu[t];
        if (stream.rho_from_policies) transition.rho = transition.pi / transition.mu;
    }
    if (column.interest.given()) transition.interest = column.interest[t];
    if (column.lambda.given()) transition.lambda = column.lambda[t];
    if (column.lambda_next.given()) transition.lambda_next = column.lambda_next[t];
    if (column.lambda_by_row) transition.lambda_next = column.lambda[t + 1];
    return transition;
}

template <class Features>
void learn_steps(Learner& learner, const StreamArrays& stream, const FeatureRows& rows, const FeatureRows& next_rows,
                 std::size_t begin, std::size_t end, double* predictions) {
    if (stream.plain()) {
        for (std::size_t t = begin; t < end; ++t) {
            if (predictions) predictions[t] = learner.predict(rows.at<Features>(t));
            learner.step(plain_transition<Features>(stream, rows, next_rows, t));
        }
        return;
    }
    for (std::size_t t = begin; t < end; ++t) {
        const std::uint8_t mark = stream.marks.empty() ? 0 : stream.marks[t];
        if (mark & starts_segment) learner.start();
        if (predictions) predictions[t] = learner.predict(rows.at<Features>(t));
        if (mark & not_a_step) continue;
        learner.step(transition<Features>(stream, rows, next_rows, t));
    }
}

}  // namespace

py::object learn_stream(LearnerObject& object, py::handle X, py::handle rewards, py::handle gammas, py::handle rhos,
                        py::handle X_next, py::handle lambdas, py::handle lambdas_next, py::handle interests,
                        py::handle pis, py::handle mus, py::handle starts, bool predictions) {
    LearnerObject::Use use(object);
    Learner& learner = use.learner();
    const FeatureRows rows("X", X, learner.dimension());
    std::optional<FeatureRows> others;
    if (!X_next.is_none()) others.emplace("X_next", X_next, learner.dimension());
    if (others && others->count() != rows.count())
        refuse_value("X_next has " + std::to_string(others->count()) + " rows, X has " + std::to_string(rows.count()));
    if (others && others->kind() != rows.kind())
        refuse_type("X and X_next must be of the same kind: both dense, both CSR, ...");
    if (!others && rows.count() == 0)
        refuse_value("X has no rows: without X_next it has one more than there are steps");
    const FeatureRows& next_rows = others ? *others : rows;

    StreamArrays stream;
    stream.steps = others ? rows.count() : rows.count() - 1;
    stream.next_row = others ? 0 : 1;
    stream.marks = marks_of(starts, stream.steps, !others);
    stream.columns.reward = Column("rewards", rewards, stream.steps);
    stream.columns.gamma = Column("gammas", gammas, stream.steps);
    stream.columns.rho = optional_column("rhos", rhos, stream.steps);
    stream.columns.interest = optional_column("interests", interests, stream.steps);
    stream.columns.pi = optional_column("pis", pis, stream.steps);
    stream.columns.mu = optional_column("mus", mus, stream.steps);
    if (!others && !lambdas_next.is_none())
        refuse_value("lambdas_next goes with X_next; without it, lambdas has a value for every row of X");
    if (others && lambdas.is_none() != lambdas_next.is_none())
        refuse_value("lambdas and lambdas_next come together where X_next is given");
    stream.columns.lambda = optional_column("lambdas", lambdas, rows.count());
    stream.columns.lambda_next = optional_column("lambdas_next", lambdas_next, rows.count());
    stream.columns.lambda_by_row = !others && stream.columns.lambda.given();
    check_columns(stream, learner.info());
    stream.rho_from_policies = stream.columns.pi.given() && !stream.columns.rho.given();
    if (!stream.columns.rho.given()) stream.columns.rho = Column(1.0);

    py::object predicted = py::none();
    double* to = nullptr;
    if (predictions) {
        py::array_t<double> array(static_cast<py::ssize_t>(stream.steps));
        to = array.mutable_data();
        predicted = std::move(array);
    }
    const py::gil_scoped_release others_run;
    SignalWatch watch;
    with_features(rows.kind(), [&]<class Features>(Features) {
        for (std::size_t t = 0; t < stream.steps;) {
            const std::size_t end = std::min(stream.steps, t + watch.steps());
            learn_steps<Features>(learner, stream, rows, next_rows, t, end, to);
            t = end;
            watch.ask();
        }
    });
    if (!stream.marks.empty() && (stream.marks[stream.steps] & starts_segment)) learner.start();
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
