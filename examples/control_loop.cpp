// A robot's control loop that learns while it drives.
//
// A rover circles a hilly track and explores: it throttles or coasts by the toss of a coin. From that it learns, twenty
// times a second, a prediction about another way of driving: how much energy would the battery give over the next
// half second (γ = 0.9) if it throttled three times out of four? Importance weights and GTD(λ) make the one out of the
// other. The loop allocates nothing and every turn of it takes the same time: memory is reserved before it starts.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "bellwether/algorithms/gtd.hpp"
#include "bellwether/online.hpp"
#include "bellwether/tile_coding.hpp"

namespace {

constexpr float gamma_per_tick = 0.9F;
constexpr double behaviour_throttles = 0.5, target_throttles = 0.75;

// In place of hardware.
class Rover {
public:
    Rover(double place, double speed) : place_(place), speed_(speed) {}

    // What the sensors say: the place on the track in laps, the speed in fractions of its maximum.
    std::array<double, 2> sensors() const { return {place_, speed_}; }

    // Drives for one tick and returns the energy it took.
    double drive(bool throttle) {
        const double slope = std::sin(2 * std::numbers::pi * place_);
        speed_ = std::clamp(speed_ + (throttle ? 0.1 : -0.1) - 0.03 * slope, 0.0, 1.0);
        place_ += 0.02 * speed_;
        place_ -= std::floor(place_);
        return 0.2 + (throttle ? 1 + speed_ : 0);
    }

private:
    double place_, speed_;
};

double uniform(std::mt19937& random) {
    return static_cast<double>(random()) / 4294967296.0;
}

// The truth: the mean discounted energy of many drives in the target's way from one state.
double energy_by_simulation(double place, double speed, std::mt19937& random) {
    double total = 0;
    for (int drive = 0; drive < 2000; ++drive) {
        Rover rover(place, speed);
        double discount = 1;
        for (int tick = 0; tick < 100; ++tick) {
            total += discount * rover.drive(uniform(random) < target_throttles);
            discount *= gamma_per_tick;
        }
    }
    return total / 2000;
}

}  // namespace

int main() {
    auto coder = bellwether::make_tile_coder({{.lower = 0, .upper = 1, .tiles = 4, .wraps = true},  // place
                                              {.lower = 0, .upper = 1, .tiles = 6}},                // speed
                                             {.tilings = 8, .bias = true});
    if (!coder) return std::fprintf(stderr, "%s\n", coder.error().c_str()), 2;
    bellwether::SparseBuffer<float> x = coder->buffer<float>(), x_next = coder->buffer<float>();
    bellwether::Online<bellwether::Gtd<float>> learner(coder->size(), {.alpha = 0.003F, .eta = 0.1F, .lambda = 0.5F});

    std::mt19937 random(1);
    Rover rover(0, 0);
    coder->encode(rover.sensors(), x);
    for (int tick = 1; tick <= 600'000; ++tick) {
        // On a real rover the loop waits here for its next turn.
        const bool throttle = uniform(random) < behaviour_throttles;
        const double energy = rover.drive(throttle);
        coder->encode(rover.sensors(), x_next);
        learner.step({.x = x.view(),
                      .reward = static_cast<float>(energy),
                      .gamma = gamma_per_tick,
                      .x_next = x_next.view(),
                      .rho = static_cast<float>(throttle ? target_throttles / behaviour_throttles
                                                         : (1 - target_throttles) / (1 - behaviour_throttles))});
        std::swap(x, x_next);

        if (tick % 20 == 0 && learner.diverged()) {
            std::fprintf(stderr, "the prediction has diverged: switching it off\n");
            return 1;
        }
        // Now and then somebody carries the rover elsewhere. The drive had no end, we only stopped watching: the last
        // step has counted on what was to come, and the next one starts a new segment.
        if (tick % 5000 == 0) {
            const double place = uniform(random), speed = uniform(random);
            rover = Rover(place, speed);
            coder->encode(rover.sensors(), x);
            learner.start();
        }
    }

    double worst = 0;
    for (const double place : {0.0, 0.25, 0.5, 0.75}) {
        for (const double speed : {0.1, 0.5, 0.9}) {
            const double truth = energy_by_simulation(place, speed, random);
            const double prediction = learner.predict(coder->encode(std::array{place, speed}, x));
            std::printf("at %.2f laps with speed %.1f: predicted %5.2f, true %5.2f\n", place, speed, prediction, truth);
            worst = std::fmax(worst, std::fabs(prediction / truth - 1));
        }
    }
    std::printf("largest error: %.1f%%\n", 100 * worst);
    return worst < 0.1 ? 0 : 1;
}
