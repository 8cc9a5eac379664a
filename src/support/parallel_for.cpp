#include "support/parallel_for.hpp"

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bellwether {

namespace {

class Threads {
public:
    Threads(std::size_t threads, std::size_t count, std::atomic<bool>& stop,
            const std::function<void(std::size_t, std::size_t)>& work)
        : count_(count), stop_(stop), work_(work), busy_(threads) {
        for (std::size_t k = 0; k < threads; ++k) threads_.emplace_back([this, k] { run(k); });
    }

    void wait(const std::function<void()>& watch, std::chrono::milliseconds watch_interval) {
        std::unique_lock lock(mutex_);
        while (busy_ > 0) {
            ended_.wait_for(lock, watch_interval);
            lock.unlock();
            try {
                watch();
            } catch (...) {
                stop_ = true;
                throw;
            }
            lock.lock();
        }
        if (error_) std::rethrow_exception(error_);
    }

private:
    void run(std::size_t thread) {
        std::exception_ptr error;
        try {
            for (std::size_t task = 0; !stop_ && (task = next_++) < count_;) work_(thread, task);
        } catch (...) {
            error = std::current_exception();
            stop_ = true;
        }
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = error;
        --busy_;
        ended_.notify_one();
    }

    std::size_t count_;
    std::atomic<bool>& stop_;
    const std::function<void(std::size_t, std::size_t)>& work_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t busy_;
    std::exception_ptr error_;
    std::vector<std::jthread> threads_;  // last, so that they have ended before the rest goes
};

}  // namespace

std::size_t usable_cores() {
#ifdef __linux__
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<std::size_t>(CPU_COUNT(&set));
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

void parallel_for(std::size_t threads, std::size_t count, std::atomic<bool>& stop,
                  const std::function<void(std::size_t, std::size_t)>& work, const std::function<void()>& watch,
                  std::chrono::milliseconds watch_interval) {
    if (count == 0) return;
    Threads(std::min(threads, count), count, stop, work).wait(watch, watch_interval);
}

}  // namespace bellwether
