// What two steps teach: the worth of the first state is what follows it, discounted.
#include <bellwether/bellwether.hpp>

#include <cstdio>
#include <vector>

int main() {
    bellwether::Online<bellwether::Td<double>> learner(2, {.alpha = 0.5});
    const std::vector<double> first{1, 0}, second{0, 1};
    for (int episode = 0; episode < 100; ++episode) {
        learner.step({.x = {first}, .reward = 0, .gamma = 0.9, .x_next = {second}});
        learner.step({.x = {second}, .reward = 1, .gamma = 0, .x_next = {second}});
    }
    std::printf("%.3f %.3f\n", learner.predict({first}), learner.predict({second}));  // 0.900 1.000
}
