// Who learns with whom in a horde.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <numeric>

#include "stream/horde.hpp"
#include "support/algorithms.hpp"
#include "support/error.hpp"
#include "support/machine.hpp"

namespace bellwether {

namespace {

// Memory and time of a shared trace are worth it where a prediction in lanes, with a trace of its own and a copy of its
// weights to read, takes more: at about a third of the lanes.
constexpr std::size_t own_vectors = 3;

// What a trace is made from; the cumulant is not in it.
std::array<const LaneSignal*, 4> signals_of_traces(const StreamView& stream) {
    return {&stream.gamma, &stream.rho, &stream.pi, &stream.mu};
}
bool agree(const StreamView& stream, std::size_t one, std::size_t other) {
    for (const LaneSignal* signal : signals_of_traces(stream)) {
        if (!signal->by_learner) continue;
        const std::size_t steps = signal->by_step == 0 ? 1 : stream.steps;
        for (std::size_t t = 0; t < steps; ++t)
            if (std::bit_cast<std::uint64_t>(number_at(*signal, t, one)) !=
                std::bit_cast<std::uint64_t>(number_at(*signal, t, other)))
                return false;
    }
    return true;
}
std::uint64_t mixed(std::uint64_t hash, double number) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15;
    return hash ^ (hash >> 32);
}

}  // namespace

Horde::Place Horde::place_of(std::size_t prediction) const {
    for (const LaneGroup& group : lanes_)
        if (prediction >= group.first && prediction < group.first + group.count)
            return {&group, nullptr, prediction - group.first};
    for (const SharedGroup& group : shared_) {
        const auto found = std::find(group.predictions.begin(), group.predictions.end(), prediction);
        if (found != group.predictions.end())
            return {nullptr, &group, static_cast<std::size_t>(found - group.predictions.begin())};
    }
    return {};
}

Horde::Predictions Horde::without_group() const {
    std::vector<bool> has(predictions_);
    for (const LaneGroup& group : lanes_)
        for (std::size_t k = 0; k < group.count; ++k) has[group.first + k] = true;
    for (const SharedGroup& group : shared_)
        for (const std::uint32_t k : group.predictions) has[k] = true;
    Predictions without;
    for (std::uint32_t k = 0; k < predictions_; ++k)
        if (!has[k]) without.push_back(k);
    return without;
}

bool Horde::groups_fit(const StreamView& stream) const {
    if (!shared_.empty() && stream.x.kind == LaneFeatures::Kind::dense) return false;
    return std::all_of(shared_.begin(), shared_.end(), [&](const SharedGroup& group) {
        return std::all_of(group.predictions.begin(), group.predictions.end(),
                           [&](std::uint32_t k) { return agree(stream, group.predictions[0], k); });
    });
}

// Predictions that have all that their traces read in common; by hash, which groups_fit() does not rely on.
std::vector<Horde::Predictions> Horde::that_agree(const StreamView& stream, const Predictions& predictions) const {
    std::vector<Predictions> classes;
    std::map<std::uint64_t, std::size_t> class_of;
    for (const std::uint32_t k : predictions) {
        std::uint64_t hash = 0;
        for (std::size_t p = 0; p < info_->parameters.size(); ++p)
            if (trace_reads(*info_, info_->parameters[p])) hash = mixed(hash, parameter(p, k));
        for (const LaneSignal* signal : signals_of_traces(stream)) {
            if (!signal->by_learner) continue;
            for (std::size_t t = 0; t < (signal->by_step == 0 ? 1 : stream.steps); ++t)
                hash = mixed(hash, number_at(*signal, t, k));
        }
        const auto [found, is_new] = class_of.emplace(hash, classes.size());
        if (is_new) classes.emplace_back();
        classes[found->second].push_back(k);
    }
    return classes;
}

bool Horde::worth_sharing(const std::vector<Predictions>& classes) const {
    const std::size_t most = instruction_set_->shared_learners();
    std::size_t predictions = 0, lanes = 0;
    for (const Predictions& one : classes) {
        predictions += one.size();
        lanes += (one.size() + most - 1) / most * most;
    }
    return lanes <= own_vectors * predictions;
}

