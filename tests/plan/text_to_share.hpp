// A study of some dozen units and recordings, for tests that have several do it.
#pragma once

#include <string>

namespace bellwether::test {

inline const std::string collision_setting =
    "[[settings]]\n"
    "id = 'collision'\n"
    "domain = 'collision'\n"
    "episodes = 16\n"
    "measure = 'episode'\n"
    "score = [1, 0.25]\n"
    "step-size = 'adagrad'\n"
    "instances = 2\n"
    "runs = 4\n"
    "fresh-runs = 3\n"
    "metrics = { rmsve = 4, mspbe = 2 }\n"
    "algorithms = ['off-policy-td']\n"
    "[[settings.for.off-policy-td]]\n"
    "alpha = [0.05, 0.5]\n"
    "lambda = 0\n"
    "[[settings.for.off-policy-td]]\n"
    "alpha = [0.02, 0.05]\n"
    "lambda = 0.9\n";

// With units enough for several to share.
inline const std::string text_to_share =
    "name = 'shared'\n"
    "seed = 3\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 8 }\n"
    "steps = 50\n"
    "instances = 4\n"
    "runs = 4\n"
    "metrics = ['mave', 'rmspbe']\n"
    "grid = { alpha = { base = 0.1, factor = 2, from = -5, to = 8 }, lambda = [0, 0.5, 0.9, 1], eta = { base = 1, "
    "factor = 2, from = -5, to = 6 } }\n"
    "algorithms = ['td0', 'gtd', 'to-etd']\n" +
    collision_setting;

}  // namespace bellwether::test
