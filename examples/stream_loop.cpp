// Learning from a stream with an algorithm chosen by name.
//
// The stream is a walk over five places, left or right by the toss of a coin. Falling off the right end pays 1, off the
// left end 0, and either one puts the walker back in the middle. The value of place i is its chance of ending on the
// right, i/6.
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "bellwether/bellwether.hpp"

int main() {
    constexpr std::size_t places = 5;
    auto learner = bellwether::make_learner("to-td", places, {{"alpha", 0.003}, {"lambda", 0.8}});
    if (!learner) return std::fprintf(stderr, "%s\n", learner.error().c_str()), 2;

    std::mt19937 coin(1);
    std::size_t place = 2;
    for (int step = 0; step < 200'000; ++step) {
        const bool right = (coin() >> 31) != 0;
        const bool falls = place == (right ? places - 1 : 0);
        const std::size_t next = falls ? 2 : right ? place + 1 : place - 1;
        learner->step({.x = bellwether::OneHot{place},
                       .reward = falls && right ? 1.0 : 0.0,
                       .gamma = falls ? 0.0 : 1.0,  // 0 ends an episode; nothing else is to be done about it
                       .x_next = bellwether::OneHot{next}});
        place = next;
    }

    double worst = 0;
    for (std::size_t i = 0; i < places; ++i) {
        const double truth = static_cast<double>(i + 1) / 6;
        const double prediction = learner->predict(bellwether::OneHot{i});
        std::printf("place %zu: predicted %.3f, true %.3f\n", i, prediction, truth);
        worst = std::fmax(worst, std::fabs(prediction - truth));
    }
    return worst < 0.05 ? 0 : 1;
}
