// Intervals that hold together: against a slow implementation that shares nothing with the fast one, and where the
// answer is known.
#include "analysis/simultaneous.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "analysis/checks.hpp"
#include "analysis/claims.hpp"
#include "analysis/paper.hpp"
#include "plan/study_text.hpp"
#include "support/random.hpp"

namespace bellwether::test {
namespace {

using Real = long double;
constexpr double infinity = std::numeric_limits<double>::infinity();

// ---- the slow implementation

// Φ⁻¹ by Newton's method.
Real slow_normal_quantile(Real probability) {
    Real at = 0;
    for (int step = 0; step < 200; ++step) {
        const Real value = std::erfc(-at / std::sqrt(Real(2))) / 2;
        const Real density = std::exp(-at * at / 2) / std::sqrt(2 * std::acos(Real(-1)));
        const Real move = (value - probability) / density;
        at -= std::max(Real(-0.5), std::min(Real(0.5), move));
    }
    return at;
}

bool slow_is_finite(const Resampled& quantity) {
    bool finite = std::isfinite(quantity.value);
    for (const double draw : quantity.draws) finite = finite && std::isfinite(draw);
    return finite;
}

Real slow_deviation(const std::vector<double>& draws) {
    Real mean = 0, squares = 0;
    for (const double draw : draws) mean += draw;
    mean /= static_cast<Real>(draws.size());
    for (const double draw : draws) squares += (draw - mean) * (draw - mean);
    return std::sqrt(squares / static_cast<Real>(draws.size() - 1));
}

Real slow_distance(const Resampled& quantity, std::size_t b) {
    if (slow_is_finite(quantity)) {
        const Real deviation = slow_deviation(quantity.draws);
        return deviation > 0 ? std::fabs(Real(quantity.draws[b]) - Real(quantity.value)) / deviation : 0;
    }
    Real below = 0, equal = 0;
    for (const double draw : quantity.draws) {
        below += draw < quantity.draws[b];
        equal += draw == quantity.draws[b];
    }
    return std::fabs(slow_normal_quantile((below + equal / 2) / static_cast<Real>(quantity.draws.size())));
}

// The lowest value that at least this part of them does not exceed, by counting.
template <class Value>
Value slow_quantile(const std::vector<Value>& values, Real level) {
    Value found = std::numeric_limits<Value>::infinity();
    for (const Value& candidate : values) {
        Real count = 0;
        for (const Value& other : values) count += other <= candidate;
        if (count + Real(1e-6) >= level * static_cast<Real>(values.size())) found = std::min(found, candidate);
    }
    return found;
}

Real slow_critical(const std::vector<Resampled>& family) {
    std::vector<Real> greatest;
    for (std::size_t b = 0; b < family.front().draws.size(); ++b) {
        Real most = 0;
        for (const Resampled& quantity : family) most = std::max(most, slow_distance(quantity, b));
        greatest.push_back(most);
    }
    return slow_quantile(greatest, Real(0.95));
}

Interval slow_interval(const Resampled& quantity, Real critical) {
    if (slow_is_finite(quantity)) {
        const Real radius = critical * slow_deviation(quantity.draws);
        return {static_cast<double>(quantity.value - radius), static_cast<double>(quantity.value + radius)};
    }
    const Real level = std::erfc(-critical / std::sqrt(Real(2))) / 2;
    return {slow_quantile(quantity.draws, 1 - level), slow_quantile(quantity.draws, level)};
}

// ---- families

class Uniform {
public:
    explicit Uniform(std::uint64_t seed) : engine_(seed) {}
    double operator()() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

private:
    std::mt19937_64 engine_;
};

Resampled skewed(std::uint64_t seed, double value, double scale, std::size_t count = 300) {
    Uniform uniform(seed);
    Resampled quantity{value, {}};
    for (std::size_t b = 0; b < count; ++b) quantity.draws.push_back(value + scale * (-std::log(1 - uniform()) - 0.9));
    return quantity;
}

TEST(Simultaneous, AgreesWithTheSlowImplementation) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        std::vector<Resampled> family{skewed(seed, 1, 0.1), skewed(10 * seed, -3, 5), skewed(20 * seed, 0, 1e-3)};
        family.push_back({2, std::vector<double>(300, 2.0)});  // never changes
        Resampled diverging = skewed(30 * seed, 1, 1);
        for (std::size_t b = 0; b < 300; b += 7) diverging.draws[b] = infinity;
        diverging.draws[1] = diverging.draws[2];
        family.push_back(diverging);
        family.push_back({infinity, diverging.draws});
        const double critical = critical_value(family);
        const Real slow = slow_critical(family);
        EXPECT_NEAR(critical, static_cast<double>(slow), 1e-10);
        for (const Resampled& quantity : family) {
            const Interval found = interval_of(quantity, critical), expected = slow_interval(quantity, slow);
            for (const auto& [one, other] :
                 {std::pair{found.low, expected.low}, std::pair{found.high, expected.high}}) {
                if (std::isinf(other))
                    EXPECT_EQ(one, other);
                else
                    EXPECT_NEAR(one, other, 1e-9);
            }
        }
    }
}

