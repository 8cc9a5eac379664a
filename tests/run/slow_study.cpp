#include "slow_study.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <numeric>
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

Reference reference_of(Metric metric, const ExactSolution& solution, const Weighting& weighting) {
    Reference of{solution.d, solution.v};
    if (weighting == Weighting::uniform) of.weight.setConstant(1 / static_cast<double>(of.weight.size()));
    for (std::size_t s = 0; s < weighting.given.size(); ++s)
        of.weight(static_cast<Eigen::Index>(s)) =
            weighting.given[s] / std::accumulate(weighting.given.begin(), weighting.given.end(), 0.0);
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

double error_of(Metric metric, const ExactSolution& solution, const Vec& w, const Weighting& weighting) {
    return error_of(metric, solution, reference_of(metric, solution, weighting), w);
}

namespace {

// A rule for step sizes by its definition, on weights as the oracle has them.
class SlowStepSizes {
public:
    SlowStepSizes(const StepSizeRule& rule, Oracle& oracle) : rule_(rule), own_(oracle.parameters), oracle_(oracle) {}

    void step(const Sample& s) {
        ++updates_;
        if (rule_.kind == StepSizeRule::Kind::power)
            oracle_.parameters.alpha = own_.alpha * std::pow(updates_, -rule_.exponent);
        if (rule_.kind != StepSizeRule::Kind::adagrad) return oracle_.step(s);
        const Vec w = oracle_.w, h = oracle_.h, m = oracle_.m, average{oracle_.average_reward};
        oracle_.parameters.alpha = oracle_.parameters.eta = 1;
        oracle_.step(s);
        take(oracle_.w, w, own_.alpha, of_w_);
        take(oracle_.h, h, own_.eta * own_.alpha, of_h_);
        take(oracle_.m, m, own_.eta * own_.alpha, of_m_);
        Vec new_average{oracle_.average_reward};
        take(new_average, average, own_.eta * own_.alpha, of_average_);
        oracle_.average_reward = new_average[0];
    }

private:
    static void take(Vec& weights, const Vec& before, double alpha, Vec& squares) {
        squares.resize(weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i) {
            const double g = weights[i] - before[i];
            squares[i] += g * g;
            weights[i] = squares[i] == 0 ? before[i] : before[i] + alpha / std::sqrt(squares[i]) * g;
        }
    }

    const StepSizeRule rule_;
    const OracleParameters own_;
    Oracle& oracle_;
    double updates_ = 0;
    Vec of_w_, of_h_, of_m_, of_average_;  // sums of squares
};

}  // namespace

SlowRun slow_run(const Setting& setting, const Configuration& configuration, const ExactSolution& solution,
                 const FiniteMdp& mdp, const Stream& stream, const std::vector<Vec>& above_truth) {
    const Stream learned = setting.steps_ahead > 1 ? steps_ahead(stream, setting.steps_ahead) : stream;
    Oracle oracle(configuration.id, configuration.parameters,
                  Vec(mdp.initial_weights().begin(), mdp.initial_weights().end()));
    SlowRun run{.scores = std::vector<double>(setting.metrics.size())};
    std::vector<Reference> references;
    for (const ScoredMetric& scored : setting.metrics)
        references.push_back(reference_of(scored.metric, solution, setting.weighting));
    const bool has_step_size = !configuration.id.ends_with("lstd");
    SlowStepSizes step_sizes(has_step_size ? setting.step_sizes : StepSizeRule{}, oracle);
    std::size_t left = 0;  // errors that are still to be measured
    const auto is_measured = [&](std::size_t t) {
        return setting.episodes > 0 ? stream[t].gamma == 0 : t % setting.every == 0;
    };
    for (std::size_t t = 0; t < stream.size(); ++t) left += is_measured(t);
    const auto learn = [&](std::size_t t) {
        Sample s = learned[t];
        s.lambda = s.lambda_next = configuration.lambda;
        step_sizes.step(s);
        run.is_near_the_end |= largest(oracle.w) > end_of_doubles || largest(oracle.h) > end_of_doubles;
    };
    for (std::size_t t = 0; t < stream.size(); ++t) {
        if (setting.measures_before && t > 0) learn(t - 1);
        if (!setting.measures_before) learn(t);
        if (!is_measured(t)) continue;
        for (std::size_t m = 0; m < run.scores.size(); ++m) {
            if (left > setting.metrics[m].scored) continue;
            Reference reference = references[m];
            if (!above_truth.empty())
                reference.truth += Eigen::Map<const Eigen::VectorXd>(above_truth[t].data(), reference.truth.size());
            run.scores[m] += error_of(setting.metrics[m].metric, solution, reference, oracle.w);
        }
        --left;
    }
    for (std::size_t m = 0; m < run.scores.size(); ++m) run.scores[m] /= static_cast<double>(setting.metrics[m].scored);
    return run;
}

Eigen::VectorXd slow_variance(const FiniteMdp& mdp, const Eigen::VectorXd& values) {
    const std::size_t n = mdp.states();
    Mat equations(n, Vec(n));
    Vec right(n, mdp.reward_noise() * mdp.reward_noise());
    for (std::size_t s = 0; s < n; ++s) {
        equations[s][s] = 1;
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a)) {
                const double weight = mdp.target(s, a) * o.probability;
                equations[s][o.next] -= weight * o.discount * o.discount;
                right[s] += weight * o.reward * (o.reward + 2 * o.discount * values(o.next));
            }
    }
    const Vec moments = solve(equations, right);
    return Eigen::Map<const Eigen::VectorXd>(moments.data(), values.size()) - values.cwiseProduct(values);
}

