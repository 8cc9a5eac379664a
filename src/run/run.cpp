#include "run/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>
#include <utility>

#include "run/coordinator.hpp"
#include "run/recording.hpp"
#include "run/task.hpp"
#include "run/work_queue.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

namespace {

// Others see what was done in a stopped run within this time, or do without.
constexpr auto patience_at_stop = std::chrono::milliseconds(600);
// How often the other processes are served.
constexpr auto serve_interval = std::chrono::milliseconds(1), watch_interval = std::chrono::milliseconds(50);

double agent_steps_of(const Study& study, const Unit& unit) {
    return static_cast<double>(unit.count) * static_cast<double>(study.settings[unit.setting].steps);
}

class StudyRun {
public:
    StudyRun(const Study& study, Store& store, const RunOptions& options, RunObserver& observer)
        : study_(study),
          store_(store),
          options_(options),
          observer_(observer),
          context_{options.backend, stop_, options.agent_steps_between_writes,
                   [this](std::uint64_t agent_steps) { done_steps_ += agent_steps; },
                   [this](TaskOutcome outcome) {
                       std::vector<TaskOutcome> one;
                       one.push_back(std::move(outcome));
                       take(std::move(one));
                   }},
          open_(study.settings.size()),
          nanoseconds_(study.settings.size()) {
        for (std::size_t k = 0; k < std::max<std::size_t>(1, options.threads); ++k)
            caches_.push_back(std::make_unique<InstanceCache>(study));
        if (options.ranks)
            coordinator_.emplace(*options.ranks, caches_.size(),
                                 [this](std::vector<TaskOutcome> outcomes, std::uint64_t agent_steps) {
                                     done_steps_ += agent_steps;
                                     take(std::move(outcomes));
                                 });
    }

    RunReport run() {
        try {
            do_all();
        } catch (...) {
            if (coordinator_) coordinator_->dismiss();
            throw;
        }
        if (coordinator_ && stop_) coordinator_->stop(patience_at_stop);
        finish_report();
        if (coordinator_) coordinator_->dismiss();
        return report_;
    }

private:
    void do_all() {
        sweep();
        records_ = options_.record && !options_.shard && !stop_;
        if (records_) record();
    }

    void finish_report() {
        report_.tasks_done = done_pieces_;
        report_.agent_steps = done_total_ + done_steps_;
        // A request to stop that comes when everything is done has stopped nothing.
        const bool complete = records_ == (options_.record && !options_.shard) && report_.tasks_done == report_.tasks;
        report_.stopped = stop_ && !complete;
        for (const std::int64_t nanoseconds : nanoseconds_)
            report_.thread_seconds.push_back(1e-9 * static_cast<double>(nanoseconds));
        if (!coordinator_) return;
        report_.messages = options_.ranks->messages();
        report_.message_bytes = options_.ranks->bytes();
    }

    // ---- The sweep.

    void sweep() {
        const std::vector<PendingUnit> pending = pending_units(study_, &store_, options_.settings, options_.shard);
        std::vector<double> costs;
        for (const PendingUnit& p : pending) {
            costs.push_back(agent_steps(study_, p));
            ++open_[p.unit.setting];
        }
        report_.tasks = pending_units(study_, nullptr, options_.settings, options_.shard).size();
        done_pieces_ = report_.tasks - pending.size();
        observer_.phase("sweep", std::accumulate(costs.begin(), costs.end(), 0.0));
        std::vector<bool> reported(study_.settings.size(), true);
        for (const std::size_t s : options_.settings) reported[s] = false;
        const auto report_settings = [&] {
            for (std::size_t s = 0; s < reported.size(); ++s) {
                if (reported[s] || open_[s] > 0) continue;
                reported[s] = true;
                observer_.setting_done(study_.settings[s]);
            }
        };
        share(WorkQueue(costs,
                        [&](std::size_t task) {
                            return UnitTask{pending[task].unit, stored(pending[task])};
                        }),
              report_settings);
        report_settings();
    }

    UnitResult stored(const PendingUnit& pending) {
        const Unit& unit = pending.unit;
        const auto metrics = static_cast<std::uint32_t>(study_.settings[unit.setting].metrics.size());
        UnitResult result{key_of(unit), unit.count, 0, {}};
        if (pending.is_new) {
            result.summaries.resize(std::size_t{metrics} * unit.count);
            return result;
        }
        const std::lock_guard lock(store_mutex_);
        result.summaries = store_.summaries(unit.setting, unit.instance, unit.first_configuration, unit.count, metrics);
        for (const ScoreSummary& summary : result.summaries) result.runs = std::max(result.runs, summary.runs);
        return result;
    }

    // ---- The recording.

    void record() {
        std::vector<PlannedRecording> tasks = plan_recordings(store_, study_, options_.settings);
        report_.tasks += tasks.size();
        done_pieces_ += tasks.size();
        std::erase_if(tasks,
                      [&](const PlannedRecording& t) { return store_.recorded_runs(t.key).value_or(0) >= t.runs; });
        done_pieces_ -= tasks.size();
        std::vector<double> costs;
        for (const PlannedRecording& t : tasks)
            costs.push_back(static_cast<double>(t.runs - store_.recorded_runs(t.key).value_or(0)) *
                            static_cast<double>(study_.settings[t.key.setting].steps));
        observer_.phase("recording", std::accumulate(costs.begin(), costs.end(), 0.0));
        share(WorkQueue(costs,
                        [&](std::size_t task) {
                            return RecordingTask{tasks[task], recorded(tasks[task].key)};
                        }),
              [] {});
    }

