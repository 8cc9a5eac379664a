#include "support/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace bellwether {

namespace {
std::atomic<int> received = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // so that a signal handler may write it
}  // namespace

void watch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { received.store(signal, std::memory_order_relaxed); };
    action.sa_flags = 0;  // no SA_RESTART: a read that waits is woken up
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

int interrupted() noexcept {
    return received.load(std::memory_order_relaxed);
}

void stop_if_interrupted() {
    if (const int signal = interrupted(); signal != 0) throw Interrupted{signal};
}

}  // namespace bellwether
