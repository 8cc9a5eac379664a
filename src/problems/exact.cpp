#include "problems/exact.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "support/error.hpp"

namespace bellwether {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Eigen cuts products into blocks by the size of the first cache, and another block is another rounding: one size for
// all machines, whatever theirs is. (The other sizes cut rows and columns, over which nothing is summed.) It sets three
// numbers and cannot throw.
// NOLINTNEXTLINE(cert-err58-cpp)
[[maybe_unused]] const bool blocks_are_the_same_everywhere = [] {
    Eigen::setCpuCacheSizes(32 << 10, 1 << 20, 16 << 20);
    return true;
}();

// Rounding relative to the largest number that enters a matrix, with a margin of ten: singular values below it are
// taken for 0.
double rank_threshold(const MatrixXd& X) {
    return 10 * static_cast<double>(std::max(X.rows(), X.cols())) * std::numeric_limits<double>::epsilon();
}

// How far b may lie outside of the range of A, relative to its length, and still count as inside.
constexpr double range_tolerance = 1e-9;

using Svd = Eigen::BDCSVD<MatrixXd>;

// Singular values below `smallest` count as 0.
Svd decompose(const MatrixXd& matrix, double smallest) {
    Svd svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const double largest = svd.singularValues().maxCoeff();
    svd.setThreshold(largest > 0 ? smallest / largest : 1);
    return svd;
}

std::string describe_states(const std::vector<std::size_t>& states) {
    constexpr std::size_t shown = 8;
    const std::span first = std::span(states).first(std::min(shown, states.size()));
    return fmt::format("state{} {}{}", states.size() == 1 ? "" : "s", fmt::join(first, ", "),
                       states.size() > shown ? fmt::format(" and {} more", states.size() - shown) : "");
}

double probability(const FiniteMdp& mdp, PolicyOf policy, std::size_t s, std::size_t a) {
    return policy == PolicyOf::target ? mdp.target(s, a) : mdp.behaviour(s, a);
}

// The strongly connected components of the chain under a policy (Tarjan 1972). Discounts do not matter: the chain goes
// on after a termination.
class Components {
public:
    Components(const FiniteMdp& mdp, PolicyOf policy)
        : successors_(mdp.states()), order_(mdp.states()), component_(mdp.states(), none) {
        for (std::size_t s = 0; s < mdp.states(); ++s)
            for (std::size_t a = 0; a < mdp.actions(); ++a)
                for (const Outcome& o : mdp.outcomes(s, a))
                    if (probability(mdp, policy, s, a) > 0 && o.probability > 0) successors_[s].push_back(o.next);
        for (std::size_t s = 0; s < mdp.states(); ++s)
            if (order_[s] == 0) visit(s);
    }

    // The components that nothing leads out of, each in the order of its states.
    std::vector<std::vector<std::size_t>> closed() const {
        std::vector<std::vector<std::size_t>> members(components_);
        std::vector<bool> left(components_);
        for (std::size_t s = 0; s < component_.size(); ++s) {
            members[component_[s]].push_back(s);
            for (const std::size_t next : successors_[s])
                if (component_[next] != component_[s]) left[component_[s]] = true;
        }
        std::vector<std::vector<std::size_t>> result;
        for (std::size_t i = 0; i < components_; ++i)
            if (!left[i]) result.push_back(members[i]);
        std::sort(result.begin(), result.end());
        return result;
    }

private:
    // Returns the earliest open state that s leads to. As deep as there are states: the dense matrices of a solution
    // bound their number long before the stack does.
    std::size_t visit(std::size_t s) {
        const std::size_t own = order_[s] = ++visited_;
        std::size_t earliest = own;
        const std::size_t height = open_.size();
        open_.push_back(s);
        for (const std::size_t next : successors_[s]) {
            if (order_[next] == 0)
                earliest = std::min(earliest, visit(next));
            else if (component_[next] == none)
                earliest = std::min(earliest, order_[next]);
        }
        if (earliest == own) {
            for (std::size_t i = height; i < open_.size(); ++i) component_[open_[i]] = components_;
            open_.resize(height);
            ++components_;
        }
        return earliest;
    }

    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::vector<std::size_t>> successors_;
    std::vector<std::size_t> order_;      // in which states were visited, from 1
    std::vector<std::size_t> component_;  // of a state
    std::vector<std::size_t> open_;       // visited states without a component
    std::size_t visited_ = 0, components_ = 0;
};

// V* and every other inverse below exist where the target policy ends from every state: where no state is without a
// way, by actions of π, to some discount below 1. The inverses with λ ≤ 1, with a smaller β or with cut traces then
// exist as well, and so do those of μ, which takes every action that π takes.
void check_termination(const FiniteMdp& mdp) {
    std::vector<std::vector<std::size_t>> before(mdp.states());  // by a discount of 1
    std::vector<bool> ends(mdp.states());
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a)) {
                if (mdp.target(s, a) == 0 || o.probability == 0) continue;
                if (o.discount < 1)
                    ends[s] = true;
                else
                    before[o.next].push_back(s);
            }
    std::vector<std::size_t> open;
    for (std::size_t s = 0; s < mdp.states(); ++s)
        if (ends[s]) open.push_back(s);
    while (!open.empty()) {
        const std::size_t next = open.back();
        open.pop_back();
        for (const std::size_t s : before[next])
            if (!ends[s]) {
                ends[s] = true;
                open.push_back(s);
            }
    }
    std::vector<std::size_t> endless;
    for (std::size_t s = 0; s < mdp.states(); ++s)
        if (!ends[s]) endless.push_back(s);
    if (!endless.empty())
        throw UsageError(fmt::format(
            "{}: the target policy never terminates from {}: every discount from there on is 1, and the values are "
            "not defined",
            mdp.name(), describe_states(endless)));
}

