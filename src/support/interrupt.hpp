// SIGINT and SIGTERM as a question the work asks now and then, so that nothing half-written is left behind.
#pragma once

namespace bellwether {

// Thrown by stop_if_interrupted(); the program exits with 128 + signal.
struct Interrupted {
    int signal;
};

void watch_interrupts();
// The signal that has come, or 0; any thread may ask.
int interrupted() noexcept;
void stop_if_interrupted();

}  // namespace bellwether
