#include "run/run.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "analysis/pending_units.hpp"
#include "run/recording.hpp"
#include "run/run_progress.hpp"
#include "run/shared_store.hpp"
#include "run/task_runner.hpp"
#include "run/work_queue.hpp"

namespace bellwether {

namespace {

double sum_of(const std::vector<double>& costs) {
    return std::accumulate(costs.begin(), costs.end(), 0.0);
}

// Tells of each of these settings, once, that its sweep is done.
class SweptSettings {
public:
    SweptSettings(const Study& study, const RunOptions& options, const RunProgress& progress, RunObserver& observer)
        : study_(study), progress_(progress), observer_(observer), left_(options.settings) {}

    void tell() {
        std::erase_if(left_, [&](std::size_t setting) {
            if (!progress_.is_swept(setting)) return false;
            observer_.setting_done(study_.settings[setting]);
            return true;
        });
    }

private:
    const Study& study_;
    const RunProgress& progress_;
    RunObserver& observer_;
    std::vector<std::size_t> left_;
};

// The phases of a run.
class StudyRun {
public:
    StudyRun(const Study& study, Store& store, const RunOptions& options, RunObserver& observer)
        : study_(study),
          store_(store),
          options_(options),
          observer_(observer),
          progress_(study.settings.size()),
          shared_(store, study),
          runner_(study, options, shared_, progress_) {}

    RunReport run() {
        try {
            sweep();
            if (has_recording() && !runner_.is_stopping()) record();
        } catch (...) {
            runner_.dismiss_workers();
            throw;
        }
        if (runner_.is_stopping()) runner_.stop_workers();
        RunReport done = report();
        runner_.dismiss_workers();
        return done;
    }

private:
    bool has_recording() const { return options_.record && !options_.shard; }

    void sweep() {
        const std::vector<PendingUnit> pending = pending_units(study_, &store_, options_.settings, options_.shard);
        const std::size_t all = pending_units(study_, nullptr, options_.settings, options_.shard).size();
        progress_.add_tasks(all, all - pending.size());
        std::vector<double> costs;
        for (const PendingUnit& p : pending) {
            costs.push_back(agent_steps(study_, p));
            progress_.open_unit(p.unit.setting);
        }
        observer_.phase("sweep", sum_of(costs));
        SweptSettings swept(study_, options_, progress_, observer_);
        WorkQueue queue(std::move(costs), [&](std::size_t number) { return shared_.task_of(pending[number]); });
        do_all(queue, [&] { swept.tell(); });
        swept.tell();
    }

    void record() {
        is_recording_planned_ = true;
        progress_.begin_phase();
        std::vector<PlannedRecording> planned = plan_recordings(store_, study_, options_.settings);
        const auto missing_runs_of = [&](const PlannedRecording& p) {
            const std::uint64_t stored = store_.recorded_runs(p.key).value_or(0);
            return p.runs - std::min(p.runs, stored);
        };
        const std::size_t all = planned.size();
        std::erase_if(planned, [&](const PlannedRecording& p) { return missing_runs_of(p) == 0; });
        progress_.add_tasks(all, all - planned.size());
        std::vector<double> costs;
        for (const PlannedRecording& p : planned)
            costs.push_back(static_cast<double>(missing_runs_of(p)) *
                            static_cast<double>(study_.settings[p.key.setting].steps));
        observer_.phase("recording", sum_of(costs));
        WorkQueue queue(std::move(costs), [&](std::size_t number) { return shared_.task_of(planned[number]); });
        do_all(queue, [] {});
    }

    template <class Watch>
    void do_all(WorkQueue& queue, Watch watch) {
        runner_.run(queue, [&] {
            observer_.progress(progress_.agent_steps_of_phase());
            watch();
        });
    }

    RunReport report() const {
        // A request to stop that comes when everything is done has stopped nothing.
        const bool is_complete =
            is_recording_planned_ == has_recording() && progress_.tasks_done() == progress_.tasks();
        return {.agent_steps = progress_.agent_steps(),
                .tasks = progress_.tasks(),
                .tasks_done = progress_.tasks_done(),
                .stopped = runner_.is_stopping() && !is_complete,
                .signal = runner_.signal(),
                .messages = options_.ranks ? options_.ranks->messages() : 0,
                .message_bytes = options_.ranks ? options_.ranks->bytes() : 0,
                .thread_seconds = progress_.thread_seconds()};
    }

    const Study& study_;
    Store& store_;
    const RunOptions& options_;
    RunObserver& observer_;
    RunProgress progress_;
    SharedStore shared_;
    TaskRunner runner_;
    bool is_recording_planned_ = false;
};

}  // namespace

RunReport run_study(const Study& study, Store& store, const RunOptions& options, RunObserver& observer) {
    const auto start = std::chrono::steady_clock::now();
    RunReport report = StudyRun(study, store, options, observer).run();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

}  // namespace bellwether