// P_{p,γ} of a policy p
template <class Policy>
MatrixXd discounted(const FiniteMdp& mdp, Policy&& policy) {
    const auto n = static_cast<Index>(mdp.states());
    MatrixXd P = MatrixXd::Zero(n, n);
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                P(static_cast<Index>(s), o.next) += policy(s, a) * o.probability * o.discount;
    return P;
}

// Ē(s) = weight(s)x(s) + Σ_s⁻ decay(s⁻,s)Ē(s⁻):  Ē = (I − decayᵀ)⁻¹diag(weight)X
MatrixXd mean_trace(const MatrixXd& X, const VectorXd& weight, const MatrixXd& decay) {
    if (decay.isZero(0)) return weight.asDiagonal() * X;  // λ = 0
    const MatrixXd resolvent = MatrixXd::Identity(decay.rows(), decay.cols()) - decay.transpose();
    return solve(resolvent, MatrixXd(weight.asDiagonal() * X));
}

// A⁺b for the A and b of mean_update(weight, …), which lie in the row space of the features. The rank that A lacks
// because the features lack it is thereby not left to A's rounding. That is relative to the terms weight(s)x(s)x(s)ᵀ,
// which can cancel in A.
VectorXd solve_fixed_point(const ExactSolution& solution, const LinearUpdate& update, const VectorXd& weight,
                           const std::string& name, std::vector<std::string>& notes) {
    const Index dimension = solution.X.cols();
    if (solution.row_space.cols() == 0) return VectorXd::Zero(dimension);
    const MatrixXd A = solution.row_space.transpose() * update.A * solution.row_space;
    const VectorXd b = solution.row_space.transpose() * update.b;
    const double largest_term = weight.cwiseProduct(solution.X.rowwise().squaredNorm()).maxCoeff();
    const Svd svd = decompose(A, rank_threshold(solution.X) * largest_term);
    const VectorXd inside = svd.solve(b);
    const bool in_range = (b - A * inside).norm() <= range_tolerance * b.norm();
    if (svd.rank() < dimension)
        notes.push_back(fmt::format("A{} is singular (rank {} of {}): the fixed point is the {} of smallest norm{}",
                                    name, svd.rank(), dimension, in_range ? "solution" : "least-squares solution",
                                    in_range ? "" : ", as b is not in the range of A"));
    return solution.row_space * inside;
}

// d_μ within the active states.
VectorXd within_active(const FiniteMdp& mdp) {
    VectorXd d = stationary_distribution(mdp);
    if (!mdp.has_inactive()) return d;
    for (std::size_t s = 0; s < mdp.states(); ++s)
        if (!mdp.active(s)) d(static_cast<Index>(s)) = 0;
    const double share = d.sum();
    if (share == 0) throw UsageError(fmt::format("{}: the behaviour policy is never in an active state", mdp.name()));
    return d / share;
}

// What was found of the last problem.
class LastProblem {
public:
    std::shared_ptr<const VectorXd> distribution;
    std::shared_ptr<const ExactSolution> solution;

    // The member, or what `find` says where that is not known yet.
    template <class Value, class Find>
    static std::shared_ptr<const Value> get(const FiniteMdp& mdp, std::shared_ptr<const Value> LastProblem::*member,
                                            Find find) {
        static std::mutex mutex;
        static LastProblem last;
        {
            const std::scoped_lock lock(mutex);
            if (last.mdp_ == mdp && last.*member) return last.*member;
        }
        auto found = std::make_shared<const Value>(find());
        const std::scoped_lock lock(mutex);
        if (last.mdp_ != mdp) {
            last = {};
            last.mdp_ = mdp;
        }
        return last.*member = std::move(found);
    }

private:
    std::optional<FiniteMdp> mdp_;
};

