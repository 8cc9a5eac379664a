// A device that is the host: the source of the kernels, run thread after thread and block after block. It takes what a
// device takes, packed as for a device.
#pragma once

#include <memory>

#include "engine/backend.hpp"

namespace bellwether::test {

// Throws where a kernel would not take a request.
std::unique_ptr<Backend> make_stand_in();

}  // namespace bellwether::test
