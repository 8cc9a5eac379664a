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

#include "support/error.hpp"

namespace bellwether {

namespace {

using Clock = std::chrono::steady_clock;

// How often a process looks for messages where nothing else wakes it.
constexpr auto poll_interval = std::chrono::milliseconds(1);
constexpr auto between_signs_of_life = std::chrono::seconds(1);

// Threads that do what is in a queue. The thread that has made them fills it and sends away what they deliver.
class HelperThreads {
public:
    HelperThreads(const Study& study, const Assignment& assignment, const WorkerOptions& options)
        : study_(study),
          context_{options.backend, stop_, assignment.agent_steps_between_writes,
                   [this](std::uint64_t agent_steps) { agent_steps_ += agent_steps; },
                   [this](TaskOutcome outcome) { put_out(Delivery{std::move(outcome)}); }} {
        for (std::size_t k = 0; k < options.threads; ++k) threads_.emplace_back([this] { run(); });
    }
    ~HelperThreads() {
        stop();
        const std::lock_guard lock(mutex_);
        over_ = true;
        work_there_.notify_all();
    }

    void add(std::vector<Task> tasks) {
        const std::lock_guard lock(mutex_);
        for (Task& task : tasks) queue_.push_back(std::move(task));
        work_there_.notify_all();
    }
    void stop() {
        stop_ = true;
        const std::lock_guard lock(mutex_);
        queue_.clear();
    }
    bool is_stopping() const { return stop_; }

    // Waits a little for something to send.
    std::vector<Report> deliveries() {
        std::unique_lock lock(mutex_);
        if (outbox_.empty()) news_.wait_for(lock, poll_interval);
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
                fail({true, error.what()});
            } catch (const std::exception& error) {
                fail({false, error.what()});
            }
        }
    }

    // The next task; none where all is over.
    std::list<Task> next() {
        std::unique_lock lock(mutex_);
        ++idle_;
        if (queue_.empty()) news_.notify_one();
        work_there_.wait(lock, [&] { return over_ || !queue_.empty(); });
        --idle_;
        std::list<Task> task;
        if (!over_) task.splice(task.begin(), queue_, queue_.begin());
        return task;
    }

    void fail(Failure failure) {
        stop_ = true;
        put_out(std::move(failure));
    }

    void put_out(Report report) {
        const std::lock_guard lock(mutex_);
        outbox_.push_back(std::move(report));
        news_.notify_one();
    }

    const Study& study_;
    std::atomic<bool> stop_ = false;
    std::atomic<std::uint64_t> agent_steps_ = 0;  // that rank 0 has not been told of
    TaskContext context_;
    std::mutex mutex_;
    std::condition_variable work_there_, news_;
    std::list<Task> queue_;
    std::vector<Report> outbox_;
    std::size_t idle_ = 0;
    bool over_ = false;
    std::vector<std::jthread> threads_;  // last, so that they have ended before the rest goes
};

class Helper {
public:
    Helper(Communicator& ranks, HelperThreads& threads, const WorkerOptions& options)
        : ranks_(ranks), threads_(threads), options_(options) {}

    // Until rank 0 has said the last word.
    void run() {
        while (!dismissed_) {
            while (const std::optional<Message> message = ranks_.receive()) obey(unpack_order(message->content));
            for (Report& report : threads_.deliveries()) send(std::move(report));
            if (!dismissed_) look_around();
        }
    }

private:
    void obey(Order order) {
        if (auto* work = std::get_if<Work>(&order)) {
            asked_for_.reset();
            if (!threads_.is_stopping()) threads_.add(std::move(work->tasks));
        } else if (std::holds_alternative<Stop>(order)) {
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
            ask();
        if (Clock::now() > last_letter_ + between_signs_of_life) send(StillThere{});
    }

    void ask() {
        const auto [queued, idle, all_sent] = threads_.state();
        if (queued >= threads_.count() || (asked_for_ && *asked_for_ >= idle)) return;
        asked_for_ = idle;
        send(Asker{threads_.count(), idle});
    }

    void say_stopped() {
        const auto [queued, idle, all_sent] = threads_.state();
        if (!told_to_stop_ || said_stopped_ || !all_sent || idle < threads_.count()) return;
        said_stopped_ = true;
        send(Stopped{});
    }

    void send(Report report) {
        last_letter_ = Clock::now();
        ranks_.send(0, pack(Letter{threads_.take_agent_steps(), std::move(report)}));
    }

    Communicator& ranks_;
    HelperThreads& threads_;
    const WorkerOptions& options_;
    std::optional<std::size_t> asked_for_;  // the idle threads of a question that has no answer yet
    bool told_to_stop_ = false, said_stopped_ = false, dismissed_ = false;
    Clock::time_point last_letter_ = Clock::now();
};

}  // namespace

void run_worker(const Study& study, const Assignment& assignment, Communicator& ranks, const WorkerOptions& options) {
    {
        HelperThreads threads(study, assignment, options);
        Helper(ranks, threads, options).run();
    }
    ranks.end();
}

void fail_rank(Communicator& ranks, bool is_usage, const std::string& problem) {
    ranks.send(0, pack(Letter{0, Failure{is_usage, problem}}));
    for (bool dismissed = false; !dismissed;) {
        if (const std::optional<Message> message = ranks.receive())
            dismissed = std::holds_alternative<Dismissal>(unpack_order(message->content));
        else
            std::this_thread::sleep_for(poll_interval);
    }
    ranks.end();
}

}  // namespace bellwether