VectorXd find_stationary_distribution(const FiniteMdp& mdp, PolicyOf policy) {
    const std::vector<std::vector<std::size_t>> classes = Components(mdp, policy).closed();
    if (classes.size() > 1) {
        std::vector<std::string> described;
        described.reserve(classes.size());
        for (const auto& members : classes) described.push_back(describe_states(members));
        throw UsageError(fmt::format(
            "{}: the chain under the {} policy has {} closed classes, and so no stationary distribution of its "
            "own: {}",
            mdp.name(), policy == PolicyOf::target ? "target" : "behaviour", classes.size(),
            fmt::join(described, "; ")));
    }
    const std::vector<std::size_t>& members = classes.front();
    const auto n = static_cast<Index>(members.size());
    std::vector<Index> position(mdp.states(), -1);
    for (Index i = 0; i < n; ++i) position[members[static_cast<std::size_t>(i)]] = i;
    MatrixXd P = MatrixXd::Zero(n, n);
    for (const std::size_t s : members)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                if (const double p = probability(mdp, policy, s, a) * o.probability; p > 0)
                    P(position[s], position[o.next]) += p;

    // Grassmann, Taksar & Heyman (1985): the last state is censored out of the chain, one after the other. There is no
    // subtraction in it, so that the smallest probability is as accurate as the largest.
    for (Index last = n - 1; last > 0; --last) {
        P.col(last).head(last) /= P.row(last).head(last).sum();
        for (Index to = 0; to < last; ++to)  // few states follow one, in a walk
            if (P(last, to) > 0) P.col(to).head(last) += P(last, to) * P.col(last).head(last);
    }
    VectorXd inside = VectorXd::Zero(n);
    inside(0) = 1;
    for (Index i = 1; i < n; ++i) inside(i) = inside.head(i).dot(P.col(i).head(i));
    inside /= inside.sum();

    VectorXd d = VectorXd::Zero(static_cast<Index>(mdp.states()));
    for (Index i = 0; i < n; ++i) d(static_cast<Index>(members[static_cast<std::size_t>(i)])) = inside(i);
    return d;
}

}  // namespace

VectorXd stationary_distribution(const FiniteMdp& mdp, PolicyOf policy) {
    if (policy != PolicyOf::behaviour) return find_stationary_distribution(mdp, policy);
    return *LastProblem::get(mdp, &LastProblem::distribution,
                             [&] { return find_stationary_distribution(mdp, policy); });
}

VectorXd solve(const MatrixXd& A, const VectorXd& b) {
    return A.partialPivLu().solve(b);
}

MatrixXd solve(const MatrixXd& A, const MatrixXd& b) {
    return A.partialPivLu().solve(b);
}

ExactSolution::ExactSolution(const FiniteMdp& mdp, double lambda_elsewhere) : d(within_active(mdp)) {
    check_termination(mdp);
    const auto states = static_cast<Index>(mdp.states()), dimension = static_cast<Index>(mdp.dimension());
    X.resize(states, dimension);
    lambda.resize(states);
    interest.resize(states);
    active.resize(states);
    r_pi.setZero(states);
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        const auto row = static_cast<Index>(s);
        X.row(row) = Eigen::Map<const Eigen::RowVectorXd>(mdp.features(s).data(), dimension);
        lambda(row) = mdp.has_lambda() ? mdp.lambda(s) : lambda_elsewhere;
        interest(row) = mdp.interest(s);
        active(row) = mdp.active(s) ? 1 : 0;
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& o : mdp.outcomes(s, a)) r_pi(row) += mdp.target(s, a) * o.probability * o.reward;
    }
    P_pi = discounted(mdp, [&](std::size_t s, std::size_t a) { return mdp.target(s, a); });
    P_mu = discounted(mdp, [&](std::size_t s, std::size_t a) { return mdp.behaviour(s, a); });
    const Eigen::PartialPivLU<MatrixXd> bellman(MatrixXd::Identity(states, states) - P_pi);
    if (!(bellman.rcond() > std::numeric_limits<double>::epsilon()))
        throw UsageError(
            fmt::format("{}: the target policy terminates too rarely for its values to be computed", mdp.name()));
    v = bellman.solve(r_pi);

    const VectorXd root_d = d.cwiseSqrt();
    // √D X = U S Vᵀ, hence C = V S² Vᵀ and C⁺ = V S⁻² Vᵀ, without squaring the rounding
    const MatrixXd root_d_X = root_d.asDiagonal() * X;
    const Svd features = decompose(root_d_X, rank_threshold(X) * root_d_X.rowwise().norm().maxCoeff());
    const Index rank = features.rank();
    row_space = features.matrixV().leftCols(rank);
    whitening = features.singularValues().head(rank).cwiseInverse().asDiagonal() * row_space.transpose();
    C = X.transpose() * d.asDiagonal() * X;
    C_pseudo_inverse = whitening.transpose() * whitening;
    projection = whitening.transpose() * (features.matrixU().leftCols(rank).transpose() * (root_d.asDiagonal() * v));
    if (rank < dimension)
        notes.push_back(fmt::format("C is singular (rank {} of {}): its pseudo-inverse is used", rank, dimension));

    const LinearUpdate update = mean_update(d, P_pi * lambda.asDiagonal());
    A = update.A;
    b = update.b;
    A_mu = mean_trace(X, d, P_mu * lambda.asDiagonal()).transpose() * (X - P_mu * X);
    fixed_point = solve_fixed_point(*this, update, d, "", notes);
}

