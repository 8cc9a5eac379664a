// Fixed parts of a study, to be run apart and merged.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/study.hpp"
#include "plan/unit.hpp"

namespace bellwether {

struct Shard {
    std::size_t number, count;  // counted from 1

    std::string text() const;  // "3/16"
    friend bool operator==(const Shard&, const Shard&) = default;
};

inline constexpr std::size_t most_shards = 100'000;
std::optional<Shard> parse_shard(std::string_view text);

// Which shard a unit belongs to. The grids alone decide: not the instances or runs, which may grow. Every shard has as
// many units as any other, give or take one, and gets its part of every algorithm.
class Sharding {
public:
    Sharding(const Study& study, std::size_t count);

    bool has(const Shard& shard, const Unit& unit) const { return number(unit) == shard.number; }
    std::size_t number(const Unit& unit) const;

private:
    std::size_t count_;
    std::size_t blocks_ = 0;                               // units of an instance of every setting
    std::vector<std::size_t> first_block_;                 // of each setting
    std::vector<std::vector<std::size_t>> blocks_before_;  // of the setting, by algorithm
};

}  // namespace bellwether
