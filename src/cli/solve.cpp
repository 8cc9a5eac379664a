// bellwether solve: the exact answers of a finite problem.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bellwether/registry.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/problem_options.hpp"
#include "problems/exact.hpp"
#include "problems/metric.hpp"
#include "problems/return_statistics.hpp"
#include "stream/weights_file.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

using Json = nlohmann::ordered_json;

// Programs read this; it changes when a key changes its meaning or goes.
constexpr int json_format = 1;

// η for which stability is shown, where an algorithm has it and none is asked for.
constexpr double usual_etas[]{1.0 / 16, 1.0 / 4, 1, 4, 16};

struct SolveOptions {
    std::unique_ptr<ProblemOptions> problem;
    std::string lambda = "0";
    std::string beta_scale = "0.5";
    std::vector<std::string> etas;
    std::string weights;
    bool json = false;
};

struct NamedWeights {
    std::string name;
    Eigen::VectorXd w;
};

// A column of the table: the predictions that weights make, and their errors.
std::vector<NamedWeights> weights_to_show(const SolveOptions& options, const FiniteMdp& mdp,
                                          const ExactSolution& solution, const ExactSolution::Emphatic& emphatic) {
    std::vector<NamedWeights> all{{"initial", Eigen::VectorXd::Map(mdp.initial_weights().data(), solution.X.cols())},
                                  {"fixed point", solution.fixed_point},
                                  {"emphatic", emphatic.fixed_point},
                                  {"projection", solution.projection}};
    if (!options.weights.empty()) {
        std::vector<double> given(mdp.dimension());
        read_weights(options.weights, given);
        all.push_back({"given", Eigen::VectorXd::Map(given.data(), solution.X.cols())});
    }
    return all;
}

// Of the returns: what is known beside their mean.
struct Returns {
    Eigen::VectorXd variance;
    std::optional<AverageReward> average;  // none where the chain under π has several closed classes
};
Returns returns_of(const FiniteMdp& mdp, const ExactSolution& solution, std::vector<std::string>& notes) {
    Returns returns{return_variance(mdp, solution), std::nullopt};
    try {
        returns.average = average_reward(mdp);
    } catch (const UsageError& error) {
        notes.emplace_back(error.what());
    }
    return returns;
}
std::string as_text(const Returns& returns) {
    std::string text = "\nUnder the target policy: the variance of the return";
    if (returns.average)
        text += fmt::format(
            "; and without discounts, the differential values, by which a state is\n"
            "better than the average reward {:.6g}",
            returns.average->reward);
    text += fmt::format(".\n\n{:>6} {:>12}", "state", "variance");
    if (returns.average) text += fmt::format(" {:>12}", "differential");
    text += "\n";
    for (Eigen::Index s = 0; s < returns.variance.size(); ++s) {
        text += fmt::format("{:>6} {:>12.6g}", s, returns.variance(s));
        if (returns.average) text += fmt::format(" {:>12.6g}", returns.average->values(s));
        text += "\n";
    }
    return text;
}

struct Stability {
    std::string_view algorithm;
    std::optional<double> eta;
    double rate;
};

std::vector<double> etas_to_show(const SolveOptions& options) {
    std::vector<double> etas;
    for (const std::string& text : options.etas) {
        etas.push_back(number_option("eta", text));
        if (etas.back() < 0) throw UsageError(fmt::format("--eta {} is out of range: it must be at least 0", text));
    }
    if (etas.empty()) etas.assign(std::begin(usual_etas), std::end(usual_etas));
    return etas;
}

std::vector<Stability> stabilities(const FiniteMdp& mdp, const ExactSolution& solution, double beta_scale,
                                   const std::vector<double>& etas) {
    const auto psi = abtd_bounds(mdp);
    std::vector<Stability> all;
    for (const AlgorithmInfo& info : algorithm_table) {
        const auto add = [&](std::optional<double> eta) {
            std::vector<NamedValue> parameters(psi.begin(), psi.end());
            if (eta) parameters.push_back({"eta", *eta});
            if (info.find("beta-scale")) parameters.push_back({"beta-scale", beta_scale});
            if (const auto update = expected_update(mdp, solution, info.id, parameters))
                all.push_back({info.id, eta, growth_rate(solution, *update)});
        };
        if (!info.find("eta")) {
            add(std::nullopt);
        } else {
            for (const double eta : etas) add(eta);
        }
    }
    return all;
}

