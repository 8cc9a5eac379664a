// Threads that share a list of tasks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>

namespace bellwether {

// Those that this process may use.
std::size_t usable_cores();

// Does tasks 0 … count − 1: each thread takes the next one that nobody has. `work` gets the number of its thread. The
// calling thread calls `watch` at this interval. Where `stop` is set no task begins any more; an exception of a
// task or of `watch` sets it, and is thrown here when all threads have ended.
void parallel_for(std::size_t threads, std::size_t count, std::atomic<bool>& stop,
                  const std::function<void(std::size_t thread, std::size_t task)>& work,
                  const std::function<void()>& watch,
                  std::chrono::milliseconds watch_interval = std::chrono::milliseconds(50));

}  // namespace bellwether