std::vector<Vec> learn_beside_values(const Setting& setting, const Stream& of_values, const Mat& rows, Stream& stream) {
    AlgorithmGrid one{.info = setting.values->info};
    for (const double value : setting.values->parameters) one.values.push_back({value});
    const Configuration configuration = configuration_of(one, 0);
    Oracle values(configuration.id, configuration.parameters, Vec(rows.front().size()));
    std::vector<Vec> above_truth;
    for (std::size_t t = 0; t < stream.size(); ++t) {
        Sample s = of_values[t];
        s.lambda = s.lambda_next = configuration.lambda;
        const double error = s.reward + s.gamma * dot(values.w, s.x_next) - dot(values.w, s.x);
        values.step(s);
        stream[t].gamma = s.gamma * s.gamma;
        if (setting.target == LearningTarget::variance) {
            stream[t].reward = error * error;
            continue;
        }
        stream[t].reward = s.reward * (s.reward + 2 * s.gamma * dot(values.w, s.x_next));
        Vec& squares = above_truth.emplace_back();
        for (const Vec& row : rows) squares.push_back(dot(values.w, row) * dot(values.w, row));
    }
    return above_truth;
}

SlowInstance::SlowInstance(const Study& study, std::size_t setting, std::uint32_t instance)
    : setting_(study.settings[setting]) {
    for (std::uint32_t run = 0; run < setting_.runs; ++run) {
        if (run == 0 || setting_.problem.has_runs())
            problems_.push_back(setting_.problem.make(study.seed, instance, run));
        const FiniteMdp& mdp = problems_[problem_of(run)];
        Trajectory trajectory;
        std::size_t steps = setting_.steps;
        Sampler(mdp).sample(study.seed, instance, run, steps, trajectory);
        // As many steps as the episodes take, by trying more and more of them.
        const auto ends = [&] { return std::count(trajectory.gamma.begin(), trajectory.gamma.end(), 0.0); };
        while (setting_.episodes > 0 && ends() < static_cast<std::ptrdiff_t>(setting_.episodes))
            Sampler(mdp).sample(study.seed, instance, run, steps *= 2, trajectory);
        Stream stream = stream_of(mdp, trajectory);
        while (setting_.episodes > 0 && std::count_if(stream.begin(), stream.end() - 1, [](const Sample& s) {
                                            return s.gamma == 0;
                                        }) >= static_cast<std::ptrdiff_t>(setting_.episodes))
            stream.pop_back();
        while (setting_.episodes > 0 && stream.back().gamma != 0) stream.pop_back();
        above_truth_.emplace_back();
        if (setting_.values) {
            const FiniteMdp values = setting_.values->problem.make(study.seed, instance, 0);
            Mat rows;
            for (std::size_t s = 0; s < values.states(); ++s) rows.push_back(features_of(values, s));
            above_truth_.back() = learn_beside_values(setting_, stream_of(values, trajectory), rows, stream);
        }
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

const ExactSolution& SlowInstance::solution(double lambda, std::size_t problem) {
    const FiniteMdp& mdp = problems_[problem];
    const auto [place, is_new] = solutions_.try_emplace({lambda, problem}, mdp, lambda);
    if (is_new && setting_.target != LearningTarget::value) place->second.v = slow_variance(mdp, place->second.v);
    return place->second;
}

std::vector<Scores> SlowInstance::scores(const Configuration& configuration, const std::vector<Stream>& streams) {
    std::vector<Scores> all(setting_.metrics.size());
    for (std::size_t r = 0; r < streams.size(); ++r) {
        const FiniteMdp& mdp = problems_[problem_of(r)];
        const ExactSolution& exact = solution(configuration.lambda, problem_of(r));
        const Vec w_0(mdp.initial_weights().begin(), mdp.initial_weights().end());
        const SlowRun run = slow_run(setting_, configuration, exact, mdp, streams[r], above_truth_[r]);
        for (std::size_t m = 0; m < all.size(); ++m)
            all[m].add(run.scores[m], error_of(setting_.metrics[m].metric, exact, w_0, setting_.weighting),
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
