// For a build without nvcc.
#include "engine/device/images.hpp"

namespace bellwether {

std::span<const unsigned char* const> device_images() {
    return {};
}

}  // namespace bellwether
