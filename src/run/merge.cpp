#include "run/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "plan/shard.hpp"
#include "plan/stored_scores.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::size_t units_of_transaction = 64;

// A sum that has left the doubles is as good as another.
bool same(double one, double other) {
    return one == other || (std::isnan(one) && std::isnan(other));
}
bool is_same(const ScoreSummary& one, const ScoreSummary& other) {
    return std::tuple(one.runs, one.diverged, one.worse) == std::tuple(other.runs, other.diverged, other.worse) &&
           same(one.mean, other.mean) && same(one.m2, other.m2);
}

// Score by score the one with more runs.
class Joined {
public:
    Joined(const Unit& unit, std::size_t scores, std::vector<ScoreSummary> stored)
        : unit_(unit), scores_(scores), summaries_(std::move(stored)) {}

    // Whether it has grown.
    bool add(const std::vector<ScoreSummary>& others, const Setting& setting, const std::string& name) {
        bool grown = false;
        for (std::size_t m = 0; m < scores_; ++m) {
            const auto first = static_cast<std::ptrdiff_t>(m * unit_.count), count = std::ptrdiff_t{unit_.count};
            const auto mine = summaries_.begin() + first;
            const auto other = others.begin() + first;
            if (mine->runs > other->runs) continue;
            if (mine->runs < other->runs) {
                std::copy_n(other, count, mine);
                grown = true;
            } else if (!std::equal(mine, mine + count, other, is_same)) {
                throw WorkError(
                    fmt::format("{}: other results than elsewhere for the same runs of {} in setting '{}', instance "
                                "{}: one of the machines is not to be trusted",
                                name, setting.algorithms[unit_.algorithm].info->id, setting.id, unit_.instance));
            }
        }
        return grown;
    }

    UnitResult result(std::uint64_t runs) && { return {key_of(unit_), unit_.count, runs, std::move(summaries_)}; }

private:
    Unit unit_;
    std::size_t scores_;
    std::vector<ScoreSummary> summaries_;
};

std::map<UnitKey, std::uint64_t> runs_of_units(const Store& store) {
    std::map<UnitKey, std::uint64_t> runs;
    for (const Store::UnitProgress& unit : store.units()) runs[unit.key] = unit.runs;
    return runs;
}

std::vector<ScoreSummary> summaries_of(const Store& store, const Study& study, const Unit& unit) {
    return store.summaries(unit.setting, unit.instance, unit.first_configuration, unit.count,
                           stored_scores(study.settings[unit.setting]));
}

}  // namespace

std::vector<Extent> extents_of_all(const Study& study, std::span<const Store> stores) {
    std::vector<Extent> all = extents_of(study);
    for (Extent& extent : all) extent.instances = extent.runs = 0;
    for (const Store& store : stores)
        for (const Extent& extent : store.extents()) {
            Extent& joined = all.at(extent.setting);
            joined.instances = std::max(joined.instances, extent.instances);
            joined.runs = std::max(joined.runs, extent.runs);
        }
    return all;
}

std::size_t add_results(const Study& study, const Store& from, const std::string& name_of_from, Store& to) {
    const std::map<UnitKey, std::uint64_t> there = runs_of_units(from), here = runs_of_units(to);
    std::vector<UnitResult> results;
    std::size_t added = 0;
    const auto write = [&] {
        to.write(results);
        added += results.size();
        results.clear();
    };
    for (const Unit& unit : plan_units(study)) {
        const auto other = there.find(key_of(unit));
        if (other == there.end()) continue;
        const auto mine = here.find(key_of(unit));
        const Setting& setting = study.settings[unit.setting];
        Joined joined(unit, stored_scores(setting), summaries_of(to, study, unit));
        if (!joined.add(summaries_of(from, study, unit), setting, name_of_from)) continue;
        const std::uint64_t runs_here = mine == here.end() ? 0 : mine->second;
        results.push_back(std::move(joined).result(std::max(runs_here, other->second)));
        if (results.size() == units_of_transaction) write();
    }
    write();
    return added;
}

MissingShards missing_shards(const Study& study, const Store& store, std::size_t shards) {
    const Sharding sharding(study, shards);
    std::vector<std::size_t> units(shards), untouched(shards), pending(shards);
    for (const Unit& unit : plan_units(study)) ++units[sharding.number(unit) - 1];
    for (const PendingUnit& p : pending_units(study, &store, all_settings(study))) {
        const std::size_t shard = sharding.number(p.unit) - 1;
        ++pending[shard];
        untouched[shard] += p.is_new;
    }
    MissingShards missing;
    for (std::size_t k = 0; k < shards; ++k) {
        if (pending[k] == 0) continue;
        (untouched[k] == units[k] ? missing.whole : missing.in_part).push_back(k + 1);
    }
    return missing;
}

}  // namespace bellwether
