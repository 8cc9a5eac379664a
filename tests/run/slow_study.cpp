#include "slow_study.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <random>

namespace bellwether::test {

Configuration configuration_of(const AlgorithmGrid& grid, std::size_t number) {
    Configuration configuration{.id = grid.info->id};
    OracleParameters& p = configuration.parameters;
    const std::vector<std::pair<std::string_view, double*>> fields{{"alpha", &p.alpha},
                                                                   {"eta", &p.eta},
                                                                   {"alpha-h", &p.eta},
                                                                   {"lambda", &configuration.lambda},
                                                                   {"beta-scale", &p.beta_scale},
                                                                   {"regularization", &p.regularization},
                                                                   {"zeta", &p.zeta},
                                                                   {"psi0", &p.psi0},
                                                                   {"psi-max", &p.psi_max},
                                                                   {"epsilon", &p.epsilon},
                                                                   {"theta", &p.theta},
                                                                   {"bound", &p.bound},
                                                                   {"decay", &p.decay},
                                                                   {"alpha-min", &p.alpha_min},
                                                                   {"tau", &p.tau},
                                                                   {"kappa", &p.kappa},
                                                                   {"recency", &p.recency},
                                                                   {"variance-lambda", &p.variance_lambda},
                                                                   {"target-lambda", &p.target_lambda}};
    std::vector<double> values(grid.values.size());
    grid.parameters(number, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto is_it = [&](const auto& field) { return field.first == grid.info->parameters[i].name; };
        const auto field = std::find_if(fields.begin(), fields.end(), is_it);
        if (field == fields.end())
            ADD_FAILURE() << "the oracle has no parameter " << grid.info->parameters[i].name;
        else
            *field->second = values[i];
    }
    if (grid.info->find("alpha-h") && p.eta != 0) p.eta /= p.alpha;
    return configuration;
}

Vec features_of(const FiniteMdp& mdp, std::size_t state) {
    const auto x = mdp.features(state);
    return {x.begin(), x.end()};
}

Stream stream_of(const FiniteMdp& mdp, const Trajectory& trajectory) {
    Stream stream;
    for (std::size_t t = 0; t < trajectory.steps(); ++t) {
        Sample s;
        s.x = features_of(mdp, trajectory.features[t]);
        s.x_next = features_of(mdp, trajectory.features[t + 1]);
        s.reward = trajectory.reward[t];
        s.gamma = trajectory.gamma[t];
        s.rho = trajectory.rho[t];
        s.pi = trajectory.pi[t];
        s.mu = trajectory.mu[t];
        stream.push_back(s);
    }
    return stream;
}

Stream steps_ahead(const Stream& stream, std::size_t steps) {
    Stream all = stream;
    for (std::size_t t = 0; t < stream.size(); ++t) {
        double gamma = stream[t].gamma;
        for (std::size_t k = t + 1; k < stream.size() && k < t + steps && gamma != 0; ++k) {
            all[t].reward += gamma * stream[k].reward;
            gamma *= stream[k].gamma;
            all[t].x_next = stream[k].x_next;
        }
        all[t].gamma = gamma;
    }
    return all;
}

Eigen::VectorXd representable(const ExactSolution& solution, const Eigen::VectorXd& weight) {
    const Eigen::MatrixXd moments = solution.X.transpose() * weight.asDiagonal() * solution.X;
    const Eigen::VectorXd right = solution.X.transpose() * weight.asDiagonal() * solution.v;
    return solution.X * moments.completeOrthogonalDecomposition().solve(right);
}

Reference reference_of(Metric metric, const ExactSolution& solution, Weighting weighting) {
    Reference of{solution.d, solution.v};
    if (weighting == Weighting::uniform) of.weight.setConstant(1 / static_cast<double>(of.weight.size()));
    const bool to_projection = metric == Metric::mspve || metric == Metric::rmspve || metric == Metric::nmspve;
    if (to_projection) of.truth = representable(solution, of.weight);
    return of;
}

double error_of(Metric metric, const ExactSolution& solution, const Reference& reference, const Vec& w) {
    double sum = 0;
    const auto& [weight, truth] = reference;
    if (metric == Metric::rmspbe) {
        const Eigen::VectorXd residual =
            solution.b - solution.A * Eigen::Map<const Eigen::VectorXd>(w.data(), solution.b.size());
        return std::sqrt(residual.dot(solution.C_pseudo_inverse * residual));
    }
    for (Eigen::Index s = 0; s < solution.d.size(); ++s) {
        double value = 0;
        for (Eigen::Index i = 0; i < solution.X.cols(); ++i) value += solution.X(s, i) * w[static_cast<std::size_t>(i)];
        const double difference = value - truth(s);
        sum +=
            metric == Metric::mave ? weight(s) * std::fabs(difference / truth(s)) : weight(s) * difference * difference;
    }
    if (metric == Metric::nmspve) return sum / weight.dot(truth.cwiseProduct(truth));
    return metric_info(metric).root ? std::sqrt(sum) : sum;
}

double error_of(Metric metric, const ExactSolution& solution, const Vec& w, Weighting weighting) {
    return error_of(metric, solution, reference_of(metric, solution, weighting), w);
}

SlowRun slow_run(const Setting& setting, const Configuration& configuration, const ExactSolution& solution,
                 const FiniteMdp& mdp, const Stream& stream) {
    const Stream learned = setting.steps_ahead > 1 ? steps_ahead(stream, setting.steps_ahead) : stream;
    Oracle oracle(configuration.id, configuration.parameters,
                  Vec(mdp.initial_weights().begin(), mdp.initial_weights().end()));
    SlowRun run{.scores = std::vector<double>(setting.metrics.size())};
    std::vector<Reference> references;
    for (const ScoredMetric& scored : setting.metrics)
        references.push_back(reference_of(scored.metric, solution, setting.weighting));
    std::size_t left = 0;  // errors that are still to be measured
    const auto is_measured = [&](std::size_t t) {
        return setting.episodes > 0 ? stream[t].gamma == 0 : t % setting.every == 0;
    };
    for (std::size_t t = 0; t < stream.size(); ++t) left += is_measured(t);
    for (std::size_t t = 0; t < stream.size(); ++t) {
        Sample s = learned[t];
        s.lambda = s.lambda_next = configuration.lambda;
        oracle.step(s);
        run.is_near_the_end |= largest(oracle.w) > end_of_doubles || largest(oracle.h) > end_of_doubles;
        if (!is_measured(t)) continue;
        for (std::size_t m = 0; m < run.scores.size(); ++m)
            if (left <= setting.metrics[m].scored)
                run.scores[m] += error_of(setting.metrics[m].metric, solution, references[m], oracle.w);
        --left;
    }
    for (std::size_t m = 0; m < run.scores.size(); ++m) run.scores[m] /= static_cast<double>(setting.metrics[m].scored);
    return run;
}

SlowInstance::SlowInstance(const Study& study, std::size_t setting, std::uint32_t instance)
    : setting_(study.settings[setting]), mdp_(setting_.problem.make(study.seed, instance, 0)) {
    for (std::uint32_t run = 0; run < setting_.runs; ++run) {
        Trajectory trajectory;
        std::size_t steps = setting_.steps;
        Sampler(mdp_).sample(study.seed, instance, run, steps, trajectory);
        // As many steps as the episodes take, by trying more and more of them.
        const auto ends = [&] { return std::count(trajectory.gamma.begin(), trajectory.gamma.end(), 0.0); };
        while (setting_.episodes > 0 && ends() < static_cast<std::ptrdiff_t>(setting_.episodes))
            Sampler(mdp_).sample(study.seed, instance, run, steps *= 2, trajectory);
        Stream stream = stream_of(mdp_, trajectory);
        while (setting_.episodes > 0 && std::count_if(stream.begin(), stream.end() - 1, [](const Sample& s) {
                                            return s.gamma == 0;
                                        }) >= static_cast<std::ptrdiff_t>(setting_.episodes))
            stream.pop_back();
        while (setting_.episodes > 0 && stream.back().gamma != 0) stream.pop_back();
        streams_.push_back(std::move(stream));
    }
}

double SlowInstance::sensitivity(const Configuration& configuration, std::size_t metric) {
    const double mean = scores(configuration)[metric].mean();
    double most = 0;
    for (std::uint32_t seed = 1; seed <= 8; ++seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> noise(-1e-13, 1e-13);
        std::vector<Stream> streams = streams_;
        for (Stream& stream : streams)
            for (Sample& s : stream) s.reward += noise(random);
        most = std::max(most, std::fabs(scores(configuration, streams)[metric].mean() - mean) / mean);
    }
    return most;
}

std::vector<Scores> SlowInstance::scores(const Configuration& configuration, const std::vector<Stream>& streams) {
    const ExactSolution& solution =
        solutions_.try_emplace(configuration.lambda, mdp_, configuration.lambda).first->second;
    const Vec w_0(mdp_.initial_weights().begin(), mdp_.initial_weights().end());
    std::vector<Scores> all(setting_.metrics.size());
    for (const Stream& stream : streams) {
        const SlowRun run = slow_run(setting_, configuration, solution, mdp_, stream);
        for (std::size_t m = 0; m < all.size(); ++m)
            all[m].add(run.scores[m], error_of(setting_.metrics[m].metric, solution, w_0, setting_.weighting),
                       run.is_near_the_end);
    }
    return all;
}

std::string describe(const Configuration& c, std::string_view metric, std::uint32_t instance) {
    return fmt::format("{}, alpha {}, eta {}, lambda {}, zeta {}, epsilon {}, {}, instance {}", c.id,
                       c.parameters.alpha, c.parameters.eta, c.lambda, c.parameters.zeta, c.parameters.epsilon, metric,
                       instance);
}

}  // namespace bellwether::test
