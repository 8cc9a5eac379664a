// A SharedHorde equals as many learners to the bit.
#include "bellwether/horde.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "bellwether/algorithms/gtd.hpp"
#include "bellwether/algorithms/td.hpp"
#include "bellwether/algorithms/tdc_mp.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t predictions = horde_lanes + 3;

struct Row {
    Sparse<double> view() const { return {indices, values}; }
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
};
// Rows in which every fifth feature is there.
class Rows {
public:
    explicit Rows(std::size_t dimension) : dimension_(dimension) {}
    double number() { return static_cast<double>(random_() >> 11) * 0x1p-52 - 1; }
    Row draw() {
        Row row;
        for (std::uint32_t i = 0; i < dimension_; ++i)
            if (random_() % 5 == 0) {
                row.indices.push_back(i);
                row.values.push_back(number());
            }
        return row;
    }

private:
    std::size_t dimension_;
    std::mt19937_64 random_{7};
};

template <template <class, class> class Algorithm>
void expect_equal(std::size_t dimension, double gamma) {
    typename SharedHorde<Algorithm>::Parameters parameters;
    parameters.alpha = 0.01;
    parameters.lambda = 0.8;
    SharedHorde<Algorithm> horde(dimension, predictions, parameters);
    std::vector<Online<Algorithm<double, DenseTraces>>> learners(predictions, {dimension, parameters});
    Rows rows(dimension);
    std::vector<double> cumulants(predictions);
    Row now = rows.draw();
    for (int t = 0; t < 400; ++t) {
        const Row next = rows.draw();
        for (double& cumulant : cumulants) cumulant = rows.number();
        const Sparse<double> x = now.view(), x_next = next.view();
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
        expect_equal<Td>(61, gamma);
        expect_equal<Gtd>(61, gamma);
    }
    expect_equal<Gtd>(150, 0.9);  // more than a word of rows
    expect_equal<TdcMp>(61, 0.9);
}

// The state of a prediction is that of a learner, whose features may have been dense before, and goes on as it does.
template <template <class, class> class Algorithm>
void expect_restored(std::size_t dimension) {
    using OnePack = PredictionPack<Algorithm, Pack<double, horde_lanes>>;
    typename SharedHorde<Algorithm>::Parameters parameters;
    parameters.alpha = 0.01;
    parameters.lambda = 0.8;
    typename OnePack::Parameters wide;
    const auto declared = parameters.declare();
    for (std::size_t p = 0; p < declared.size(); ++p)
        wide.*wide.declare()[p].field = Pack<double, horde_lanes>(parameters.*declared[p].field);
    Rows rows(dimension);
    for (const bool dense : {true, false}) {
        std::vector<Online<Algorithm<double, DenseTraces>>> learners(horde_lanes, {dimension, parameters});
        OnePack first(dimension, wide), second(dimension, wide);
        Row now = rows.draw();
        Pack<double, horde_lanes> cumulants;
        for (int t = 0; t < 60; ++t) {
            const Row next = rows.draw();
            const Sparse<double> x = now.view(), x_next = next.view();
            for (std::size_t k = 0; k < horde_lanes; ++k) cumulants.set(k, rows.number());
            if (t == 20)
                for (std::size_t k = 0; k < horde_lanes; ++k) {
                    std::vector<std::byte> body(learners[k].body_size());
                    learners[k].save_body(body.data());
                    first.restore_body(k, body);
                }
            if (t == 20) first.restored();
            if (t == 40)
                for (std::size_t k = 0; k < horde_lanes; ++k) {
                    std::vector<std::byte> body(learners[k].body_size());
                    ASSERT_EQ(first.write_body(k, body.data()), body.size());
                    second.restore_body(k, body);
                }
            if (t == 40) second.restored();
            for (std::size_t k = 0; k < horde_lanes; ++k) {
                if (dense && t < 20) {
                    std::vector<double> values(dimension), values_next(dimension);
                    for (std::size_t j = 0; j < now.indices.size(); ++j) values[now.indices[j]] = now.values[j];
                    for (std::size_t j = 0; j < next.indices.size(); ++j) values_next[next.indices[j]] = next.values[j];
                    learners[k].step(Transition<Dense<double>, double>{
                        .x = {values}, .reward = cumulants[k], .gamma = 0.9, .x_next = {values_next}, .rho = 0.7});
                } else {
                    learners[k].step({.x = x, .reward = cumulants[k], .gamma = 0.9, .x_next = x_next, .rho = 0.7});
                }
            }
            for (OnePack* pack : {&first, &second}) {
                if (t < (pack == &first ? 20 : 40)) continue;
                pack->predict(x, x_next);
                pack->step({.x = x, .gamma = 0.9, .x_next = x_next, .rho = 0.7}, cumulants);
                for (std::size_t k = 0; k < horde_lanes; ++k)
                    for (std::size_t i = 0; i < dimension; ++i)
                        ASSERT_EQ(pack->weight(i)[k], learners[k].weights()[i]) << t;
            }
            now = next;
        }
    }
}

