#include "stand_in.hpp"

#include <stdexcept>
#include <vector>

#include "engine/device/kernel.hpp"
#include "engine/device/packing.hpp"

namespace bellwether::test {
namespace {

using RunThread = void(const DeviceRequest& request, std::uint64_t block, std::uint64_t thread, void* memory);

template <template <class, class> class Algorithm>
void run_thread(const DeviceRequest& request, std::uint64_t block, std::uint64_t thread, void* memory) {
    if constexpr (runs_on_device<Algorithm>) {
        switch (request.features.kind) {
            case LaneFeatures::Kind::one_hot:
                return run_device_thread<Algorithm, OneHot>(request, block, thread, memory);
            case LaneFeatures::Kind::sparse:
                return run_device_thread<Algorithm, Sparse<double>>(request, block, thread, memory);
            case LaneFeatures::Kind::dense:
                return run_device_thread<Algorithm, Dense<double>>(request, block, thread, memory);
        }
    }
}
template <template <class, class> class... Algorithm>
RunThread* thread_of(AlgorithmList<Algorithm...>, std::size_t algorithm) {
    static constexpr RunThread* all[] = {run_thread<Algorithm>...};
    return all[algorithm];
}

// Memory as a block has it, and as it may find it.
constexpr double left_over = -12345.678;

class StandIn final : public Backend {
public:
    std::string_view name() const override { return "stand-in"; }
    std::uint64_t agent_steps_at_once() const override { return 60'000'000; }

    void run(std::span<const LaneRequest> batch) const override {
        DeviceArena input, output;
        for (const LaneRequest& request : batch) pack_request(request, input, output);
        std::vector<std::byte> in(input.bytes()), out(output.bytes());
        input = {in.data(), reinterpret_cast<std::uintptr_t>(in.data())};
        output = {nullptr, reinterpret_cast<std::uintptr_t>(out.data())};
        for (const LaneRequest& request : batch) run_all(request, pack_request(request, input, output));
        DeviceArena results(out.data(), 0);
        for (const LaneRequest& request : batch) unpack_results(request, results);
    }

private:
    static void run_all(const LaneRequest& request, const DeviceRequest& packed) {
        const std::size_t numbers = device_numbers(request);
        if (numbers == 0) throw std::logic_error("no kernel takes this");
        RunThread* const run_thread = thread_of(Algorithms{}, request.block.algorithm);
        for (std::uint64_t block = 0; block < blocks_of_trajectory(packed) * packed.trajectory_count; ++block) {
            std::vector<double> memory(numbers * threads_of_block, left_over);
            for (std::uint64_t thread = 0; thread < threads_of_block; ++thread)
                run_thread(packed, block, thread, memory.data());
        }
    }
};

}  // namespace

std::unique_ptr<Backend> make_stand_in() {
    return std::make_unique<StandIn>();
}

}  // namespace bellwether::test
