// The nearest known name, for error messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            cost[i][j] =
                std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

// "; did you mean 'gtd'?" where a known name is near enough to be a slip of the finger, else "".
template <class Names>
std::string did_you_mean(std::string_view unknown, const Names& known) {
    std::string_view nearest;
    std::size_t least = std::max<std::size_t>(2, unknown.size() / 3) + 1;
    for (const std::string_view name : known) {
        // As many letters as one has more than the other differ at least: a name of a gigabyte is not looked at.
        const std::size_t longer = std::max(unknown.size(), name.size()),
                          shorter = std::min(unknown.size(), name.size());
        if (longer - shorter >= std::min(least, name.size())) continue;
        const std::size_t distance = edit_distance(unknown, name);
        if (distance < least && distance < name.size()) {
            least = distance;
            nearest = name;
        }
    }
    return nearest.empty() ? std::string() : "; did you mean '" + std::string(nearest) + "'?";
}

}  // namespace bellwether
