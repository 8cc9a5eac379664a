#include "run/worker.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "run/task_check.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

using Clock = std::chrono::steady_clock;

// How often a process looks for messages where nothing else wakes it.
constexpr auto poll_interval = std::chrono::milliseconds(1);
constexpr auto between_signs_of_life = std::chrono::seconds(1);

// Threads that do what is in a queue. The thread that has made them fills it and sends away what they deliver.
class WorkerThreads {
public:
    WorkerThreads(const Study& study, const Assignment& assignment, const WorkerOptions& options)
        : study_(study),
          context_{options.backend, stop_, assignment.agent_steps_between_writes,
                   [this](std::uint64_t agent_steps) { agent_steps_ += agent_steps; },
                   [this](TaskOutcome outcome) { put_out(Delivery{std::move(outcome)}); }} {
        for (std::size_t k = 0; k < options.threads; ++k) threads_.emplace_back([this] { run(); });
    }
    ~WorkerThreads() {
        stop();
        const std::lock_guard lock(mutex_);
        over_ = true;
        has_tasks_.notify_all();
    }

    void add(std::vector<Task> tasks) {
        const std::lock_guard lock(mutex_);
        for (Task& task : tasks) queue_.push_back(std::move(task));
        has_tasks_.notify_all();
    }
    void stop() {
        stop_ = true;
        const std::lock_guard lock(mutex_);
        queue_.clear();
    }
    bool is_stopping() const { return stop_; }

    // Waits a little for something to send.
    std::vector<WorkerEvent> events() {
        std::unique_lock lock(mutex_);
        if (outbox_.empty()) has_news_.wait_for(lock, poll_interval);
        return std::exchange(outbox_, {});
    }
    std::uint64_t take_agent_steps() { return agent_steps_.exchange(0); }

    struct State {
        std::size_t queued, idle;
        bool all_sent;
    };
    State state() {
        const std::lock_guard lock(mutex_);
        return {queue_.size(), idle_ - std::min(idle_, queue_.size()), outbox_.empty()};
    }
    std::size_t count() const { return threads_.size(); }

private:
    void run() {
        InstanceCache instances(study_);
        for (std::list<Task> task = next(); !task.empty(); task = next()) {
            try {
                do_task(task.front(), instances, context_);
            } catch (const UsageError& error) {
                report_failure({true, error.what()});
            } catch (const std::exception& error) {
                report_failure({false, error.what()});
            }
        }
    }

    // The next task; none where all is over.
    std::list<Task> next() {
        std::unique_lock lock(mutex_);
        ++idle_;
        if (queue_.empty()) has_news_.notify_one();
        has_tasks_.wait(lock, [&] { return over_ || !queue_.empty(); });
        --idle_;
        std::list<Task> task;
        if (!over_) task.splice(task.begin(), queue_, queue_.begin());
        return task;
    }

    void report_failure(Failure failure) {
        stop_ = true;
        put_out(std::move(failure));
    }

    void put_out(WorkerEvent event) {
        const std::lock_guard lock(mutex_);
        outbox_.push_back(std::move(event));
        has_news_.notify_one();
    }

    const Study& study_;
    std::atomic<bool> stop_ = false;
    std::atomic<std::uint64_t> agent_steps_ = 0;  // that the coordinator has not been told of
    TaskContext context_;
    std::mutex mutex_;
    std::condition_variable has_tasks_, has_news_;
    std::list<Task> queue_;
    std::vector<WorkerEvent> outbox_;
    std::size_t idle_ = 0;
    bool over_ = false;
    std::vector<std::jthread> threads_;  // last, so that they have ended before the rest goes
};

class Worker {
public:
    Worker(const Study& study, Communicator& ranks, WorkerThreads& threads, const WorkerOptions& options)
        : study_(study), ranks_(ranks), threads_(threads), options_(options) {}

    // Until the coordinator has said the last word.
    void run() {
        while (!dismissed_) {
            while (const std::optional<Message> message = ranks_.receive()) read(*message);
            for (WorkerEvent& event : threads_.events()) send(std::move(event));
            if (!dismissed_) look_around();
        }
    }

private:
    // What cannot be understood is for the coordinator to know: it ends the others too.
    void read(const Message& message) {
        try {
            obey(decode_message_to_worker(message.content));
        } catch (const WorkError& error) {
            threads_.stop();
            send(Failure{false, error.what()});
        }
    }

    void obey(MessageToWorker message) {
        if (auto* more = std::get_if<NewTasks>(&message)) {
            for (const Task& task : more->tasks) check(study_, task);
            asked_for_.reset();
            if (!threads_.is_stopping()) threads_.add(std::move(more->tasks));
        } else if (std::holds_alternative<Stop>(message)) {
            told_to_stop_ = true;
            threads_.stop();
        } else {
            dismissed_ = true;
        }
    }

    void look_around() {
        if (const int signal = options_.interrupted(); signal != 0 && !threads_.is_stopping()) {
            threads_.stop();
            send(Interruption{signal});
        }
        if (threads_.is_stopping())
            say_stopped();
        else
            ask_for_tasks();
        if (Clock::now() > last_message_ + between_signs_of_life) send(StillThere{});
    }

    void ask_for_tasks() {
        const auto [queued, idle, all_sent] = threads_.state();
        if (queued >= threads_.count() || (asked_for_ && *asked_for_ >= idle)) return;
        asked_for_ = idle;
        send(WorkRequest{threads_.count(), idle});
    }

    void say_stopped() {
        const auto [queued, idle, all_sent] = threads_.state();
        if (!told_to_stop_ || said_stopped_ || !all_sent || idle < threads_.count()) return;
        said_stopped_ = true;
        send(Stopped{});
    }

    void send(WorkerEvent event) {
        last_message_ = Clock::now();
        ranks_.send(0, encode(MessageToCoordinator{threads_.take_agent_steps(), std::move(event)}));
    }

    const Study& study_;
    Communicator& ranks_;
    WorkerThreads& threads_;
    const WorkerOptions& options_;
    std::optional<std::size_t> asked_for_;  // the idle threads of a request that has no answer yet
    bool told_to_stop_ = false, said_stopped_ = false, dismissed_ = false;
    Clock::time_point last_message_ = Clock::now();
};

}  // namespace

void run_worker(const Study& study, const Assignment& assignment, Communicator& ranks, const WorkerOptions& options) {
    {
        WorkerThreads threads(study, assignment, options);
        Worker(study, ranks, threads, options).run();
    }
    ranks.end();
}

void fail_worker(Communicator& ranks, bool is_usage, const std::string& problem) {
    ranks.send(0, encode(MessageToCoordinator{0, Failure{is_usage, problem}}));
    for (bool dismissed = false; !dismissed;) {
        if (const std::optional<Message> message = ranks.receive())
            dismissed = std::holds_alternative<Dismissal>(decode_message_to_worker(message->content));
        else
            std::this_thread::sleep_for(poll_interval);
    }
    ranks.end();
}

}  // namespace bellwether
