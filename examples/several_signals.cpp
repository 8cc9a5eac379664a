// Predicting several signals of one stream over several horizons.
//
// A weather station reports sun, cloud or storm every hour. How much rain, and how much wind, is to come in the next
// two hours, in the next ten, in the next fifty? Each question is a learner of its own on the same features: its signal
// is the reward, and its discount γ = 1 − 1/hours sets how far it looks ahead.
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "bellwether/algorithms/to_td.hpp"
#include "bellwether/online.hpp"

namespace {

using bellwether::OneHot;
using PerWeather = std::array<double, 3>;

constexpr std::array names{"sun", "cloud", "storm"};
constexpr std::array<PerWeather, 3> chance_of_next{{{0.8, 0.2, 0.0}, {0.3, 0.5, 0.2}, {0.0, 0.6, 0.4}}};

struct Question {
    const char* signal;
    PerWeather level;  // of the signal, in each weather
    double hours;
    bellwether::Online<bellwether::ToTd<double>> learner{3, {.alpha = 0.002, .lambda = 0.5}};

    double gamma() const { return 1 - 1 / hours; }
};

std::size_t next_weather(std::size_t weather, std::mt19937& random) {
    double u = static_cast<double>(random()) / 4294967296.0;
    std::size_t next = 0;
    while (next < 2 && u >= chance_of_next[weather][next]) u -= chance_of_next[weather][next++];
    return next;
}

// The truth, by iterating v ← P(level + γv) until it stands still: the signal is read in the hour that comes.
PerWeather true_values(const Question& question) {
    PerWeather v{};
    for (int sweep = 0; sweep < 2000; ++sweep) {
        PerWeather updated{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                updated[i] += chance_of_next[i][j] * (question.level[j] + question.gamma() * v[j]);
        v = updated;
    }
    return v;
}

}  // namespace

int main() {
    constexpr PerWeather rain{0, 1, 10}, wind{5, 10, 40};
    std::vector<Question> questions;
    for (const double hours : {2.0, 10.0, 50.0}) {
        questions.push_back({"rain", rain, hours});
        questions.push_back({"wind", wind, hours});
    }

    std::mt19937 random(1);
    std::size_t weather = 0;
    for (int hour = 0; hour < 300'000; ++hour) {
        const std::size_t next = next_weather(weather, random);
        for (Question& question : questions)
            question.learner.step({.x = OneHot{weather},
                                   .reward = question.level[next],
                                   .gamma = question.gamma(),
                                   .x_next = OneHot{next}});
        weather = next;
    }

    double worst = 0;
    for (const Question& question : questions) {
        const PerWeather truth = true_values(question);
        for (std::size_t i = 0; i < 3; ++i) {
            const double prediction = question.learner.predict(OneHot{i});
            std::printf("%s over %2.0f hours after %-5s: predicted %6.1f, true %6.1f\n", question.signal,
                        question.hours, names[i], prediction, truth[i]);
            worst = std::fmax(worst, std::fabs(prediction / truth[i] - 1));
        }
    }
    std::printf("largest error: %.1f%%\n", 100 * worst);
    return worst < 0.1 ? 0 : 1;
}
