#include "plan/shard.hpp"

#include <fmt/format.h>

#include "support/number.hpp"

namespace bellwether {

std::string Shard::text() const {
    return fmt::format("{}/{}", number, count);
}

std::optional<Shard> parse_shard(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    const auto number = parse_count(text.substr(0, slash)), count = parse_count(text.substr(slash + 1));
    if (!number || !count || *number < 1 || *number > *count || *count > most_shards) return std::nullopt;
    return Shard{*number, *count};
}

Sharding::Sharding(const Study& study, std::size_t count) : count_(count) {
    for (const Setting& setting : study.settings) {
        first_block_.push_back(blocks_);
        std::vector<std::size_t>& before = blocks_before_.emplace_back();
        std::size_t of_setting = 0;
        for (const AlgorithmGrid& grid : setting.algorithms) {
            before.push_back(of_setting);
            of_setting += units_of(grid.configurations());
        }
        blocks_ += of_setting;
    }
}

// Units are dealt round by round; each round begins one place further on, so that no shard gets the same algorithms in
// every instance.
std::size_t Sharding::number(const Unit& unit) const {
    const std::size_t block = first_block_[unit.setting] + blocks_before_[unit.setting][unit.algorithm] +
                              unit.first / most_configurations_of_unit;
    const std::size_t index = std::size_t{unit.instance} * blocks_ + block;
    return (index + index / count_) % count_ + 1;
}

}  // namespace bellwether
