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

class Device : public Backend {
public:
    virtual const DeviceInfo& info() const = 0;
    // How long something has been running on the device, summed up.
    virtual double busy_seconds() const = 0;
};

struct DeviceOptions {
    // What a device cannot take is done by this one.
    const Backend* beside = &best_instruction_set();
    // Told once of every kind of request that it cannot take.
    std::function<void(const std::string&)> notice = [](const std::string&) {};
    // Of the processes on this machine: `cuda` without a number gives them different devices.
    std::size_t local_rank = 0;
};

// The device of that name: `cuda`, `cuda:1`; null for `cpu`, and for `auto` where there is none. UsageError where there
// is none; `option` is what the user calls the choice.
std::unique_ptr<Device> open_device(std::string_view option, std::string_view name, const DeviceOptions& options);

}  // namespace bellwether
