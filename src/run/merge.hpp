// Results of the shards of a study, joined in one store.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "plan/study.hpp"
#include "store/store.hpp"

namespace bellwether {

// The sizes that cover what was asked of any of the stores.
std::vector<Extent> extents_of_all(const Study& study, std::span<const Store> stores);

// Adds to a store what another one has more of. The units are those of `study`, which has the sizes of all. WorkError
// where both have the same runs with other results. The number of units that were added or have grown.
std::size_t add_results(const Study& study, const Store& from, const std::string& name_of_from, Store& to);

// Numbers of the shards whose units are not in a store, or not all of them.
struct MissingShards {
    std::vector<std::size_t> whole, in_part;
};
MissingShards missing_shards(const Study& study, const Store& store, std::size_t shards);

}  // namespace bellwether