void Horde::arrange(const StreamView& stream) {
    Predictions unplaced = without_group();
    const bool sparse = stream.x.kind != LaneFeatures::Kind::dense;
    // Where predictions are in lanes that might share, look whether they do, once.
    const bool has_lanes = !lanes_.empty();
    if (!has_lanes && sparse && shareable_) {
        if (!groups_fit(stream)) {
            dissolve_groups();
            unplaced = without_group();
        }
        if (unplaced.empty()) return;
        const std::vector<double> parameters = block_parameters({0});
        const LaneBlock one{.algorithm = registry_index(*info_), .count = 1, .parameters = parameters.data()};
        const std::vector<Predictions> classes = that_agree(stream, unplaced);
        if ((!shared_.empty() || worth_sharing(classes)) && instruction_set_->make_shared_learners(one, 1)) {
            for (const Predictions& each : classes) share(each);
            if (groups_fit(stream)) return;
        }
        shareable_ = false;
    }
    if (!shared_.empty()) {
        dissolve_groups();
        unplaced = without_group();
        shareable_ = false;
    }
    if (unplaced.empty()) return;
    if (!sparse) refuse_too_large();
    put_into_lanes();
}

// With sparse features memory is what entries touch, which is seen as they come.
void Horde::refuse_too_large() const {
    const double needed = static_cast<double>(predictions_) * memory_needed(*info_, dimension_, false);
    if (const double there = memory_of_machine(); needed > there)
        throw UsageError(
            fmt::format("a horde of {} predictions by {} from {} features needs {:.3g} GB of memory; this machine has "
                        "{:.3g} GB",
                        predictions_, info_->id, dimension_, needed / 1e9, there / 1e9));
}

void Horde::dissolve_groups() {
    for (std::uint32_t k = 0; k < predictions_; ++k)
        if (place_of(k).lanes || place_of(k).shared) bodies_[k] = body_of(k);
    lanes_.clear();
    shared_.clear();
}

// Predictions whose signals agree. Those whose traces do not, since they began at other times, make groups of their
// own.
void Horde::share(Predictions predictions) {
    const std::size_t most = instruction_set_->shared_learners();
    while (!predictions.empty()) {
        Predictions chosen(predictions.begin(),
                           predictions.begin() + static_cast<std::ptrdiff_t>(std::min(most, predictions.size())));
        predictions.erase(predictions.begin(), predictions.begin() + static_cast<std::ptrdiff_t>(chosen.size()));
        const auto make = [&] {
            const std::vector<double> parameters = block_parameters(chosen);
            const LaneBlock block{
                .algorithm = registry_index(*info_), .count = chosen.size(), .parameters = parameters.data()};
            auto learners = instruction_set_->make_shared_learners(block, dimension_);
            // From the last to the first, whose trace is the one that stays.
            for (std::size_t lane = chosen.size(); lane-- > 0;)
                if (!bodies_[chosen[lane]].empty()) learners->restore_body(lane, bodies_[chosen[lane]].data());
            learners->restored();
            return learners;
        };
        // What began with the first of them, and what did not.
        const bool first_is_new = bodies_[chosen[0]].empty();
        const auto others = std::stable_partition(chosen.begin(), chosen.end(),
                                                  [&](std::uint32_t k) { return bodies_[k].empty() == first_is_new; });
        predictions.insert(predictions.end(), others, chosen.end());
        chosen.erase(others, chosen.end());
        auto learners = make();
        if (!first_is_new) {
            Body saved(learners->body_size());
            std::size_t lane = 0;
            const auto differ = std::stable_partition(chosen.begin(), chosen.end(), [&](std::uint32_t k) {
                learners->save_body(lane++, saved.data());
                return saved == bodies_[k];
            });
            if (differ != chosen.end()) {
                predictions.insert(predictions.end(), differ, chosen.end());
                chosen.erase(differ, chosen.end());
                learners = make();
            }
        }
        for (const std::uint32_t k : chosen) bodies_[k] = {};
        shared_.push_back({chosen, std::move(learners)});
    }
}

// All that are in no group: what comes after those that are.
void Horde::put_into_lanes() {
    const std::size_t most = instruction_set_->most_learners();
    std::size_t first = 0;
    for (const LaneGroup& group : lanes_) first = group.first + group.count;
    for (; first < predictions_; first += lanes_.back().count) {
        Predictions chosen(std::min(most, predictions_ - first));
        std::iota(chosen.begin(), chosen.end(), static_cast<std::uint32_t>(first));
        const std::vector<double> parameters = block_parameters(chosen);
        const LaneBlock block{
            .algorithm = registry_index(*info_), .count = chosen.size(), .parameters = parameters.data()};
        auto learners = instruction_set_->make_lane_learners(
            {.block = block, .first = 0, .dimension = dimension_, .initial_weights = nullptr, .error_count = 0});
        for (std::size_t lane = 0; lane < chosen.size(); ++lane) {
            Body& body = bodies_[chosen[lane]];
            if (!body.empty()) learners->restore_body(lane, body.data());
            body = {};
        }
        lanes_.push_back({first, chosen.size(), std::move(learners)});
    }
}

}  // namespace bellwether
