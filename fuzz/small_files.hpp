// A study and a model, for targets whose files are read beside them.
#pragma once

#include <string_view>

namespace bellwether::fuzz {

inline constexpr std::string_view small_study = R"(
name = "small"
seed = 1

[grids.some]
alpha = [0.1, 0.5]
lambda = [0, 0.9]

[[settings]]
id = "walk"
domain = "walk5"
policy = "off"
steps = 40
runs = 3
metrics = ["rmsve"]
grid = "some"
algorithms = ["td0", "gtd"]

[[settings]]
id = "random"
domain = "random-mdp"
parameters = { states = 6 }
features = "binary"
steps = 30
instances = 2
runs = 2
fresh-runs = 1
metrics = ["mave"]
grid = "some"
algorithms = ["ptd", "gtd"]
)";

inline constexpr std::string_view small_model = R"(
states = 2
discount = 0.9
transitions = [
  { state = 0, next = 1, probability = 1.0, reward = 1 },
  { state = 1, next = 0, probability = 1.0 },
]
)";

}  // namespace bellwether::fuzz
