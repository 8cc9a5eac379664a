// Ctrl-C in long calls that have released the GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstddef>

namespace bellwether::python {

// Work in pieces of about a millisecond; every ten, Python looks whether a signal has come.
class SignalWatch {
public:
    // How many steps to take before the next call of ask().
    std::size_t steps() const { return steps_; }

    // Throws what the signal's handler raised (KeyboardInterrupt, as a rule). The GIL must be released.
    void ask() {
        const auto now = Clock::now();
        const auto taken = now - asked_;
        asked_ = now;
        if (taken < std::chrono::microseconds(500)) steps_ *= 2;
        if (taken > std::chrono::milliseconds(2) && steps_ > 1) steps_ /= 2;
        if (now - looked_ < std::chrono::milliseconds(10)) return;
        looked_ = now;
        const pybind11::gil_scoped_acquire hold;
        if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
    }

private:
    using Clock = std::chrono::steady_clock;

    std::size_t steps_ = 1;
    Clock::time_point asked_ = Clock::now();
    Clock::time_point looked_ = asked_;
};

}  // namespace bellwether::python
