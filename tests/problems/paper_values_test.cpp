// Problems of the literature: the exact numbers that are known of them, to nine digits after the point. They come from
// implementations outside of this repository.
#include <gtest/gtest.h>

#include <Eigen/QR>
#include <array>
#include <vector>

#include "problems/domain_requests.hpp"
#include "problems/exact.hpp"
#include "problems/model_file.hpp"
#include "problems/return_statistics.hpp"
#include "problems/trajectory.hpp"

namespace bellwether::test {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double digits = 1e-9;

VectorXd zero(const ExactSolution& solution) {
    return VectorXd::Zero(solution.X.cols());
}

void expect_numbers(const VectorXd& found, const std::vector<double>& published) {
    ASSERT_EQ(static_cast<std::size_t>(found.size()), published.size());
    for (std::size_t i = 0; i < published.size(); ++i) EXPECT_NEAR(found(static_cast<Index>(i)), published[i], digits);
}

// ---- walks

TEST(PaperValues, WalkOfFiveStates) {
    const ExactSolution tabular(make("walk5"), 0);
    expect_numbers(9 * tabular.d, {1, 2, 3, 2, 1});
    expect_numbers(tabular.v, {-.269172932331, .218045112782, .542857142857, .759398496241, .903759398496});
    EXPECT_NEAR(tabular.rmspbe(zero(tabular)), .2403700850309, digits);
    const ExactSolution inverted(make("walk5", {}, "inverted"), 0);
    EXPECT_NEAR(inverted.rmspbe(zero(inverted)), .2403700850309, digits);
    const ExactSolution dependent(make("walk5", {}, "dependent"), 0);
    EXPECT_NEAR(dependent.rmspbe(zero(dependent)), .1715938356831, digits);
    expect_numbers(dependent.fixed_point, {-.187546370660, .324982552203, .719202938816});
    EXPECT_NEAR(dependent.rmsve(dependent.fixed_point), .0929860036451, digits);
}

TEST(PaperValues, WalkOfElevenStates) {
    const ExactSolution solution(make("walk11"), 0);
    expect_numbers(36 * solution.d, {1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1});
    EXPECT_NEAR(solution.d.dot((solution.X * solution.projection).cwiseAbs2()), .9143111432438839, digits);
    EXPECT_EQ(row(make("walk11"), 10), (std::vector<double>{1, 0, 1, 1}));
    EXPECT_NEAR(make("walk11").ratio(0, 1), 1.98, digits);
}

TEST(PaperValues, WalkOfNineteenStates) {
    const ExactSolution solution(make("walk19"), 0);
    expect_numbers(100 * solution.d, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    EXPECT_NEAR(solution.rmsve(zero(solution)), .4062019202, digits);
}

TEST(PaperValues, WalkOfThirtyStatesAndItsVariance) {
    const FiniteMdp mdp = make("walk30");
    const ExactSolution solution(mdp, 0.95);
    EXPECT_TRUE(mdp.on_policy());
    EXPECT_NEAR(solution.v(0), -72.125000000017, digits);
    EXPECT_NEAR(solution.v(29), -1.499999999977, digits);
    EXPECT_NEAR(solution.d(0), .034188034188, digits);
    EXPECT_NEAR(solution.d(29), .019536019536, digits);
    EXPECT_NEAR(solution.rmsve(zero(solution)), 43.8782468604, digits);
    expect_numbers(solution.fixed_point, {-75.894075417661, 74.027860612555});
    EXPECT_NEAR(solution.rmsve(solution.fixed_point), .3356852639, digits);
    const VectorXd variance = return_variance(mdp, solution);
    EXPECT_NEAR(variance(0), 359.296875005, 1e-8);  // rounding of the published number
    EXPECT_NEAR(variance(29), 13.124999993, 1e-8);
    EXPECT_NEAR(std::sqrt(solution.d.dot(variance.cwiseAbs2())), 231.487153629, 1e-8);
}

// Sherstan et al. (2018): values with features (1, n/30), variances with (1, n/30, (n/30)²), both by TD(0.95). The
// direct method learns from squared TD errors, the other one from second moments, R² + 2γRv(s'), less the squared
// value.
TEST(PaperValues, DirectVarianceHasTheBetterFixedPoint) {
    const ExactSolution values(make("walk30"), 0.95);
    const FiniteMdp mdp = make("walk30", {}, "quadratic");
    const ExactSolution quadratic(mdp, 0.95);
    const VectorXd variance = return_variance(mdp, quadratic), v = values.X * values.fixed_point;
    const auto error = [&](const VectorXd& predicted) {
        return std::sqrt(quadratic.d.dot((predicted - variance).cwiseAbs2()));
    };

    VectorXd w = VectorXd::Zero(3);
    w.head(2) = values.fixed_point;
    const LinearUpdate direct = variance_update(mdp, quadratic, w, 1, 0.95);
    const VectorXd of_direct = bellwether::solve(direct.A, direct.b);
    for (const auto& [i, published] : {std::pair{0, 387.875428404}, {1, -344.703057140}, {2, -32.370537267}})
        EXPECT_NEAR(of_direct(i), published, 1e-6);  // A loses three digits of fifteen, and nine are published
    EXPECT_NEAR(error(quadratic.X * of_direct), 5.3234666716, 1e-8);

    VectorXd second_moment = VectorXd::Zero(30);
    for (std::size_t s = 0; s < 30; ++s)
        for (std::size_t a = 0; a < 2; ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                second_moment(static_cast<Index>(s)) +=
                    mdp.target(s, a) * o.probability *
                    (o.reward * o.reward + 2 * o.discount * o.reward * v(static_cast<Index>(o.next)));
    // γ is 0 or 1, so that γ² = γ: the same matrix.
    const Eigen::MatrixXd trace =
        bellwether::solve((Eigen::MatrixXd::Identity(30, 30) - 0.95 * quadratic.P_pi).transpose(),
                          Eigen::MatrixXd(quadratic.d.asDiagonal() * quadratic.X));
    const VectorXd of_moments = bellwether::solve(quadratic.A, VectorXd(trace.transpose() * second_moment));
    EXPECT_NEAR(error(quadratic.X * of_moments - v.cwiseAbs2()), 30.5950232033, 1e-7);

    const VectorXd root_d = quadratic.d.cwiseSqrt();
    const VectorXd best =
        (root_d.asDiagonal() * quadratic.X).colPivHouseholderQr().solve(root_d.cwiseProduct(variance));
    EXPECT_NEAR(error(quadratic.X * best), 4.3960487078, 1e-8);
}

TEST(PaperValues, WalkOfAThousandStates) {
    const ExactSolution ten(make("walk1000"), 0);
    EXPECT_NEAR(ten.v(0), -.9219604605455651, digits);
    EXPECT_NEAR(ten.v(499), -.00094349568336, digits);
    EXPECT_NEAR(ten.d(499), .0136923483, digits);
    EXPECT_NEAR(ten.d(0), .0001471344932, digits);
    EXPECT_NEAR(1 / episode_rate(make("walk1000")), 83.1524486824, digits);  // steps of an episode
    EXPECT_NEAR(std::sqrt(ten.v.squaredNorm() / 1000), .5434777374, digits);
    EXPECT_NEAR(ten.rmsve(zero(ten)), .4054361391, digits);
    expect_numbers(ten.projection, {-.8300525389, -.6516363961, -.4661438706, -.2790733370, -.0866892419, .0928235729,
                                    .2791024451, .4661428140, .6516362993, .8300525378});
    EXPECT_NEAR(ten.rmsve(ten.projection), .0543769779, digits);
    expect_numbers(ten.fixed_point, {-.6932239353, -.4805061340, -.3033268694, -.1458277693, -.0009434957, .1223806184,
                                     .2497184430, .3880586678, .5436885388, .7305349608});
    EXPECT_NEAR(ten.rmsve(ten.fixed_point), .1167352732, digits);
}

TEST(PaperValues, WalkOfAThousandStatesWithOtherFeatures) {
    const ExactSolution twenty(make("walk1000", {{"groups", 20}}), 0);
    EXPECT_NEAR(twenty.rmsve(twenty.projection), .0273229847, digits);
    EXPECT_NEAR(twenty.rmsve(twenty.fixed_point), .0482341002, digits);
    const ExactSolution five(make("walk1000", {{"groups", 5}}), 0);
    EXPECT_NEAR(five.rmsve(five.projection), .1049471156, digits);
    const ExactSolution tiled(make("walk1000", {}, "tilings"), 0);
    EXPECT_NEAR(tiled.rmsve(tiled.projection), .0020977514, digits);
}

// ---- Baird's, Boyan's, Collision

TEST(PaperValues, Counterexamples) {
    const FiniteMdp mdp = make("baird", {{"start", 7}});
    EXPECT_EQ(mdp.start()[6], 1);
    const ExactSolution baird(mdp, 0);
    EXPECT_NEAR(baird.rmspbe(VectorXd::Map(mdp.initial_weights().data(), 8)), 8.2214075958526, digits);
    const ExactSolution boyan(make("boyan"), 0);
    EXPECT_NEAR(boyan.rmspbe(zero(boyan)), 2.9272515992881, digits);
}

TEST(PaperValues, ChainWithASingleStep) {
    const FiniteMdp mdp = read_model_file(BELLWETHER_SOURCE "/studies/ghiassian2020/models/boyan-single-step.toml");
    const ExactSolution solution(mdp, 0);
    EXPECT_NEAR(solution.v(0), -2, digits);
    EXPECT_NEAR(solution.v(1), -5, digits);
    EXPECT_NEAR(solution.v(2), -6.5, digits);
    EXPECT_NEAR(solution.v(3), -8.75, digits);
    EXPECT_NEAR(solution.rmspbe(zero(solution)), 2.8961605902270, digits);
}

// The root of (b − Aw)ᵀC⁺(b − Aw) with A = XᵀD(I − γP)X, b = XᵀDR, C = XᵀDX, as the authors' code has it, whatever P
// and D are.
double rmspbe_by(const Eigen::MatrixXd& X, const Eigen::MatrixXd& P, const VectorXd& R, const VectorXd& d, double gamma,
                 const VectorXd& w) {
    const Eigen::MatrixXd weighted = X.transpose() * d.asDiagonal();
    const VectorXd residual = weighted * (R + gamma * P * (X * w) - X * w);
    return std::sqrt(residual.dot((weighted * X).completeOrthogonalDecomposition().solve(residual)));
}

// Ghiassian et al. (2020): the error on their chain is of matrices that are not the chain's. From the last state but
// one 1/2 too much leads on, to the end as well, and the reward there is −2, not −3; the 13 states weigh the same, in
// the eight digits that they have there, and the end is one of them, with the features of Boyan's state 0.
TEST(PaperValues, ChainWithASingleStepByTheAuthorsMatrices) {
    const FiniteMdp mdp = read_model_file(BELLWETHER_SOURCE "/studies/ghiassian2020/models/boyan-single-step.toml");
    const ExactSolution chain(mdp, 0);  // numbers its states from the end, and has the same features
    constexpr Index end = 12;
    Eigen::MatrixXd X = Eigen::MatrixXd::Zero(13, 4), P = Eigen::MatrixXd::Zero(13, 13);
    VectorXd R = VectorXd::Constant(13, -3);
    for (Index i = 0; i <= end; ++i)  // from the start on: spikes at 0, 4, 8 and 12
        for (Index k = 0; k < 4; ++k) X(i, k) = std::max(0.0, 1 - std::abs(static_cast<double>(i - 4 * k)) / 4);
    for (Index i = 0; i <= 10; ++i) P(i, i + 1) = P(i, i + 2) = 0.5;
    P(10, 11) = P(11, end) = 1;
    R.tail(3) << -2, -2, 0;
    EXPECT_EQ(P.row(10).sum(), 1.5);
    const VectorXd d = VectorXd::Constant(13, 0.07692308);
    EXPECT_NEAR(rmspbe_by(X, P, R, d, 1, VectorXd::Zero(4)), 2.7290383580146, digits);

    EXPECT_NEAR(rmspbe_by(X, P, R, d, 1, chain.fixed_point), 0.0824802067, digits);
}

// Dann et al. (2014): off-policy theirs is |V − Π T V| with the Bellman operator of the behaviour policy, and Π
// weighted by the distribution of the target policy, which is in the star's centre for ever.
TEST(PaperValues, StarOfDannByTheAuthorsOperators) {
    const FiniteMdp mdp = read_model_file(BELLWETHER_SOURCE "/studies/dann2014/models/baird-star.toml");
    const ExactSolution star(mdp, 0);
    const VectorXd w = VectorXd::Map(mdp.initial_weights().data(), 9);
    EXPECT_NEAR(star.rmspbe(w), 8.3065877471, digits);

    Eigen::MatrixXd P = Eigen::MatrixXd::Zero(8, 8);
    for (std::size_t s = 0; s < 8; ++s)
        for (std::size_t a = 0; a < 2; ++a)
            for (const Outcome& o : mdp.outcomes(s, a))
                P(static_cast<Index>(s), static_cast<Index>(o.next)) += mdp.behaviour(s, a) * o.probability;
    const VectorXd in_centre = VectorXd::Unit(8, 7);
    const Eigen::MatrixXd weighted = star.X.transpose() * in_centre.asDiagonal();
    const VectorXd v = star.X * w, target = 0.99 * P * v;
    const VectorXd projected =
        star.X * Eigen::MatrixXd(weighted * star.X).completeOrthogonalDecomposition().solve(weighted * target);
    EXPECT_NEAR(std::sqrt(star.d.dot((v - projected).cwiseAbs2())), 3.0768951439, digits);
}

TEST(PaperValues, CollisionWithTheSourcesFeatures) {
    constexpr std::array<std::array<int, 6>, 8> rows{{{0, 0, 1, 0, 1, 1},
                                                      {1, 1, 1, 0, 0, 0},
                                                      {0, 1, 1, 0, 0, 1},
                                                      {1, 0, 1, 1, 0, 0},
                                                      {1, 1, 0, 0, 1, 0},
                                                      {0, 1, 1, 1, 0, 0},
                                                      {1, 1, 0, 0, 0, 1},
                                                      {1, 0, 1, 0, 0, 1}}};
    const DomainRequest wanted = request("collision");
    MdpDescription description = wanted.info->make(wanted);
    for (std::size_t i = 0; i < description.features.size(); ++i) description.features[i] = rows[i / 6][i % 6];
    const FiniteMdp mdp(description);
    for (const auto& [lambda, error] :
         {std::pair{0.0, .5276508309945}, {0.5, .1984042765939}, {0.9, .0830519185499}, {1.0, .0776795342973}}) {
        const ExactSolution solution(mdp, lambda);
        EXPECT_NEAR(solution.rmsve(zero(solution)), .6890778582512, digits);
        EXPECT_NEAR(solution.rmsve(solution.fixed_point), error, digits);
    }
    const ExactSolution zero_lambda(mdp, 0), large_lambda(mdp, 0.9);
    EXPECT_NEAR(zero_lambda.rmsve(zero_lambda.emphatic(1).fixed_point), .1821835351765, digits);
    EXPECT_NEAR(large_lambda.rmsve(large_lambda.emphatic(1).fixed_point), .0869750453415, digits);
    EXPECT_NEAR(zero_lambda.rmsve(zero_lambda.projection), .0776795342973, digits);
}

// ---- Rooms

struct RoomsMeans {
    double start = 0, td = 0, td_long = 0, etd = 0, projection = 0;
};
RoomsMeans means_of_rooms(double high_variance) {
    RoomsMeans mean;
    for (double k = 0; k < 8; ++k) {
        const FiniteMdp mdp = make("rooms", {{"high-variance", high_variance}, {"question", k}});
        const ExactSolution none(mdp, 0), most(mdp, 0.9);
        mean.start += none.rmsve(zero(none)) / 8;
        mean.td += none.rmsve(none.fixed_point) / 8;
        mean.td_long += most.rmsve(most.fixed_point) / 8;
        mean.etd += none.rmsve(none.emphatic(1).fixed_point) / 8;
        mean.projection += none.rmsve(none.projection) / 8;
    }
    return mean;
}

TEST(PaperValues, RoomsHaveTheirFixedPoints) {
    const RoomsMeans rooms = means_of_rooms(0), high_variance = means_of_rooms(1);
    EXPECT_NEAR(rooms.start, 0.7229444841097, digits);
    EXPECT_NEAR(rooms.td, .2267872359592, digits);
    EXPECT_NEAR(rooms.td_long, .0769980619525, digits);
    EXPECT_NEAR(rooms.etd, .0810548859945, digits);
    EXPECT_NEAR(rooms.projection, .0751754428708, digits);
    EXPECT_NEAR(high_variance.start, 0.7092724748426, digits);
    EXPECT_NEAR(high_variance.td, .2689660945263, digits);
    EXPECT_NEAR(high_variance.td_long, .0751297822186, digits);
    EXPECT_NEAR(high_variance.etd, .0774159180903, digits);
    EXPECT_NEAR(high_variance.projection, .0722339784874, digits);
}

TEST(PaperValues, RoomsHaveTheirValuesAndMasks) {
    constexpr std::array start{.7147094550, .7147094550, .7161518786, .7275365024,
                               .7090163002, .6986880974, .7601882336, .7425559507};
    constexpr std::array sum{18.2469358, 18.2469358, 18.3000799, 18.631783,
                             21.6171109, 21.2417488, 15.79087,   15.373801};
    constexpr std::array active{26, 26, 26, 26, 31, 31, 21, 21};
    std::vector<int> questions_of(104, 0);
    for (double k = 0; k < 8; ++k) {
        const auto number = static_cast<std::size_t>(k);
        const FiniteMdp mdp = make("rooms", {{"question", k}});
        const ExactSolution solution(mdp, 0);
        ASSERT_EQ(mdp.states(), 104u);
        EXPECT_NEAR(solution.rmsve(zero(solution)), start[number], digits);
        EXPECT_NEAR(solution.v.sum(), sum[number], 1e-7);  // as many digits are published
        int states = 0;
        for (std::size_t s = 0; s < 104; ++s) {
            states += mdp.active(s);
            questions_of[s] += mdp.active(s);
            if (mdp.active(s)) {
                EXPECT_NEAR(solution.d(static_cast<Index>(s)) * active[number], 1, digits);
            }
        }
        EXPECT_EQ(states, active[number]);
    }
    EXPECT_EQ(questions_of, std::vector<int>(104, 2));
}

// The largest product of importance ratios on the way to a goal, by state.
double largest_product(const FiniteMdp& mdp, std::size_t state) {
    if (!mdp.active(state)) return 1;
    double largest = 0;
    for (std::size_t a = 0; a < mdp.actions(); ++a)
        if (mdp.target(state, a) > 0)
            largest = std::max(largest, mdp.ratio(state, a) * largest_product(mdp, mdp.outcomes(state, a)[0].next));
    return largest;
}

TEST(PaperValues, ProductsOfRatiosInRooms) {
    for (const auto& [high_variance, published] : {std::pair{0.0, 16384.0}, {1.0, 25 * 16384.0}}) {
        double largest = 0;
        for (double k = 0; k < 8; ++k) {
            const FiniteMdp mdp = make("rooms", {{"high-variance", high_variance}, {"question", k}});
            for (std::size_t s = 0; s < mdp.states(); ++s) largest = std::max(largest, largest_product(mdp, s));
        }
        EXPECT_NEAR(largest, published, digits * published);
    }
}

// Cells are numbered by y, then x: a row of a room and the wall has 10, the first row with a hallway 11.
TEST(PaperValues, HighVarianceRoomsAreWhereTheyShould) {
    const VectorXd d = stationary_distribution(make("rooms", {{"high-variance", 1}}));
    EXPECT_NEAR(d(0), .0154322784, digits);   // (0, 0)
    EXPECT_NEAR(d(11), .0107006469, digits);  // (1, 1)
    EXPECT_NEAR(d(15), .0059735955, digits);  // (5, 1)
    EXPECT_NEAR(d(81), .0105293681, digits);  // (8, 8)
    const FiniteMdp mdp = make("rooms", {{"high-variance", 1}});
    EXPECT_NEAR(mdp.behaviour(11, 3), .97, digits);
    EXPECT_NEAR(mdp.ratio(11, 2), 100,
                digits);  // one way to the goal, where the behaviour goes once in a hundred times
}

}  // namespace
}  // namespace bellwether::test
