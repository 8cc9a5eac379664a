// A study computed slowly, by an account of it that shares nothing with the kernels: the oracle's plain vectors learn
// from the same trajectories, and the errors are the textbook's sums.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle.hpp"
#include "plan/study.hpp"
#include "problems/exact.hpp"
#include "problems/trajectory.hpp"
#include "store/store.hpp"

namespace bellwether::test {

// A configuration as the oracle takes it.
struct Configuration {
    std::string_view id;
    OracleParameters parameters{};
    double lambda = 0;
};

Configuration configuration_of(const AlgorithmGrid& grid, std::size_t number);

Vec features_of(const FiniteMdp& mdp, std::size_t state);
Stream stream_of(const FiniteMdp& mdp, const Trajectory& trajectory);

// Each transition over so many steps, as far as its episode goes: R + γR' + …, the product of the discounts, and the
// state that is reached. Which of them ends an episode is told by the last step of the episode, as before.
Stream steps_ahead(const Stream& stream, std::size_t steps);

// The values that features can represent best, by the normal equations of these weights of the states.
Eigen::VectorXd representable(const ExactSolution& solution, const Eigen::VectorXd& weight);

// What an error is measured against: weights of the states, and what the value of each should be.
struct Reference {
    Eigen::VectorXd weight, truth;
};

Reference reference_of(Metric metric, const ExactSolution& solution, const Weighting& weighting);

// An error of weights, term by term as its definition has it.
double error_of(Metric metric, const ExactSolution& solution, const Reference& reference, const Vec& w);
double error_of(Metric metric, const ExactSolution& solution, const Vec& w,
                const Weighting& weighting = Weighting::stationary);

// Beyond this a kernel may overflow where the oracle does not yet, or the other way round.
constexpr double end_of_doubles = 1e280;

struct SlowRun {
    std::vector<double> scores;    // the mean error after each of the scored steps, metric by metric
    bool is_near_the_end = false;  // of the doubles: finite, but weights or auxiliary weights came that far
};

// `above_truth` has, step by step, what is true above the solution's values; empty: nothing.
SlowRun slow_run(const Setting& setting, const Configuration& configuration, const ExactSolution& solution,
                 const FiniteMdp& mdp, const Stream& stream, const std::vector<Vec>& above_truth = {});

// The variance of the return as second moment less squared mean: E[G²] = E[R² + 2γRV(S')] + E[γ²G'²].
Eigen::VectorXd slow_variance(const FiniteMdp& mdp, const Eigen::VectorXd& values);

// Makes a stream that of a learner of the setting's target, after the oracle's values: `of_values` is the same stream
// with their features, `rows` those of all states. What is true rises by the squared values, step by step.
std::vector<Vec> learn_beside_values(const Setting& setting, const Stream& of_values, const Mat& rows, Stream& stream);

// What a summary says, without Welford: the finite scores, and the counts.
struct Scores {
    std::vector<double> finite{};
    std::uint64_t diverged = 0, worse = 0;
    std::uint64_t near_the_end = 0;  // of the finite ones
    std::uint64_t as_at_start = 0;   // with α = 0: whether the mean of equal errors is above them is rounding

    void add(double score, double initial_error, bool is_near_the_end) {
        const bool is_as_at_start = std::fabs(score - initial_error) <= 1e-14 * initial_error;
        as_at_start += is_as_at_start;
        worse += !is_as_at_start && !(score <= initial_error);
        if (!std::isfinite(score)) {
            ++diverged;
            return;
        }
        finite.push_back(score);
        near_the_end += is_near_the_end;
    }
    double mean() const {
        double sum = 0;
        for (const double score : finite) sum += score;
        return finite.empty() ? 0 : sum / static_cast<double>(finite.size());
    }
};

// One instance of a setting: its problem, or where features are drawn for every run that of each; the trajectories of
// its runs, and its solutions by λ.
class SlowInstance {
public:
    SlowInstance(const Study& study, std::size_t setting, std::uint32_t instance);