std::string as_text(const FiniteMdp& mdp, const ExactSolution& solution, const std::vector<NamedWeights>& columns,
                    const Returns& returns, const std::vector<double>& etas, const std::vector<Stability>& stable,
                    const std::vector<std::string>& notes) {
    std::string text = fmt::format("{}: {} states, {} actions, {} features, {}\n\n", mdp.name(), mdp.states(),
                                   mdp.actions(), mdp.dimension(), mdp.on_policy() ? "on-policy" : "off-policy");
    text += fmt::format("{:>6} {:>12} {:>12}", "state", "d", "V*");
    for (const NamedWeights& column : columns) text += fmt::format(" {:>12}", column.name);
    text += "\n";
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        const auto row = static_cast<Eigen::Index>(s);
        text += fmt::format("{:>6} {:>12.6g} {:>12.6g}", s, solution.d[row], solution.v[row]);
        for (const NamedWeights& column : columns) text += fmt::format(" {:>12.6g}", solution.X.row(row).dot(column.w));
        text += "\n";
    }
    text += fmt::format("\n{:>32}", "error");
    for (const NamedWeights& column : columns) text += fmt::format(" {:>12}", column.name);
    text += "\n";
    for (const MetricInfo& metric : metric_table()) {
        text += fmt::format("{:>32}", metric.id);
        for (const NamedWeights& column : columns) {
            const std::optional<double> error = exact_error(metric.metric, solution, column.w);
            text += error ? fmt::format(" {:>12.6g}", *error) : fmt::format(" {:>12}", "-");
        }
        text += "\n";
    }
    text += as_text(returns);
    text +=
        "\nExpected updates: the largest real part of the eigenvalues, per unit of alpha. Below 0 the algorithm "
        "converges in\n"
        "expectation, at that rate; above 0 (marked !) it diverges.\n\n";
    text += fmt::format("{:<20}", "eta");
    for (const double eta : etas) text += fmt::format(" {:>12}", eta);
    for (std::size_t k = 0; k < stable.size(); ++k) {
        if (k == 0 || stable[k].algorithm != stable[k - 1].algorithm)
            text += fmt::format("\n{:<20}", stable[k].algorithm);
        text += fmt::format(" {:>12}", fmt::format("{:.4g}{}", stable[k].rate, stable[k].rate > 0 ? "!" : ""));
    }
    text += "\n";
    for (const std::string& note : notes) text += "\nnote: " + note;
    return text + (notes.empty() ? "" : "\n");
}

Json as_json(const Eigen::VectorXd& v) {
    return std::vector<double>(v.begin(), v.end());
}
Json as_json(const Eigen::MatrixXd& m) {
    Json rows = Json::array();
    for (Eigen::Index i = 0; i < m.rows(); ++i) rows.push_back(as_json(Eigen::VectorXd(m.row(i))));
    return rows;
}

