// The 1000-state random walk: 100 states to either side alike, what lies beyond an end is that end.
// Sutton & Barto (2018), examples 9.1 and 9.2, figures 9.1, 9.2 and 9.10.
#include <fmt/format.h>

#include <algorithm>

#include "problems/domains/description.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::size_t states = 1000, reach = 100, start = 500;  // the literature's state n is state n − 1 here

void add_transitions(MdpDescription& d, double gamma) {
    constexpr double share = 1.0 / (2 * reach);
    for (std::size_t s = 0; s < states; ++s) {
        // Of the `reach` states on either side those that are not there.
        const std::size_t left = std::min(s, reach), right = std::min(states - 1 - s, reach);
        if (left < reach) add_end(d, s, 0, static_cast<double>(reach - left) * share, -1);
        for (std::size_t next = s - left; next <= s + right; ++next)
            if (next != s) add_outcome(d, s, 0, next, share, 0, gamma);
        if (right < reach) add_end(d, s, 0, static_cast<double>(reach - right) * share, 1);
    }
}

void set_groups(MdpDescription& d, std::size_t groups) {
    if (states % groups != 0)
        throw UsageError(fmt::format("walk1000: groups = {} does not divide {} states", groups, states));
    set_features(d, groups, [&](std::size_t s, std::size_t i) { return s / (states / groups) == i ? 1.0 : 0.0; });
}

// Tiling i has its tiles moved by i times the offset, against the numbers of the states: tile ⌊(n + width − 1 −
// i·offset)/width⌋ of state n. What lies before its first whole tile is a tile too.
void set_tilings(MdpDescription& d, std::size_t tilings, std::size_t width, std::size_t offset) {
    if (states % width != 0)
        throw UsageError(fmt::format("walk1000: width = {} does not divide {} states", width, states));
    if ((tilings - 1) * offset >= width)
        throw UsageError(
            fmt::format("walk1000: {} tilings at offsets of {} are not within a width of {}", tilings, offset, width));
    const std::size_t tiles = states / width + 1;
    set_features(d, tilings * tiles, [&](std::size_t s, std::size_t i) {
        return (s + width - i / tiles * offset) / width == i % tiles ? 1.0 : 0.0;
    });
}

MdpDescription make(const DomainRequest& request) {
    MdpDescription d = blank_description(request, states, 1);
    start_in(d, start - 1);
    add_transitions(d, request.value("gamma"));
    const auto only_action = [](std::size_t, std::size_t) { return 1.0; };
    set_policies(d, request, only_action, only_action);
    if (request.features == "groups") {
        set_groups(d, request.count("groups"));
    } else {
        set_tilings(d, request.count("tilings"), request.count("width"), request.count("offset"));
    }
    return d;
}

constexpr bool whole = true;
constexpr DomainParameter parameters[]{
    {{"gamma", {0, 1}, "discount γ within an episode", 1}},
    {{"groups", {1, states}, "groups of neighbouring states, with features of groups", 10}, whole},
    {{"tilings", {1, states}, "tilings, with tiled features", 50}, whole},
    {{"width", {1, states}, "states that a tile has, with tiled features", 200}, whole},
    {{"offset", {0, states}, "states that a tiling is moved by against the one before", 4}, whole},
};
constexpr std::string_view features[]{"groups", "tilings"};

}  // namespace

const DomainInfo builtin::walk1000{
    .id = "walk1000",
    .summary = "the 1000-state random walk, 100 states to either side alike, with groups of states or tilings",
    .source = "Sutton & Barto (2018), example 9.1",
    .parameters = parameters,
    .features = features,
    .make = make,
};

}  // namespace bellwether
