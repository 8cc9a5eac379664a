// The compiled kernels that are part of this program: none where it was built without nvcc.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace bellwether {

// Part n has the algorithms whose number leaves n when divided by the number of parts (kernels.cu).
std::span<const unsigned char* const> device_images();

// The name of a kernel, as the compiler makes it: bellwether_sweep<algorithm, kind of features, whether by a rule for
// step sizes> (kernels.cu).
std::string device_kernel_name(std::size_t algorithm, std::size_t features, bool by_rule);

}  // namespace bellwether
