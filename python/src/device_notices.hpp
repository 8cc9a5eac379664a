// What a device says it leaves to the processor, as Python's warnings.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace bellwether::python {

class DeviceNotices {
public:
    // For DeviceOptions; threads may call it, with the GIL or without.
    std::function<void(const std::string&)> listener() {
        return [this](const std::string& text) {
            const std::lock_guard lock(mutex_);
            heard_.push_back(text);
        };
    }
    // The GIL must be held. A warning that is made an error is thrown.
    void warn() {
        const std::lock_guard lock(mutex_);
        for (const std::string& text : heard_)
            if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) throw pybind11::error_already_set();
        heard_.clear();
    }

private:
    std::mutex mutex_;
    std::vector<std::string> heard_;
};

}  // namespace bellwether::python
