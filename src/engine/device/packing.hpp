// Requests of the backend seam, packed into memory of a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/backend.hpp"
#include "engine/device/kernel_data.hpp"

namespace bellwether {

// Memory that is filled here and read there: things are put one behind the other, at `here`, and pointers to them are
// valid where the memory begins at `there`. Without memory it measures.
class DeviceArena {
public:
    DeviceArena() = default;
    DeviceArena(std::byte* here, std::uintptr_t there) : here_(here), there_(there) {}

    std::size_t bytes() const { return offset_; }

    // Room for so many; what stands here of it is in `*here`, null while it measures.
    template <class T>
    T* reserve(std::size_t count, T** here = nullptr) {
        const std::size_t at = offset_;
        offset_ += (count * sizeof(T) + alignment - 1) / alignment * alignment;
        if (here) *here = here_ ? reinterpret_cast<T*>(here_ + at) : nullptr;
        return reinterpret_cast<T*>(there_ + at);  // NOLINT(performance-no-int-to-ptr)
    }
    template <class T>
    const T* put(const T* from, std::size_t count) {
        T* here = nullptr;
        const T* there = reserve<T>(count, &here);
        if (here && count > 0) std::memcpy(here, from, count * sizeof(T));
        return there;
    }

private:
    static constexpr std::size_t alignment = 64;
    std::byte* here_ = nullptr;
    std::uintptr_t there_ = 0;
    std::size_t offset_ = 0;
};

// The numbers that a thread needs, or 0 where no kernel takes the request.
std::size_t device_numbers(const LaneRequest& request);
std::size_t device_numbers(const LaneStream& stream, std::size_t algorithm);
inline std::size_t bytes_of_block(std::size_t numbers) {
    return numbers * threads_of_block * sizeof(double);
}

// What the kernels read goes into `input`; what they write has its place in `output`.
DeviceRequest pack_request(const LaneRequest& request, DeviceArena& input, DeviceArena& output);
// Puts what the kernels have written, which begins at `output`, where the request wants it.
void unpack_results(const LaneRequest& request, DeviceArena& output);

// The same of a stream in two parts: what all blocks of configurations read, and then one of these.
DeviceRequest pack_stream(const LaneStream& stream, DeviceArena& input);
DeviceRequest pack_block(const DeviceRequest& packed_stream, const LaneStream& stream, const LaneBlock& block,
                         bool keeps_weights, DeviceArena& input, DeviceArena& output);
void unpack_results(const LaneStream& stream, const LaneBlock& block, double* sums, double* weights,
                    DeviceArena& output);

}  // namespace bellwether
