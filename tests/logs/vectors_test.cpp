// Sums over long vectors, to the bit: whatever the blocks and the instructions, the order is that of the equation.
#include "logs/vectors.hpp"

#include <gtest/gtest.h>

#include <random>

namespace bellwether::test {
namespace {

class Vectors : public testing::Test {
protected:
    template <class Numbers = std::vector<double>>
    Numbers drawn(std::size_t count) {
        Numbers numbers(count);
        for (double& number : numbers) number = normal_(random_);
        return numbers;
    }

private:
    std::mt19937_64 random_{1};
    std::normal_distribution<double> normal_;
};

TEST_F(Vectors, ProductsAreAddedInTheOrderOfTheirDepth) {
    for (std::size_t rows = 1; rows <= 42; ++rows)
        for (std::size_t columns = 1; columns <= 14; ++columns)
            for (const std::size_t depth : {0, 1, 2, 17}) {
                const auto z = drawn<AlignedNumbers>(depth * padded(rows));
                const std::vector<double> y = drawn(columns * depth), before = drawn(rows * columns);
                std::vector<double> expected = before, sums = before, sums_by_row = before;
                for (std::size_t c = 0; c < columns; ++c)
                    for (std::size_t r = 0; r < rows; ++r)
                        for (std::size_t k = 0; k < depth; ++k)
                            expected[c * rows + r] += z[k * padded(rows) + r] * y[k * columns + c];
                add_products(z.data(), {y.data(), 1, columns}, depth, sums.data(), rows, rows, columns);
                std::vector<const double*> rows_of_y;
                for (std::size_t k = 0; k < depth; ++k) rows_of_y.push_back(&y[k * columns]);
                add_products(z.data(), {nullptr, 1, 0, rows_of_y.data()}, depth, sums_by_row.data(), rows, rows,
                             columns);
                ASSERT_EQ(sums, expected) << rows << " rows, " << columns << " columns, depth " << depth;
                ASSERT_EQ(sums_by_row, expected) << rows << " rows, " << columns << " columns, depth " << depth;
            }
}

TEST_F(Vectors, OuterProductsOfDenseAndOfSparseFactorsAreTheSameSums) {
    constexpr std::size_t rows = 11, columns = 9, steps = 50;
    std::vector<double> sums(rows * columns), expected = sums;
    std::vector<std::vector<double>> factors;
    {
        OuterProducts products(rows, columns, sums.data());
        for (std::size_t t = 0; t < steps; ++t) {
            const std::vector<double> z = drawn(rows);
            std::vector<double>& y = factors.emplace_back(drawn(columns));
            if (t >= steps / 2) std::fill(y.begin() + 1, y.end(), 0.0);
            if (t == steps / 2) products.flush();  // what waits would be added after the sparse ones
            std::copy(z.begin(), z.end(), products.z().begin());
            products.add(y);
            for (std::size_t c = 0; c < columns; ++c)
                for (std::size_t r = 0; r < rows; ++r) expected[c * rows + r] += z[r] * y[c];
        }
        products.flush();
    }
    EXPECT_EQ(sums, expected);
}

TEST_F(Vectors, ErrorsRunFromTheLastStepToTheFirst) {
    constexpr std::size_t steps = 7, blocks = 3;
    const std::vector<double> q = drawn(steps * blocks * lanes), shares = drawn(steps * blocks);
    std::vector<double> v = drawn(lanes), g = drawn(lanes), expected_v = v, expected_g = g;
    std::vector<ErrorStep> own(steps);
    for (std::size_t t = 0; t < steps; ++t) {
        const std::vector<double> numbers = drawn(4);
        own[t] = {numbers[0], numbers[1], numbers[2], numbers[3], t % blocks};
    }
    std::vector<double> errors(steps * lanes), values = errors, expected_errors = errors, expected_values = errors;
    for (std::size_t t = steps; t-- > 0;)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const auto q_of = [&](std::size_t block) { return q[(t * blocks + block) * lanes + lane]; };
            expected_g[lane] = own[t].weight * (own[t].reward + own[t].gamma * expected_v[lane] - q_of(own[t].block)) +
                               own[t].decay * expected_g[lane];
            expected_v[lane] = 0;
            for (std::size_t a = 0; a < blocks; ++a) expected_v[lane] += shares[t * blocks + a] * q_of(a);
            expected_errors[t * lanes + lane] = expected_g[lane];
            expected_values[t * lanes + lane] = expected_v[lane];
        }
    set_errors(own, q.data(), blocks, shares.data(), v.data(), g.data(), errors.data(), values.data());
    EXPECT_EQ(errors, expected_errors);
    EXPECT_EQ(values, expected_values);
    EXPECT_EQ(v, expected_v);
    EXPECT_EQ(g, expected_g);
}

}  // namespace
}  // namespace bellwether::test
