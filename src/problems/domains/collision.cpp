// The Collision chain: eight states towards a wall, six random binary features, redrawn for every run.
// Ghiassian & Sutton (2021), "An Empirical Comparison of Off-policy Prediction Learning Algorithms on the Collision
// Task".
#include <algorithm>

#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

constexpr std::size_t states = 8, dimension = 6, ones = 3,
                      safe = 4;  // the literature's states 1 to 4 are the safe ones
enum Action : std::size_t { forward, turn };

MdpDescription make(const DomainRequest& request) {
    MdpDescription d = blank_description(request, states, 2);
    d.start.assign(states, 0);
    std::fill_n(d.start.begin(), safe, 1.0 / safe);
    for (std::size_t s = 0; s < states; ++s) {
        if (s + 1 < states) {
            add_outcome(d, s, forward, s + 1, 1, 0, request.value("gamma"));
        } else {
            add_end(d, s, forward, 1, 1);
        }
        add_end(d, s, turn, 1, 0);
    }
    set_policies(
        d, request, [](std::size_t, std::size_t a) { return a == forward ? 1.0 : 0.0; },
        [](std::size_t s, std::size_t a) { return s >= safe      ? 0.5
                                                  : a == forward ? 1.0
                                                                 : 0.0; });

    d.dimension = dimension;
    d.features.assign(states * dimension, 0);
    RandomStream random(request.seed, request.instance, request.run, Purpose::features);
    for (std::size_t s = 0; s < states; ++s)
        for (const std::uint32_t i : draw_distinct(random, dimension, ones)) d.features[s * dimension + i] = 1;
    return d;
}

constexpr DomainParameter parameters[]{{{"gamma", {0, 1}, "discount γ within an episode", 0.9}}};
constexpr std::string_view features[]{"random-binary"};

}  // namespace

const DomainInfo builtin::collision{
    .id = "collision",
    .summary = "the Collision chain: eight states, six random binary features drawn for every run",
    .source = "Ghiassian & Sutton (2021)",
    .parameters = parameters,
    .features = features,
    .has_instances = true,
    .has_runs = true,
    .make = make,
};

}  // namespace bellwether
