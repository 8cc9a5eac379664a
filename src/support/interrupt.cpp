#include "support/interrupt.hpp"

#include <csignal>

namespace bellwether {

namespace {
volatile std::sig_atomic_t received = 0;
}

void watch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { received = signal; };  // no SA_RESTART: a read that waits is woken up
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);
}

void stop_if_interrupted() {
    if (received != 0) throw Interrupted{received};
}

}  // namespace bellwether
