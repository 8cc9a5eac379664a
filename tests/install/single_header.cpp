// The core in one file, with one algorithm: two steps whose weights are known.
#include "bellwether-single.hpp"

#include <cstdio>
#include <vector>

int main() {
    bellwether::Online<bellwether::Gtd<double>> learner(2, {.alpha = 0.5, .eta = 1, .lambda = 0.9});
    const std::vector<double> first{1, 0}, second{0, 1};
    learner.step({.x = {first}, .reward = 0, .gamma = 0.9, .x_next = {second}, .rho = 1});
    learner.step({.x = {second}, .reward = 1, .gamma = 0, .x_next = {second}, .rho = 1});
    std::printf("%g %g\n", learner.weights()[0], learner.weights()[1]);
    return learner.weights()[0] == 0.405 && learner.weights()[1] == 0.5 ? 0 : 1;  // as in README.md
}