TEST(SharedHorde, GoesOnFromTheStatesOfLearners) {
    expect_restored<Td>(61);
    expect_restored<Gtd>(61);
    expect_restored<TdcMp>(61);
}

// Weights that move in some learners and rest in others: a segment that starts at once finds each as it was.
TEST(SharedHorde, GoesOnFromLearnersOfWhichSomeRest) {
    using OnePack = PredictionPack<Gtd, Pack<double, horde_lanes>>;
    constexpr std::size_t dimension = 61;
    const Gtd<double, DenseTraces>::Parameters parameters{.alpha = 0.01, .eta = 1, .lambda = 0.8};
    OnePack::Parameters wide;
    wide.alpha = 0.01;
    wide.eta = 1;
    wide.lambda = 0.8;
    std::vector<Online<Gtd<double, DenseTraces>>> learners(horde_lanes, {dimension, parameters});
    OnePack pack(dimension, wide);
    Rows rows(dimension);
    Row now = rows.draw();
    Pack<double, horde_lanes> cumulants;
    for (int t = 0; t < 60; ++t) {
        const Row next = rows.draw();
        const Sparse<double> x = now.view(), x_next = next.view();
        for (std::size_t k = 0; k < horde_lanes; ++k) cumulants.set(k, rows.number());
        if (t == 20) {
            auto& last = learners.back();
            const auto weights = last.weights();
            last.set_weights(std::vector<double>(weights.begin(), weights.end()));  // it comes to rest
            for (std::size_t k = 0; k < horde_lanes; ++k) {
                std::vector<std::byte> body(learners[k].body_size());
                learners[k].save_body(body.data());
                pack.restore_body(k, body);
            }
            pack.restored();
            pack.start();
            for (auto& learner : learners) learner.start();
        }
        for (std::size_t k = 0; k < horde_lanes; ++k)
            learners[k].step({.x = x, .reward = cumulants[k], .gamma = 0.9, .x_next = x_next, .rho = 0.7});
        if (t >= 20) {
            pack.predict(x, x_next);
            pack.step({.x = x, .gamma = 0.9, .x_next = x_next, .rho = 0.7}, cumulants);
            for (std::size_t k = 0; k < horde_lanes; ++k)
                for (std::size_t i = 0; i < dimension; ++i) ASSERT_EQ(pack.weight(i)[k], learners[k].weights()[i]) << t;
        }
        now = next;
    }
}

// Registers are loaded whole from it.
TEST(ZeroMemory, BeginsWhereACacheLineDoes) {
    for (std::size_t bytes = 0; bytes < 2000; bytes += 37) {
        const ZeroMemory memory(bytes);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0U) << bytes;
    }
}

}  // namespace
}  // namespace bellwether::test
