// A SharedHorde equals as many learners to the bit.
#include "bellwether/horde.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "bellwether/algorithms/gtd.hpp"
#include "bellwether/algorithms/td.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t dimension = 61, predictions = horde_lanes + 3;

template <template <class, class> class Algorithm>
void expect_equal(double gamma) {
    typename SharedHorde<Algorithm>::Parameters parameters;
    parameters.alpha = 0.01;
    parameters.lambda = 0.8;
    SharedHorde<Algorithm> horde(dimension, predictions, parameters);
    std::vector<Online<Algorithm<double, DenseTraces>>> learners(predictions, {dimension, parameters});
    std::mt19937_64 random(7);
    const auto number = [&] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
    struct Row {
        std::vector<std::uint32_t> indices;
        std::vector<double> values;
    };
    const auto draw = [&] {
        Row row;
        for (std::uint32_t i = 0; i < dimension; ++i)
            if (random() % 5 == 0) {
                row.indices.push_back(i);
                row.values.push_back(number());
            }
        return row;
    };
    std::vector<double> cumulants(predictions);
    Row now = draw();
    for (int t = 0; t < 400; ++t) {
        const Row next = draw();
        for (double& cumulant : cumulants) cumulant = number();
        const Sparse<double> x{now.indices, now.values}, x_next{next.indices, next.values};
        const double g = t % 97 == 96 ? 0 : gamma, rho = 0.2 + 0.3 * (t % 7);
        if (t == 233) {
            horde.start();
            for (auto& learner : learners) learner.start();
        }
        horde.step({.x = x, .gamma = g, .x_next = x_next, .rho = rho}, cumulants);
        for (std::size_t k = 0; k < predictions; ++k) {
            const double before = learners[k].predict(x), after = learners[k].predict(x_next);
            ASSERT_EQ(horde.predictions()[k], before) << t;
            ASSERT_EQ(horde.td_errors()[k], fma(g, after, cumulants[k]) - before) << t;
            learners[k].step({.x = x, .reward = cumulants[k], .gamma = g, .x_next = x_next, .rho = rho});
        }
        now = next;
    }
    for (std::size_t k = 0; k < predictions; ++k) {
        const auto weights = learners[k].weights();
        EXPECT_EQ(horde.weights(k), std::vector<double>(weights.begin(), weights.end()));
    }
}

TEST(SharedHorde, EqualsLearners) {
    for (const double gamma : {0.0, 0.5, 0.99}) {
        expect_equal<Td>(gamma);
        expect_equal<Gtd>(gamma);
    }
}

}  // namespace
}  // namespace bellwether::test