std::shared_ptr<const ExactSolution> exact_solution(const FiniteMdp& mdp) {
    return LastProblem::get(mdp, &LastProblem::solution, [&] { return ExactSolution(mdp, 0); });
}

LinearUpdate ExactSolution::mean_update(const VectorXd& weight, const MatrixXd& decay) const {
    const MatrixXd trace = mean_trace(X, weight, decay);
    return {trace.transpose() * (X - P_pi * X), trace.transpose() * r_pi};
}

ExactSolution::Emphatic ExactSolution::emphatic(double beta_scale) const {
    const VectorXd d_interest = d.cwiseProduct(interest);
    const MatrixXd resolvent = MatrixXd::Identity(P_pi.rows(), P_pi.cols()) - beta_scale * P_pi.transpose();
    const VectorXd f = solve(resolvent, d_interest);
    Emphatic result;
    result.m = (lambda.array() * d_interest.array() + (1 - lambda.array()) * f.array()).matrix();
    static_cast<LinearUpdate&>(result) = mean_update(result.m, P_pi * lambda.asDiagonal());
    result.fixed_point =
        solve_fixed_point(*this, result, result.m, fmt::format(" of ETD(λ,β) with β = {}γ", beta_scale), result.notes);
    return result;
}

VectorXd ExactSolution::weights(const Weighting& weighting) const {
    if (weighting.kind == Weighting::Kind::stationary) return d;
    if (weighting.kind == Weighting::Kind::uniform) return active / active.sum();
    const VectorXd given = active.cwiseProduct(VectorXd::Map(weighting.given.data(), active.size()));
    if (given.sum() == 0) throw UsageError("the given weighting is 0 in every active state");
    return given / given.sum();
}

VectorXd ExactSolution::best_weights(const VectorXd& weight) const {
    if (weight == d) return projection;
    const VectorXd root = weight.cwiseSqrt();
    const MatrixXd root_X = root.asDiagonal() * X;
    return decompose(root_X, rank_threshold(X) * root_X.rowwise().norm().maxCoeff()).solve(root.asDiagonal() * v);
}

std::optional<double> ExactSolution::weighted_mave(const VectorXd& w, const VectorXd& weight) const {
    const VectorXd prediction = X * w;
    const double largest = v.cwiseAbs().maxCoeff();
    double sum = 0;
    for (Index s = 0; s < d.size(); ++s) {
        if (weight(s) == 0) continue;
        if (std::abs(v(s)) <= zero_value * largest) return std::nullopt;
        sum += weight(s) * std::abs((prediction(s) - v(s)) / v(s));
    }
    return sum;
}

double ExactSolution::weighted_msve(const VectorXd& w, const VectorXd& weight) const {
    return weight.dot((X * w - v).cwiseAbs2());
}
double ExactSolution::rmsve(const VectorXd& w) const {
    return std::sqrt(msve(w));
}
double ExactSolution::mspbe(const VectorXd& w) const {
    return (whitening * (b - A * w)).squaredNorm();
}
double ExactSolution::rmspbe(const VectorXd& w) const {
    return (whitening * (b - A * w)).norm();
}
double ExactSolution::weighted_msbe(const VectorXd& w, const VectorXd& weight) const {
    const VectorXd prediction = X * w;
    return weight.dot((r_pi + P_pi * prediction - prediction).cwiseAbs2());
}

}  // namespace bellwether