    // Of one configuration, metric by metric.
    std::vector<Scores> scores(const Configuration& configuration) { return scores(configuration, streams_); }

    // How far the oracle's own mean score moves, in parts of it, where rewards move by some 1e-13. Not much further,
    // unless rounding decides. AutoTIDBD takes steps after which the error of a transition is 0: what is left of it is
    // rounding, in one order of operations 0 and in another 3e-16, and where n_i was 0 that is the difference between
    // α_i and α_i exp(±θ). TIDBD's step sizes may run away.
    double sensitivity(const Configuration& configuration, std::size_t metric);

private:
    std::vector<Scores> scores(const Configuration& configuration, const std::vector<Stream>& streams);
    std::size_t problem_of(std::size_t run) const { return problems_.size() > 1 ? run : 0; }
    const ExactSolution& solution(double lambda, std::size_t problem);

    const Setting& setting_;
    std::vector<FiniteMdp> problems_;
    std::vector<Stream> streams_;
    std::vector<std::vector<Vec>> above_truth_;                          // of those
    std::map<std::pair<double, std::size_t>, ExactSolution> solutions_;  // by λ and problem
};

// ---- comparing

// How far results may be apart: rounding where learning is stable; where weights grow, the rounding grows with them;
// and near the end of the doubles all that counts is that both see it.
struct Band {
    const char* name;
    double highest_score, tolerance;
    double worst = 0;
    std::size_t compared = 0;
    std::string where{};
};

class Comparison {
public:
    // Learning is stable up to this score.
    Comparison(std::uint64_t runs, double highest_stable_score)
        : runs_(runs), bands_{{"stable", highest_stable_score, 1e-12}, {"growing", 1e100, 1e-5}} {}

    // `sensitivity` is asked for only where they are further apart than rounding explains; by default nothing else
    // does.
    void compare(
        const ScoreSummary& stored, const Scores& expected, const std::string& what,
        const std::function<double()>& sensitivity = [] { return 0.0; }) {
        EXPECT_EQ(stored.runs, runs_) << what;
        diverged_ += expected.diverged;
        if (expected.near_the_end > 0) return compare_near_the_end(stored, expected, what);
        EXPECT_EQ(stored.diverged, expected.diverged) << what;
        EXPECT_GE(stored.worse, expected.worse) << what;
        EXPECT_LE(stored.worse, expected.worse + expected.as_at_start) << what;
        if (expected.finite.empty()) return;
        const double mean = expected.mean();
        if (mean > bands_.back().highest_score) {
            EXPECT_GT(stored.mean, 1e90) << what;
            return;
        }
        Band& band =
            *std::find_if(bands_.begin(), bands_.end(), [&](const Band& b) { return mean <= b.highest_score; });
        const double deviation = std::fabs(stored.mean - mean) / mean;
        ++band.compared;
        if (deviation > band.tolerance) {
            decided_by_rounding_.insert(what.substr(0, what.find(',')));
            EXPECT_LE(deviation, 10 * sensitivity()) << what << ": " << stored.mean << ", by the oracle " << mean;
            return;
        }
        if (deviation <= band.worst) return;
        band.worst = deviation;
        band.where = what;
    }
    std::size_t diverged() const { return diverged_; }
    std::size_t near_the_end() const { return near_the_end_; }
    // Algorithms of which some results are.
    const std::set<std::string>& decided_by_rounding() const { return decided_by_rounding_; }
    const std::vector<Band>& bands() const { return bands_; }

private:
    void compare_near_the_end(const ScoreSummary& stored, const Scores& expected, const std::string& what) {
        EXPECT_GE(stored.diverged, expected.diverged) << what;
        EXPECT_LE(stored.diverged, expected.diverged + expected.near_the_end) << what;
        ++near_the_end_;
    }

    std::uint64_t runs_;
    std::vector<Band> bands_;
    std::size_t diverged_ = 0, near_the_end_ = 0;
    std::set<std::string> decided_by_rounding_;
};

std::string describe(const Configuration& c, std::string_view metric, std::uint32_t instance);

}  // namespace bellwether::test