TEST(Simultaneous, IsAsWideAsOneIntervalForOneQuantity) {
    Uniform uniform(1);
    Resampled normal{0, {}};
    for (int b = 0; b < 20'000; ++b) normal.draws.push_back(normal_quantile(uniform()));
    EXPECT_NEAR(critical_value(std::vector{normal}), 1.96, 0.04);  // four deviations of the quantile
}

// Of k independent normal quantities the greatest is exceeded with 1 − (2Φ(c) − 1)^k: Šidák.
TEST(Simultaneous, GrowsWithTheFamily) {
    for (const std::size_t count : {3U, 20U}) {
        Uniform uniform(count);
        std::vector<Resampled> family(count, Resampled{0, {}});
        for (Resampled& quantity : family)
            for (int b = 0; b < 20'000; ++b) quantity.draws.push_back(normal_quantile(uniform()));
        const double expected = normal_quantile((1 + std::pow(0.95, 1.0 / static_cast<double>(count))) / 2);
        EXPECT_NEAR(critical_value(family), expected, 0.05);
        // The same quantity many times is one.
        EXPECT_NEAR(critical_value(std::vector<Resampled>(count, family[0])), 1.96, 0.04);
    }
}

TEST(Simultaneous, KnowsWhatNeverChanges) {
    const Resampled constant{3, std::vector<double>(50, 3.0)};
    EXPECT_EQ(critical_value(std::vector{constant}), 0);
    EXPECT_EQ(interval_of(constant, 5).low, 3);
    EXPECT_EQ(interval_of(constant, 5).high, 3);
    const Resampled diverged{infinity, std::vector<double>(50, infinity)};
    EXPECT_EQ(interval_of(diverged, 2).low, infinity);
    EXPECT_EQ(interval_of(diverged, 2).high, infinity);
}

TEST(Simultaneous, CombinesResampleByResample) {
    const Resampled one{1, {1, 2, infinity, infinity}}, other{3, {0.5, 4, 2, infinity}}, third{2, {3, 3, 3, 3}};
    const Resampled* const all[]{&one, &other, &third};
    EXPECT_EQ(difference_of(one, other).value, -2);
    EXPECT_EQ(difference_of(one, other).draws, (std::vector<double>{0.5, -2, infinity, 0}));
    EXPECT_EQ(least_of(all).draws, (std::vector<double>{0.5, 2, 2, 3}));
    EXPECT_EQ(greatest_of(all).draws, (std::vector<double>{3, 4, infinity, infinity}));
    EXPECT_EQ(median_of(all).draws, (std::vector<double>{1, 3, 3, infinity}));
    EXPECT_EQ(mean_of(all).value, 2);
    EXPECT_EQ(difference_of({1, {1}}, {1 + 1e-12, {1 - 1e-12}}).value, 0);
    EXPECT_EQ(difference_of({1, {1}}, {1 + 1e-12, {1 - 1e-12}}).draws[0], 0);
}

TEST(NormalQuantile, IsTheInverse) {
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-11);
    EXPECT_NEAR(normal_quantile(1e-10), -6.361340902404056, 1e-9);
    EXPECT_EQ(normal_quantile(0.5), 0);
    EXPECT_EQ(normal_quantile(0), -infinity);
    EXPECT_EQ(normal_quantile(1), infinity);
}

// ---- a whole claim, from scores of runs to intervals, with the choice of configurations drawn again

constexpr std::size_t instances = 5, runs = 4, resamples = 400, configurations = 6;

struct World {
    std::vector<RunScores> fresh;                // by algorithm
    std::vector<std::vector<double>> selection;  // by algorithm: configurations × instances
};

World made_up(std::uint64_t seed) {
    Uniform uniform(seed);
    World world;
    for (std::size_t a = 0; a < 3; ++a) {
        RunScores& scores = world.fresh.emplace_back(instances, std::vector<double>(runs));
        std::vector<double>& means = world.selection.emplace_back();
        for (std::size_t i = 0; i < instances; ++i)
            for (double& score : scores[i]) score = 1 + 0.2 * static_cast<double>(a) + uniform();
        for (std::size_t k = 0; k < configurations * instances; ++k) means.push_back(1 + uniform());
    }
    return world;
}

std::size_t slow_choice(const std::vector<double>& means, const std::vector<std::size_t>& drawn) {
    std::size_t best = 0;
    Real least = infinity;
    for (std::size_t c = 0; c < configurations; ++c) {
        Real total = 0;
        for (const std::size_t i : drawn) total += means[c * instances + i];
        if (total < least) least = total, best = c;
    }
    return best;
}

Real slow_mean(const std::vector<double>& means, std::size_t configuration) {
    Real sum = 0;
    for (std::size_t i = 0; i < instances; ++i) sum += means[configuration * instances + i];
    return sum / instances;
}

// The logarithm of an algorithm's score, in the resamples of docs/random-numbers.md.
Resampled slow_score(const World& world, std::size_t algorithm, std::uint64_t seed, std::uint32_t address) {
    const std::vector<double>& means = world.selection[algorithm];
    const std::size_t chosen = slow_choice(means, {0, 1, 2, 3, 4});
    Real value = 0;
    for (const std::vector<double>& of_instance : world.fresh[algorithm])
        for (const double score : of_instance) value += Real(score) / (instances * runs);
    Resampled result{static_cast<double>(std::log(value)), {}};
    for (std::size_t b = 0; b < resamples; ++b) {
        RandomStream random(seed, address, static_cast<std::uint32_t>(b), Purpose::bootstrap);
        std::vector<std::size_t> drawn;
        for (std::size_t k = 0; k < instances; ++k) drawn.push_back(random.below(instances));
        Real sum = 0;
        for (const std::size_t i : drawn)
            for (std::size_t r = 0; r < runs; ++r)
                sum += Real(world.fresh[algorithm][i][random.below(runs)]) / (instances * runs);
        sum += slow_mean(means, slow_choice(means, drawn)) - slow_mean(means, chosen);
        result.draws.push_back(static_cast<double>(std::log(sum)));
    }
    return result;
}

Study study_of_three() {
    std::string text;
    for (const std::string id : {"one", "two"})
        text +=
            "[[settings]]\nid = '" + id + "'\ndomain = 'random-mdp'\nmetrics = ['mave']\nsteps = 10\nruns = 4\n" +
            "instances = 5\ngrid = { alpha = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] }\nalgorithms = ['td0', 'gtd', 'htd']\n";
    return study_of(text);
}

TEST(Simultaneous, JudgesAWholeClaimAsTheSlowImplementationDoes) {
    const Study study = study_of_three();
    const std::uint32_t address = 3;
    const World worlds[]{made_up(5), made_up(6)};
    Findings findings{.study = &study};
    for (std::size_t s = 0; s < 2; ++s) {
        MetricFindings& metric = findings.metrics.emplace_back();
        metric.setting = &study.settings[s];
        metric.instances = instances;
        metric.address = metric.selection_address = address;
        metric.initial_error = 5;
        metric.spread.emplace(worlds[s].fresh, study.seed, address, resamples);
        for (std::size_t a = 0; a < 3; ++a) {
            AlgorithmFindings& algorithm = metric.algorithms.emplace_back();
            algorithm.grid = &study.settings[s].algorithms[a];
            algorithm.instance_means = worlds[s].selection[a];
            algorithm.best = slow_choice(worlds[s].selection[a], {0, 1, 2, 3, 4});
            algorithm.choice_costs =
                resample_choice(algorithm.instance_means, instances, algorithm.best, study.seed, address, resamples)
                    .costs;
            algorithm.fresh.emplace().scores = worlds[s].fresh[a];
            algorithm.fresh->estimate.score = std::exp(slow_score(worlds[s], a, study.seed, address).value);
        }
    }
    const Paper paper = parse_paper("paper",
                                    {{"claims.toml",
                                      "[[claims]]\nid = '1'\nstatement = 's'\nsettings = ['one', 'two']\n"
                                      "metric = 'mave'\n"
                                      "[[claims.parts]]\nid = '1a'\nstatement = 't'\nrule = 'r'\n"
                                      "checks = [{ check = 'lower', algorithms = 'td0', others = ['gtd', 'htd'] }]\n"
                                      "[[claims.parts]]\nid = '1b'\nstatement = 't'\nrule = 'r'\n"
                                      "checks = [{ check = 'lowest', algorithms = 'gtd' }]\n"}},
                                    &study);
    const std::vector<Claim> claims = judge_claims(paper, findings, nullptr);

    // In the order of the checks: setting by setting, td0 over gtd and htd; then gtd over the better of the two.
    std::vector<Resampled> family;
    std::vector<std::vector<Resampled>> scores;
    for (const World& world : worlds) {
        scores.emplace_back();
        for (std::size_t a = 0; a < 3; ++a) scores.back().push_back(slow_score(world, a, study.seed, address));
    }
    const auto ratio = [](const Resampled& one, const std::vector<Resampled>& others) {
        Resampled result{one.value, one.draws};
        const auto least = [&](auto value) {
            double found = infinity;
            for (const Resampled& other : others) found = std::min(found, value(other));
            return found;
        };
        result.value -= least([](const Resampled& other) { return other.value; });
        for (std::size_t b = 0; b < resamples; ++b)
            result.draws[b] -= least([&](const Resampled& other) { return other.draws[b]; });
        return result;
    };
    for (const auto& of : scores)
        for (const std::size_t other : {1U, 2U}) family.push_back(ratio(of[0], {of[other]}));
    for (const auto& of : scores) family.push_back(ratio(of[1], {of[0], of[2]}));
    const Real critical = slow_critical(family);

    std::vector<Evidence> found = claims.at(0).parts.at(0).evidence;
    for (const Evidence& one : claims[0].parts.at(1).evidence) found.push_back(one);
    ASSERT_EQ(found.size(), family.size());
    for (std::size_t k = 0; k < family.size(); ++k) {
        const Interval expected = slow_interval(family[k], critical);
        EXPECT_NEAR(found[k].estimate, std::exp(family[k].value), 1e-12);
        EXPECT_NEAR(found[k].interval->low, std::exp(expected.low), 1e-10) << found[k].words;
        EXPECT_NEAR(found[k].interval->high, std::exp(expected.high), 1e-10) << found[k].words;
        EXPECT_EQ(found[k].verdict, expected.high < 0  ? Verdict::held
                                    : expected.low > 0 ? Verdict::not_held
                                                       : Verdict::undecided);
    }
    // Wider than one by one.
    EXPECT_GT(critical, slow_critical({family[0]}));
}

// As far out as doubles go, where the numbers themselves are no closer together than 7e-15.
TEST(Normal, HasItsQuantilesFarOut) {
    for (const double probability : {1e-300, 1e-20, 1e-3, 0.3}) {
        const double at = normal_quantile(probability);
        EXPECT_NEAR(normal_probability(at) / probability, 1, 1e-9) << probability;
    }
}

}  // namespace
}  // namespace bellwether::test
