#include "study/run.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>

#include "study/crew.hpp"
#include "study/recording.hpp"

namespace bellwether {

namespace {

double agent_steps_of(const Study& study, const Unit& unit) {
    return static_cast<double>(unit.count) * static_cast<double>(study.settings[unit.setting].steps);
}

class StudyRun {
public:
    StudyRun(const Study& study, Store& store, const RunOptions& options, RunObserver& observer)
        : study_(study), store_(store), options_(options), observer_(observer), nanoseconds_(study.settings.size()) {
        for (std::size_t k = 0; k < std::max<std::size_t>(1, options.threads); ++k)
            caches_.push_back(std::make_unique<InstanceCache>(study));
    }

    RunReport run() {
        sweep();
        const bool records = options_.record && !stop_;
        if (records) record();
        report_.agent_steps = done_total_ + done_steps_;
        // A request to stop that comes when everything is done has stopped nothing.
        const bool complete = records == options_.record && report_.pieces_done == report_.pieces;
        report_.stopped = stop_ && !complete;
        for (const auto& nanoseconds : nanoseconds_)
            report_.thread_seconds.push_back(1e-9 * static_cast<double>(nanoseconds));
        return report_;
    }

private:
    // ---- The sweep.

    void sweep() {
        const std::vector<PendingUnit> pending = pending_units(study_, &store_, options_.settings);
        double total = 0;
        std::vector<std::atomic<std::size_t>> open(study_.settings.size());
        for (const PendingUnit& p : pending) {
            total += agent_steps(study_, p);
            ++open[p.unit.setting];
        }
        count_units(pending.size());
        observer_.phase("sweep", total);
        std::vector<bool> reported(study_.settings.size(), true);
        for (const std::size_t s : options_.settings) reported[s] = false;
        const auto report_settings = [&] {
            for (std::size_t s = 0; s < reported.size(); ++s) {
                if (reported[s] || open[s] > 0) continue;
                reported[s] = true;
                observer_.setting_done(study_.settings[s]);
            }
        };
        share(
            pending.size(),
            [&](InstanceCache& cache, std::size_t task) {
                if (do_unit(cache, pending[task])) --open[pending[task].unit.setting];
            },
            report_settings);
        report_settings();
    }

    void count_units(std::size_t pending) {
        for (const Unit& unit : plan_units(study_))
            if (is_chosen(unit.setting)) ++report_.pieces;
        done_pieces_ = report_.pieces - pending;
    }

    bool is_chosen(std::size_t setting) const {
        return std::find(options_.settings.begin(), options_.settings.end(), setting) != options_.settings.end();
    }

    bool do_unit(InstanceCache& cache, const PendingUnit& pending) {
        const Unit& unit = pending.unit;
        const auto start = std::chrono::steady_clock::now();
        UnitWork work(cache, options_.kernel, unit, stored(pending));
        const bool done = do_piece(
            work, static_cast<std::uint64_t>(agent_steps_of(study_, unit)), [&] { return work.run_next(stop_); },
            [&] { store_.write(work.result()); });
        nanoseconds_[unit.setting] += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
        return done;
    }

    UnitResult stored(const PendingUnit& pending) {
        const Unit& unit = pending.unit;
        const auto metrics = static_cast<std::uint32_t>(study_.settings[unit.setting].metrics.size());
        UnitResult result{unit.key(), unit.count, 0, {}};
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
        std::vector<RecordingTask> tasks = plan_recordings(store_, study_, options_.settings);
        report_.pieces += tasks.size();
        done_pieces_ += tasks.size();
        std::erase_if(tasks, [&](const RecordingTask& t) { return store_.recorded_runs(t.key).value_or(0) >= t.runs; });
        done_pieces_ -= tasks.size();
        double total = 0;
        for (const RecordingTask& t : tasks)
            total += static_cast<double>(t.runs - store_.recorded_runs(t.key).value_or(0)) * steps_of(t);
        observer_.phase("recording", total);
        share(
            tasks.size(), [&](InstanceCache& cache, std::size_t task) { do_recording(cache, tasks[task]); }, [] {});
    }

    double steps_of(const RecordingTask& task) const {
        return static_cast<double>(study_.settings[task.key.setting].steps);
    }

    void do_recording(InstanceCache& cache, const RecordingTask& task) {
        RecordingWork work(cache, options_.kernel, task, recorded(task.key));
        do_piece(
            work, static_cast<std::uint64_t>(steps_of(task)),
            [&] {
                if (!stop_) work.run_next();
                return !stop_;
            },
            [&] { store_.write(task.key, work.recording()); });
    }

    std::optional<Recording> recorded(const RecordingKey& key) {
        const std::lock_guard lock(store_mutex_);
        return store_.recording(key);
    }

    // ---- What they have in common.

    // Run after run, written at the end, when it is stopped, and now and then. Whether it is done.
    template <class Work, class RunNext, class Write>
    bool do_piece(const Work& work, std::uint64_t steps_of_run, RunNext run_next, Write write) {
        std::uint64_t unwritten = 0;
        const auto write_all = [&] {
            const std::lock_guard lock(store_mutex_);
            if (unwritten > 0) write();
            unwritten = 0;
        };
        while (!work.done() && run_next()) {
            unwritten += steps_of_run;
            done_steps_ += steps_of_run;
            if (unwritten >= options_.agent_steps_between_writes) write_all();
        }
        write_all();
        if (work.done()) ++done_pieces_;
        return work.done();
    }

    template <class Work, class Watch>
    void share(std::size_t count, Work work, Watch watch) {
        done_total_ += done_steps_.exchange(0);
        share_tasks(
            options_.threads, count, stop_, [&](std::size_t thread, std::size_t task) { work(*caches_[thread], task); },
            [&] {
                if (options_.should_stop()) stop_ = true;
                observer_.progress(static_cast<double>(done_steps_));
                watch();
            });
        report_.pieces_done = done_pieces_;
    }

    const Study& study_;
    Store& store_;
    const RunOptions& options_;
    RunObserver& observer_;
    std::mutex store_mutex_;
    std::vector<std::unique_ptr<InstanceCache>> caches_;  // by thread
    std::atomic<bool> stop_ = false;
    std::atomic<std::uint64_t> done_steps_ = 0;  // of this phase
    std::uint64_t done_total_ = 0;               // of the phases before
    std::atomic<std::size_t> done_pieces_ = 0;
    std::vector<std::atomic<std::int64_t>> nanoseconds_;  // by setting
    RunReport report_;
};

}  // namespace

RunReport run_study(const Study& study, Store& store, const RunOptions& options, RunObserver& observer) {
    return StudyRun(study, store, options, observer).run();
}

std::vector<PendingUnit> pending_units(const Study& study, const Store* store,
                                       const std::vector<std::size_t>& settings) {
    const auto place = [](const UnitKey& key) {
        return std::tuple(key.setting, key.instance, key.first_configuration);
    };
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> known;
    if (store)
        for (const Store::UnitProgress& unit : store->units()) known.insert(place(unit.key));
    std::vector<PendingUnit> pending;
    for (const Unit& unit : plan_units(study)) {
        if (std::find(settings.begin(), settings.end(), unit.setting) == settings.end()) continue;
        const Setting& setting = study.settings[unit.setting];
        std::vector<std::uint64_t> runs(setting.metrics.size(), 0);
        const bool is_new = !known.contains(place(unit.key()));
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
