// Learning curves of the best configurations, recorded after a sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan/study.hpp"
#include "run/configuration_block.hpp"
#include "store/store.hpp"

namespace bellwether {

// One configuration in one instance, on the runs it was chosen on or on fresh ones, of the same instance or a fresh
// one.
struct PlannedRecording {
    RecordingKey key;
    std::uint32_t algorithm;      // number in the setting
    std::uint32_t configuration;  // number within the algorithm's grid
    std::uint64_t runs;           // that are wanted

    std::uint32_t first_run() const { return key.stage == Stage::selection ? 0 : first_fresh_run; }
    std::uint32_t instance() const {
        return key.instance + (key.stage == Stage::fresh_instances ? first_fresh_instance : 0);
    }
};

// What the chosen settings ask for, for every algorithm and metric, in the order of the study. Whatever is stored
// already is among it.
std::vector<PlannedRecording> plan_recordings(const Store& store, const Study& study,
                                              std::span<const std::size_t> settings);

// SQLite takes a row of 10⁹ bytes, and a recording has a mean and a deviation of every measurement, and every run's
// score.
inline constexpr std::size_t most_measurements_of_curve = 60'000'000;

// Whether it has as many numbers as it should.
bool is_whole(const Recording& recording, const Setting& setting);

// A recording on its way, run by run.
class RecordingWork {
public:
    // `so_far` is whole.
    RecordingWork(InstanceCache& instances, const Backend* backend, const PlannedRecording& planned,
                  std::optional<Recording> so_far);

    bool done() const { return recording_.runs >= planned_.runs; }
    // The next run, or the next few where the backend takes so many at once: how many.
    std::size_t run_next();
    const Recording& recording() const { return recording_; }

private:
    const Setting& setting_;
    const Backend* backend_;
    PlannedRecording planned_;
    Recording recording_;
    ConfigurationBlock block_;
};

}  // namespace bellwether