    std::optional<Recording> recorded(const RecordingKey& key) {
        const std::lock_guard lock(store_mutex_);
        return store_.recording(key);
    }

    // ---- What they have in common.

    template <class Watch>
    void share(WorkQueue queue, Watch watch) {
        done_total_ += done_steps_.exchange(0);
        const auto look = [&] {
            if (coordinator_ && !stop_) coordinator_->serve(queue);
            if (coordinator_ && coordinator_->interruption() != 0) stop_for(coordinator_->interruption());
            if (const int signal = options_.should_stop(); signal != 0) stop_for(signal);
            observer_.progress(static_cast<double>(done_steps_));
            watch();
        };
        parallel_for(
            caches_.size(), caches_.size(), stop_,
            [&](std::size_t thread, std::size_t) { do_pieces(queue, *caches_[thread]); }, look,
            coordinator_ ? serve_interval : watch_interval);
        while (coordinator_ && coordinator_->is_waiting() && !stop_) {
            std::this_thread::sleep_for(serve_interval);
            look();
        }
    }

    void do_pieces(WorkQueue& queue, InstanceCache& cache) {
        while (!stop_) {
            const std::optional<Task> task = queue.next();
            if (!task) return;
            do_task(*task, cache, context_);
        }
    }

    void stop_for(int signal) {
        report_.signal = signal;
        stop_ = true;
    }

    void take(std::vector<TaskOutcome> outcomes) {
        const std::lock_guard lock(store_mutex_);
        std::vector<UnitResult> units;
        for (TaskOutcome& outcome : outcomes) {
            if (auto* unit = std::get_if<UnitResult>(&outcome.result)) {
                units.push_back(std::move(*unit));
            } else {
                const auto& [key, recording] = std::get<RecordingResult>(outcome.result);
                store_.write(key, recording);
            }
        }
        if (!units.empty()) store_.write(units);
        for (const TaskOutcome& outcome : outcomes) {
            done_pieces_ += outcome.done;
            if (std::holds_alternative<RecordingResult>(outcome.result)) continue;
            open_[outcome.setting] -= outcome.done;
            nanoseconds_[outcome.setting] += static_cast<std::int64_t>(outcome.nanoseconds);
        }
    }

    const Study& study_;
    Store& store_;
    const RunOptions& options_;
    RunObserver& observer_;
    std::mutex store_mutex_;
    std::vector<std::unique_ptr<InstanceCache>> caches_;  // by thread
    std::optional<Coordinator> coordinator_;              // where there are other processes
    std::atomic<bool> stop_ = false;
    TaskContext context_;
    bool records_ = false;
    std::atomic<std::uint64_t> done_steps_ = 0;  // of this phase
    std::uint64_t done_total_ = 0;               // of the phases before
    std::atomic<std::size_t> done_pieces_ = 0;
    std::vector<std::atomic<std::size_t>> open_;  // units that are not done, by setting
    std::vector<std::int64_t> nanoseconds_;       // by setting
    RunReport report_;
};

}  // namespace

RunReport run_study(const Study& study, Store& store, const RunOptions& options, RunObserver& observer) {
    return StudyRun(study, store, options, observer).run();
}

std::vector<PendingUnit> pending_units(const Study& study, const Store* store, const std::vector<std::size_t>& settings,
                                       std::optional<Shard> shard) {
    const Sharding sharding(study, shard ? shard->count : 1);
    const auto place = [](const UnitKey& key) {
        return std::tuple(key.setting, key.instance, key.first_configuration);
    };
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> known;
    if (store)
        for (const Store::UnitProgress& unit : store->units()) known.insert(place(unit.key));
    std::vector<PendingUnit> pending;
    for (const Unit& unit : plan_units(study)) {
        if (std::find(settings.begin(), settings.end(), unit.setting) == settings.end()) continue;
        if (shard && !sharding.has(*shard, unit)) continue;
        const Setting& setting = study.settings[unit.setting];
        std::vector<std::uint64_t> runs(setting.metrics.size(), 0);
        const bool is_new = !known.contains(place(key_of(unit)));
        if (!is_new) {
            // Every configuration of a unit has the same runs.
            const auto first = store->summaries(unit.setting, unit.instance, unit.first_configuration, 1,
                                                static_cast<std::uint32_t>(runs.size()));
            for (std::size_t m = 0; m < runs.size(); ++m) runs[m] = first[m].runs;
        }
        if (const std::uint64_t missing = missing_runs(setting, runs); missing > 0)
            pending.push_back({unit, missing, is_new});
    }
    return pending;
}

double agent_steps(const Study& study, const PendingUnit& pending) {
    return agent_steps_of(study, pending.unit) * static_cast<double>(pending.missing_runs);
}

std::vector<Extent> extents_of(const Study& study) {
    std::vector<Extent> extents;
    for (std::uint32_t s = 0; s < study.settings.size(); ++s)
        extents.push_back({s, study.settings[s].id, study.settings[s].instances, study.settings[s].runs});
    return extents;
}

std::vector<SettingNames> names_of(const Study& study) {
    std::vector<SettingNames> all;
    for (const Setting& setting : study.settings) {
        SettingNames& names = all.emplace_back();
        for (const ScoredMetric& scored : setting.metrics) names.metrics.emplace_back(id_of(scored.metric));
        const std::vector<std::uint32_t> firsts = setting.first_configurations();
        for (std::size_t a = 0; a < setting.algorithms.size(); ++a)
            names.algorithms.push_back({std::string(setting.algorithms[a].info->id), firsts[a],
                                        static_cast<std::uint32_t>(setting.algorithms[a].configurations())});
    }
    return all;
}

}  // namespace bellwether
