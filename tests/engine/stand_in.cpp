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

void run_all(const DeviceRequest& packed, std::size_t algorithm, std::size_t numbers) {
    if (numbers == 0) throw std::logic_error("no kernel takes this");
    RunThread* const run_thread = thread_of(Algorithms{}, algorithm);
    for (std::uint64_t block = 0; block < blocks_of_trajectory(packed.count) * packed.trajectory_count; ++block) {
        std::vector<double> memory(numbers * threads_of_block, left_over);
        for (std::uint64_t thread = 0; thread < threads_of_block; ++thread)
            run_thread(packed, block, thread, memory.data());
    }
}

class StandInStream final : public DeviceStream {
public:
    explicit StandInStream(const LaneStream& stream) : stream_(stream) {
        DeviceArena input;
        pack_stream(stream_, input);
        memory_.resize(input.bytes());
        input = {memory_.data(), reinterpret_cast<std::uintptr_t>(memory_.data())};
        packed_ = pack_stream(stream_, input);
    }
    bool takes(std::size_t algorithm) const override { return device_numbers(stream_, algorithm) > 0; }
    void learn(const LaneBlock& block, double* sums, double* weights) const override {
        DeviceArena input, output;
        pack_block(packed_, stream_, block, weights != nullptr, input, output);
        std::vector<std::byte> in(input.bytes()), out(output.bytes());
        input = {in.data(), reinterpret_cast<std::uintptr_t>(in.data())};
        output = {nullptr, reinterpret_cast<std::uintptr_t>(out.data())};
        run_all(pack_block(packed_, stream_, block, weights != nullptr, input, output), block.algorithm,
                device_numbers(stream_, block.algorithm));
        DeviceArena results(out.data(), 0);
        unpack_results(stream_, block, sums, weights, results);
    }

private:
    LaneStream stream_;
    std::vector<std::byte> memory_;
    DeviceRequest packed_{};
};

class StandIn final : public Device {
public:
    const DeviceInfo& info() const override { return info_; }
    double busy_seconds() const override { return 0; }
    std::unique_ptr<DeviceStream> hold(const LaneStream& stream) const override {
        return std::make_unique<StandInStream>(stream);
    }

    std::string_view name() const override { return "stand-in"; }
    std::uint64_t agent_steps_at_once() const override { return 60'000'000; }

    void run(std::span<const LaneRequest> batch) const override {
        DeviceArena input, output;
        for (const LaneRequest& request : batch) pack_request(request, input, output);
        std::vector<std::byte> in(input.bytes()), out(output.bytes());
        input = {in.data(), reinterpret_cast<std::uintptr_t>(in.data())};
        output = {nullptr, reinterpret_cast<std::uintptr_t>(out.data())};
        for (const LaneRequest& request : batch)
            run_all(pack_request(request, input, output), request.block.algorithm, device_numbers(request));
        DeviceArena results(out.data(), 0);
        for (const LaneRequest& request : batch) unpack_results(request, results);
    }

private:
    DeviceInfo info_{.id = "stand-in", .name = "stand-in"};
};

}  // namespace

std::unique_ptr<Device> make_stand_in() {
    return std::make_unique<StandIn>();
}

}  // namespace bellwether::test
