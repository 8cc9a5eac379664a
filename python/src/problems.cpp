// Problems with known answers: built-in domains, model files, arrays; their exact solutions and their streams.
#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "bindings.hpp"
#include "problems/domain.hpp"
#include "problems/exact.hpp"
#include "problems/model_file.hpp"
#include "problems/return_statistics.hpp"
#include "problems/trajectory.hpp"
#include "support/algorithms.hpp"
#include "support/error.hpp"

namespace bellwether::python {

namespace py = pybind11;

namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Parameters = std::map<std::string, double>;

struct Problem {
    explicit Problem(FiniteMdp made) : mdp(std::make_shared<const FiniteMdp>(std::move(made))) {}

    std::shared_ptr<const FiniteMdp> mdp;
};

struct Solution {
    Solution(std::shared_ptr<const FiniteMdp> of, double lambda) : mdp(std::move(of)), exact(*mdp, lambda) {}

    std::shared_ptr<const FiniteMdp> mdp;
    ExactSolution exact;
};

std::vector<NamedValue> named_values(const Parameters& parameters) {
    std::vector<NamedValue> values;
    for (const auto& [name, value] : parameters) values.push_back({name, value});
    return values;
}

// ---- Problems.

py::dict describe_domain(const std::string& name) {
    const DomainInfo& info = require_domain(name);
    py::list parameters;
    for (const DomainParameter& p : info.parameters) {
        py::dict one;
        one["name"] = py::str(p.name);
        one["default"] = p.default_value;
        one["range"] = describe(p.range);
        one["help"] = py::str(p.help);
        one["whole"] = p.whole;
        parameters.append(one);
    }
    py::dict domain;
    domain["name"] = py::str(info.id);
    domain["summary"] = py::str(info.summary);
    domain["source"] = py::str(info.source);
    domain["features"] = std::vector<std::string>(info.features.begin(), info.features.end());
    domain["parameters"] = parameters;
    domain["has_instances"] = info.has_instances;
    domain["has_runs"] = info.has_runs;
    return domain;
}

Problem make_problem(const std::string& name, const std::string& features, bool on_policy, std::uint64_t seed,
                     std::uint32_t instance, std::uint32_t run, const Parameters& parameters) {
    DomainRequest request = request_domain(require_domain(name), named_values(parameters), features, on_policy);
    request.seed = seed;
    request.instance = instance;
    request.run = run;
    const py::gil_scoped_release released;
    return Problem(make_domain(request));
}

std::vector<double> copy_of(const std::optional<Numbers>& numbers) {
    if (!numbers) return {};
    return {numbers->data(), numbers->data() + numbers->size()};
}

// The shapes are those that bellwether.problems has checked: states × actions × states, and so on.
Problem problem_of_arrays(const std::string& name, const Numbers& transitions, const Numbers& rewards,
                          const Numbers& discounts, const Numbers& target, const std::optional<Numbers>& behaviour,
                          const std::optional<Numbers>& features, const std::optional<Numbers>& lambda,
                          const std::optional<Numbers>& interest, const std::optional<Numbers>& initial_weights,
                          const std::optional<Numbers>& start) {
    MdpDescription d;
    d.name = name;
    d.states = static_cast<std::size_t>(transitions.shape(0));
    d.actions = static_cast<std::size_t>(transitions.shape(1));
    d.outcomes.resize(d.states * d.actions);
    for (std::size_t k = 0; k < d.outcomes.size(); ++k)
        for (std::size_t next = 0; next < d.states; ++next) {
            const std::size_t at = k * d.states + next;
            if (transitions.data()[at] != 0)
                d.outcomes[k].push_back({static_cast<std::uint32_t>(next), transitions.data()[at], rewards.data()[at],
                                         discounts.data()[at]});
        }
    d.target = copy_of(target);
    d.behaviour = behaviour ? copy_of(behaviour) : d.target;
    if (features) {
        d.dimension = static_cast<std::size_t>(features->shape(1));
        d.features = copy_of(features);
    } else {
        d.dimension = d.states;
        d.features.assign(d.states * d.states, 0);
        for (std::size_t s = 0; s < d.states; ++s) d.features[s * d.states + s] = 1;
    }
    d.lambda = copy_of(lambda);
    d.interest = copy_of(interest);
    d.initial_weights = copy_of(initial_weights);
    d.start = copy_of(start);
    return Problem(FiniteMdp(std::move(d)));
}

Numbers features_of(const Problem& problem) {
    Numbers rows({problem.mdp->states(), problem.mdp->dimension()});
    for (std::size_t s = 0; s < problem.mdp->states(); ++s) {
        const auto x = problem.mdp->features(s);
        std::copy(x.begin(), x.end(), rows.mutable_data(static_cast<py::ssize_t>(s), 0));
    }
    return rows;
}

template <class Value>
Numbers by_state_and_action(const Problem& problem, Value value) {
    Numbers numbers({problem.mdp->states(), problem.mdp->actions()});
    double* to = numbers.mutable_data();
    for (std::size_t s = 0; s < problem.mdp->states(); ++s)
        for (std::size_t a = 0; a < problem.mdp->actions(); ++a) *to++ = value(s, a);
    return numbers;
}

template <class Value>
Numbers by_state(const Problem& problem, Value value) {
    Numbers numbers(static_cast<py::ssize_t>(problem.mdp->states()));
    for (std::size_t s = 0; s < problem.mdp->states(); ++s) numbers.mutable_data()[s] = value(s);
    return numbers;
}

Numbers as_array(std::span<const double> numbers) {
    return Numbers(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

// states, rewards, gammas, rhos, pis, mus: of the steps out of active states
py::tuple sample(const Problem& problem, std::size_t steps, std::uint64_t seed, std::uint32_t instance,
                 std::uint32_t run) {
    constexpr std::size_t between_questions = std::size_t{1} << 18;
    const auto count = static_cast<py::ssize_t>(steps);
    py::array_t<std::int64_t> states(count + 1);
    Numbers rewards(count), gammas(count), rhos(count), pis(count), mus(count);
    std::int64_t* s = states.mutable_data();
    double *r = rewards.mutable_data(), *g = gammas.mutable_data(), *rho = rhos.mutable_data();
    double *pi = pis.mutable_data(), *mu = mus.mutable_data();
    const Sampler sampler(*problem.mdp);
    Sampler::Walk walk(sampler, seed, instance, run);
    std::size_t kept = 0;
    for (std::size_t t = 0; t < steps;) {
        {
            const py::gil_scoped_release released;
            for (const std::size_t end = std::min(steps, t + between_questions); t < end; ++t) {
                const std::uint32_t state = walk.state();
                const Sampler::Draw draw = walk.step();
                if (!sampler.is_active(state)) continue;
                s[kept] = state;
                r[kept] = draw.reward;
                g[kept] = draw.gamma;
                rho[kept] = draw.rho;
                pi[kept] = draw.pi;
                mu[kept] = draw.mu;
                ++kept;
            }
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    s[kept] = walk.state();
    if (kept < steps) {
        const auto size = static_cast<py::ssize_t>(kept);
        states.resize({size + 1});
        for (Numbers* numbers : {&rewards, &gammas, &rhos, &pis, &mus}) numbers->resize({size});
    }
    return py::make_tuple(states, rewards, gammas, rhos, pis, mus);
}

// ---- Solutions.

Eigen::VectorXd checked_weights(const Solution& solution, const Numbers& w) {
    const Eigen::Index dimension = solution.exact.X.cols();
    if (w.ndim() != 1 || w.size() != dimension)
        throw UsageError(fmt::format("w has {} numbers in {} dimensions; one per feature is needed: {}", w.size(),
                                     w.ndim(), dimension));
    return Eigen::VectorXd::Map(w.data(), dimension);
}

// By name, and what the problem itself says of ABTD's bounds where they are not given.
std::optional<ExpectedUpdate> checked_update(const Solution& solution, const std::string& algorithm,
                                             const Parameters& parameters) {
    const AlgorithmInfo& info = algorithm_named(algorithm);
    std::vector<NamedValue> values = named_values(parameters);
    // Step sizes do not matter here: what must be given elsewhere may be left out.
    std::vector<NamedValue> complete = values;
    for (const ParameterInfo& p : info.parameters)
        if (p.required() && !parameters.contains(std::string(p.name))) complete.push_back({p.name, 1});
    if (const auto checked = check_parameters(info, complete); !checked) throw UsageError(checked.error());
    for (const NamedValue& bound : abtd_bounds(*solution.mdp)) values.push_back(bound);
    return expected_update(*solution.mdp, solution.exact, algorithm, values);
}

template <class Error>
auto error_of(Error error) {
    return [error](const Solution& solution, const Numbers& w) {
        return (solution.exact.*error)(checked_weights(solution, w));
    };
}

void bind_solution(py::module_& module) {
    py::class_<Solution> solution(module, "_Solution", "The exact solution of a problem for one λ.");
    const auto add = [&](const char* name, auto member, const char* doc) {
        solution.def_property_readonly(
            name, [member](const Solution& s) -> const auto& { return s.exact.*member; },
            py::return_value_policy::reference_internal, doc);
    };
    add("d", &ExactSolution::d, "The stationary distribution under the behaviour policy.");
    add("v", &ExactSolution::v, "The values under the target policy.");
    add("X", &ExactSolution::X, "The features, a row per state.");
    add("lambda_", &ExactSolution::lambda, "λ of every state.");
    add("interest", &ExactSolution::interest, "The interest in every state.");
    add("P_pi", &ExactSolution::P_pi, "Discounted transitions under the target policy.");
    add("P_mu", &ExactSolution::P_mu, "Discounted transitions under the behaviour policy.");
    add("r_pi", &ExactSolution::r_pi, "Expected rewards under the target policy.");
    add("A", &ExactSolution::A, "A of the mean update b - A w.");
    add("A_mu", &ExactSolution::A_mu, "A with the behaviour policy in place of the target policy.");
    add("b", &ExactSolution::b, "b of the mean update b - A w.");
    add("C", &ExactSolution::C, "The features' second moments.");
    add("fixed_point", &ExactSolution::fixed_point, "The TD fixed point.");
    add("projection", &ExactSolution::projection, "The best weights: the projection of v.");
    add("notes", &ExactSolution::notes, "Where a matrix was singular, and what stands in.");
    solution.def("mave", error_of(&ExactSolution::mave), py::arg("w"), "The mean absolute value error, or None.")
        .def("msve", error_of(&ExactSolution::msve), py::arg("w"), "The mean squared value error.")
        .def("rmsve", error_of(&ExactSolution::rmsve), py::arg("w"), "Its root.")
        .def("mspbe", error_of(&ExactSolution::mspbe), py::arg("w"), "The mean squared projected Bellman error.")
        .def("rmspbe", error_of(&ExactSolution::rmspbe), py::arg("w"), "Its root.")
        .def("msbe", error_of(&ExactSolution::msbe), py::arg("w"), "The mean squared Bellman error.");
    solution.def(
        "return_variance",
        [](const Solution& s, double target_lambda) {
            if (!(target_lambda >= 0 && target_lambda <= 1))
                throw UsageError(fmt::format("target_lambda = {} is out of range: it must be in [0, 1]",
                                             number_text(target_lambda)));
            return return_variance(*s.mdp, s.exact, target_lambda);
        },
        py::arg("target_lambda"), "The variance of the return, or of the λ-return, of every state.");
    solution.def(
        "average_reward",
        [](const Solution& s) {
            const AverageReward average = average_reward(*s.mdp);
            return py::make_tuple(average.reward, average.values, average.d);
        },
        "(reward, values, d) under the target policy, without discounts.");
    solution.def(
        "emphatic",
        [](const Solution& s, double beta_scale) {
            if (!(beta_scale >= 0 && beta_scale <= 1))
                throw UsageError(
                    fmt::format("beta_scale = {} is out of range: it must be in [0, 1]", number_text(beta_scale)));
            const ExactSolution::Emphatic emphatic = s.exact.emphatic(beta_scale);
            return py::make_tuple(emphatic.m, emphatic.A, emphatic.b, emphatic.fixed_point);
        },
        py::arg("beta_scale"), "(m, A, b, fixed_point) of ETD(λ, β) with β = beta_scale·γ.");
    solution.def(
        "expected_update",
        [](const Solution& s, const std::string& algorithm, const Parameters& parameters) -> py::object {
            const auto update = checked_update(s, algorithm, parameters);
            if (!update) return py::none();
            return py::make_tuple(update->G, update->g, update->auxiliary);
        },
        py::arg("algorithm"), py::arg("parameters"), "(G, g, auxiliary) of E[Δz]/α = g + G z, or None.");
    solution.def(
        "growth_rate",
        [](const Solution& s, const std::string& algorithm, const Parameters& parameters) -> std::optional<double> {
            const auto update = checked_update(s, algorithm, parameters);
            if (!update) return std::nullopt;
            return growth_rate(s.exact, *update);
        },
        py::arg("algorithm"), py::arg("parameters"), "The largest real part of G's eigenvalues, or None.");
}

void bind_problem(py::module_& module) {
    py::class_<Problem> problem(module, "_Problem", "A finite MDP with two policies and features.");
    const auto add = [&](const char* name, auto value, const char* doc) {
        problem.def_property_readonly(name, value, doc);
    };
    add(
        "name", [](const Problem& p) { return p.mdp->name(); }, "What it is called.");
    add(
        "states", [](const Problem& p) { return p.mdp->states(); }, "How many states it has.");
    add(
        "actions", [](const Problem& p) { return p.mdp->actions(); }, "How many actions it has.");
    add(
        "dimension", [](const Problem& p) { return p.mdp->dimension(); }, "How many features it has.");
    add(
        "on_policy", [](const Problem& p) { return p.mdp->on_policy(); }, "Whether the two policies are one.");
    add("features", features_of, "The features, a row per state.");
    add(
        "target",
        [](const Problem& p) {
            return by_state_and_action(p, [&](std::size_t s, std::size_t a) { return p.mdp->target(s, a); });
        },
        "The target policy, a row per state.");
    add(
        "behaviour",
        [](const Problem& p) {
            return by_state_and_action(p, [&](std::size_t s, std::size_t a) { return p.mdp->behaviour(s, a); });
        },
        "The behaviour policy, a row per state.");
    add(
        "lambda_",
        [](const Problem& p) -> std::optional<Numbers> {
            if (!p.mdp->has_lambda()) return std::nullopt;
            return by_state(p, [&](std::size_t s) { return p.mdp->lambda(s); });
        },
        "λ of every state where the problem has its own, else None.");
    add(
        "interest", [](const Problem& p) { return by_state(p, [&](std::size_t s) { return p.mdp->interest(s); }); },
        "The interest in every state.");
    add(
        "initial_weights", [](const Problem& p) { return as_array(p.mdp->initial_weights()); }, "The weights w_0.");
    add(
        "start", [](const Problem& p) { return as_array(p.mdp->start()); }, "The distribution of the first state.");
    add(
        "changes_after", [](const Problem& p) { return p.mdp->changes_after(); },
        "After how many steps of a run the rewards change; 0: never.");
    problem.def(
        "after_change", [](const Problem& p) { return Problem(p.mdp->after_change()); },
        "The problem as it is after its change.");
    problem.def(
        "solve",
        [](const Problem& p, double lambda) {
            if (!(lambda >= 0 && lambda <= 1))
                throw UsageError(
                    fmt::format("lambda_ = {} is out of range: it must be in [0, 1]", number_text(lambda)));
            const py::gil_scoped_release released;
            return std::make_unique<Solution>(p.mdp, lambda);
        },
        py::arg("lambda_"), "The exact solution.");
    problem.def("sample", sample, py::arg("steps"), py::arg("seed"), py::arg("instance"), py::arg("run"),
                "(states, rewards, gammas, rhos, pis, mus) of a run under the behaviour policy.");
}

}  // namespace

void bind_problems(py::module_& module) {
    bind_solution(module);
    bind_problem(module);
    module.attr("_longest_run") = Sampler::longest_run;
    module.def(
        "_domain_names",
        [] {
            std::vector<std::string> names;
            for (const DomainInfo* info : domains()) names.emplace_back(info->id);
            return names;
        },
        "The names of the built-in problems.");
    module.def("_describe_domain", describe_domain, py::arg("name"), "What there is to know of a built-in problem.");
    module.def("_make_problem", make_problem, py::arg("name"), py::arg("features"), py::arg("on_policy"),
               py::arg("seed"), py::arg("instance"), py::arg("run"), py::arg("parameters"), "A built-in problem.");
    module.def(
        "_read_problem", [](const std::string& path) { return Problem(read_model_file(path)); }, py::arg("path"),
        "The problem of a model file.");
    module.def("_problem_of_arrays", problem_of_arrays, py::arg("name"), py::arg("transitions"), py::arg("rewards"),
               py::arg("discounts"), py::arg("target"), py::arg("behaviour"), py::arg("features"), py::arg("lambda_"),
               py::arg("interest"), py::arg("initial_weights"), py::arg("start"), "The problem that arrays describe.");
}

}  // namespace bellwether::python