std::string as_json_text(const FiniteMdp& mdp, const ExactSolution& solution, const ExactSolution::Emphatic& emphatic,
                         const std::vector<NamedWeights>& columns, const Returns& returns,
                         const std::vector<Stability>& stable, const std::vector<std::string>& notes) {
    Json json = Json::object();
    json["format"] = json_format;
    json["problem"] = mdp.name();
    json["states"] = mdp.states();
    json["actions"] = mdp.actions();
    json["dimension"] = mdp.dimension();
    json["on_policy"] = mdp.on_policy();
    json["lambda"] = as_json(solution.lambda);
    json["stationary"] = as_json(solution.d);
    json["values"] = as_json(solution.v);
    json["A"] = as_json(solution.A);
    json["b"] = as_json(solution.b);
    json["A_mu"] = as_json(solution.A_mu);
    json["C"] = as_json(solution.C);
    json["emphatic"] = {{"m", as_json(emphatic.m)}, {"A", as_json(emphatic.A)}, {"b", as_json(emphatic.b)}};
    json["variance"] = as_json(returns.variance);
    json["average_reward"] = returns.average ? Json(returns.average->reward) : Json();
    json["differential_values"] = returns.average ? as_json(returns.average->values) : Json();
    for (const NamedWeights& column : columns) {
        Json& entry = json["weights"][column.name];
        entry["weights"] = as_json(column.w);
        entry["predictions"] = as_json(Eigen::VectorXd(solution.X * column.w));
        for (const MetricInfo& metric : metric_table()) {
            const std::optional<double> error = exact_error(metric.metric, solution, column.w);
            entry[std::string(metric.id)] = error ? Json(*error) : Json();
        }
    }
    for (const Stability& s : stable)
        json["expected_updates"].push_back({{"algorithm", s.algorithm},
                                            {"eta", s.eta ? Json(*s.eta) : Json()},
                                            {"growth_rate", s.rate},
                                            {"converges", s.rate < 0}});
    json["notes"] = notes;
    return json.dump(2) + "\n";
}

void solve(const SolveOptions& options) {
    const auto in_unit = [](const char* name, const std::string& text) {
        const double value = number_option(name, text);
        if (value < 0 || value > 1)
            throw UsageError(fmt::format("--{} {} is out of range: it must be in [0, 1]", name, text));
        return value;
    };
    const double lambda = in_unit("lambda", options.lambda);
    const double beta_scale = in_unit("beta-scale", options.beta_scale);
    const FiniteMdp mdp = options.problem->make();
    const ExactSolution solution(mdp, lambda);
    const ExactSolution::Emphatic emphatic = solution.emphatic(beta_scale);
    const std::vector<NamedWeights> columns = weights_to_show(options, mdp, solution, emphatic);
    const std::vector<double> etas = etas_to_show(options);
    const std::vector<Stability> stable = stabilities(mdp, solution, beta_scale, etas);
    std::vector<std::string> notes = solution.notes;
    notes.insert(notes.end(), emphatic.notes.begin(), emphatic.notes.end());
    if (mdp.changes_after() > 0)
        notes.push_back(
            fmt::format("the rewards change after {} steps; this is the problem before", mdp.changes_after()));
    const Returns returns = returns_of(mdp, solution, notes);
    OutputFile out("-");
    out.write(options.json ? as_json_text(mdp, solution, emphatic, columns, returns, stable, notes)
                           : as_text(mdp, solution, columns, returns, etas, stable, notes));
    out.commit();
}

}  // namespace

void add_solve(Command& program, int&) {
    const auto options = std::make_shared<SolveOptions>();
    Command* command = program.add_subcommand("solve", "Exact values, fixed points, errors and stability of a problem");
    command->allow_extras();
    options->problem = std::make_unique<ProblemOptions>(*command);
    command
        ->add_option("--lambda", options->lambda,
                     "The trace parameter, where the problem has none of its own (default 0)")
        ->type_name("NUMBER");
    command
        ->add_option("--beta-scale", options->beta_scale, "Of the emphatic fixed point and of etd-beta (default 0.5)")
        ->type_name("NUMBER");
    command
        ->add_option("--eta", options->etas,
                     "Stability with this step size of h, as a multiple of alpha; may be given several times\n"
                     "(default 1/16, 1/4, 1, 4 and 16)")
        ->type_name("NUMBER")
        ->allow_extra_args(false);
    command->add_option("--weights", options->weights, "Show the errors of these weights too (CSV: index,weight)")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "For programs: everything, in full precision");
    command->footer("Example: bellwether solve random-mdp --seed 3 --instance 7 --features binary --lambda 0.9");
    command->callback([command, options] {
        refuse_extras(*command);
        solve(*options);
    });
}

}  // namespace bellwether
