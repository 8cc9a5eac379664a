#include "analysis/pending_units.hpp"

#include <algorithm>
#include <set>

#include "analysis/stored_study.hpp"

namespace bellwether {

namespace {

// Of each metric. Every configuration of a unit has the same runs.
std::vector<std::uint64_t> stored_runs(const Store& store, const Unit& unit, std::size_t metrics) {
    std::vector<std::uint64_t> runs;
    for (const ScoreSummary& first :
         store.summaries(unit.setting, unit.instance, unit.first_configuration, 1, static_cast<std::uint32_t>(metrics)))
        runs.push_back(first.runs);
    return runs;
}

}  // namespace

std::vector<PendingUnit> pending_units(const Study& study, const Store* store, const std::vector<std::size_t>& settings,
                                       std::optional<Shard> shard) {
    const Sharding sharding(study, shard ? shard->count : 1);
    std::set<UnitKey> known;
    if (store)
        for (const Store::UnitProgress& unit : store->units()) known.insert(unit.key);
    std::vector<PendingUnit> pending;
    for (const Unit& unit : plan_units(study)) {
        if (std::find(settings.begin(), settings.end(), unit.setting) == settings.end()) continue;
        if (shard && !sharding.has(*shard, unit)) continue;
        const Setting& setting = study.settings[unit.setting];
        const std::size_t metrics = setting.metrics.size();
        const bool is_new = !store || !known.contains(key_of(unit));
        const auto runs = is_new ? std::vector<std::uint64_t>(metrics, 0) : stored_runs(*store, unit, metrics);
        if (const std::uint64_t missing = missing_runs(setting, runs); missing > 0)
            pending.push_back({unit, missing, is_new});
    }
    return pending;
}

double agent_steps(const Study& study, const PendingUnit& pending) {
    const Unit& unit = pending.unit;
    return static_cast<double>(unit.count) * static_cast<double>(study.settings[unit.setting].steps) *
           static_cast<double>(pending.missing_runs);
}

}  // namespace bellwether
