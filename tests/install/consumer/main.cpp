// What a user of the installed headers writes: the static learner, feature makers, and a learner by name.
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "bellwether/bellwether.hpp"
#include "bellwether/fourier.hpp"
#include "bellwether/tile_coding.hpp"

int main() {
    auto coder = bellwether::make_tile_coder({{.lower = 0, .upper = 1, .tiles = 4}}, {.tilings = 2});
    auto basis = bellwether::make_fourier_basis({{.lower = 0, .upper = 1}}, {.order = 2});
    if (!coder || !basis) return 1;
    bellwether::SparseBuffer<double> x = coder->buffer();
    std::vector<double> y(basis->size());
    coder->encode(std::array{0.4}, x);
    basis->encode(std::array{0.4}, y);

    // A constant reward of 1 under γ = 0.5 is worth 2, whatever the features and the algorithm.
    bellwether::Online<bellwether::Gtd<double>> tiled(coder->size(), {.alpha = 0.1, .lambda = 0.5});
    auto named = bellwether::make_learner("to-td", basis->size(), {{"alpha", 0.1}, {"lambda", 0.5}});
    if (!named) return 1;
    for (int step = 0; step < 1000; ++step) {
        tiled.step(bellwether::Transition<bellwether::Sparse<double>>{
            .x = x.view(), .reward = 1, .gamma = 0.5, .x_next = x.view()});
        named->step({.x = bellwether::Dense<double>{y}, .reward = 1, .gamma = 0.5, .x_next = {y}});
    }
    const double first = tiled.predict(x.view()), second = named->predict(bellwether::Dense<double>{y});
    std::printf("%.6f %.6f\n", first, second);
    return std::fabs(first - 2) < 1e-6 && std::fabs(second - 2) < 1e-6 ? 0 : 1;
}
