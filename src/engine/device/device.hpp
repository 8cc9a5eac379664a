// Devices beside the processor: which there are, and the backend that computes on one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend.hpp"

namespace bellwether {

struct DeviceInfo {
    std::string id;    // cuda:0
    std::string name;  // NVIDIA H200
    std::size_t multiprocessors = 0;
    double memory = 0;             // bytes
    std::size_t block_memory = 0;  // bytes that the vectors of a block may take
    int capability = 0;            // 90: 9.0
    int driver = 0;                // 13000: it knows CUDA 13.0
};

// What can be said of devices on this machine.
struct DevicesFound {
    std::vector<DeviceInfo> devices;
    std::string problem;  // where there are none: what is missing
};
DevicesFound find_devices();

// A stream that lies on a device. Threads may share it.
class DeviceStream {
public:
    DeviceStream() = default;
    DeviceStream(const DeviceStream&) = delete;
    DeviceStream& operator=(const DeviceStream&) = delete;
    virtual ~DeviceStream() = default;

    // Whether configurations of an algorithm can learn from it there.
    virtual bool takes(std::size_t algorithm) const = 0;
    // They do. Error by error, a number for each: the sum over the steps that count, infinite where some weight is not
    // finite at the end; and the final weights, configuration by configuration (null: they are not wanted).
    virtual void learn(const LaneBlock& block, double* sums, double* weights) const = 0;
};

class Device : public Backend {
public:
    virtual const DeviceInfo& info() const = 0;
    // How long something has been running on the device, summed up.
    virtual double busy_seconds() const = 0;
    // Null where the device cannot take it. What `stream` refers to must stay.
    virtual std::unique_ptr<DeviceStream> hold(const LaneStream& stream) const = 0;
};

struct DeviceOptions {
    // What a device cannot take is done by this one.
    const Backend* beside = &best_instruction_set();
    // Told once of every kind of request that it cannot take.
    std::function<void(const std::string&)> notice = [](const std::string&) {};
    // Of the processes on this machine: `cuda` without a number gives them different devices.
    std::size_t local_rank = 0;
};

// Which of so many devices (at least one) a process takes: that of its number for `cuda:1`; for `cuda` they take turns,
// process by process of this machine, and share where there are fewer devices. UsageError where there is none of that
// number.
std::size_t choose_device(std::string_view option, std::string_view name, std::size_t devices, std::size_t local_rank);

// The device of that name: `cuda`, `cuda:1`; null for `cpu`, and for `auto` where there is none. UsageError where there
// is none; `option` is what the user calls the choice.
std::unique_ptr<Device> open_device(std::string_view option, std::string_view name, const DeviceOptions& options);

}  // namespace bellwether
