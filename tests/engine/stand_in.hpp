// A device that is the host: the source of the kernels, run thread after thread and block after block. It takes what a
// device takes, packed as for a device.
#pragma once

#include <memory>

#include "engine/device/device.hpp"

namespace bellwether::test {

// Throws where a kernel would not take a request.
std::unique_ptr<Device> make_stand_in();

}  // namespace bellwether::test
