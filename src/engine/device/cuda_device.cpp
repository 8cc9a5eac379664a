// A card of NVIDIA's as a backend. Every batch goes by a stream of its own with memory of its own, so that as many are
// on their way as threads ask for some: one is prepared while another is computed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "bellwether/registry.hpp"
#include "engine/device/cuda_driver.hpp"
#include "engine/device/device.hpp"
#include "engine/device/images.hpp"
#include "engine/device/packing.hpp"
#include "support/error.hpp"
#include "support/number.hpp"

namespace bellwether {

namespace {

// Less than this is not worth the way to the device and back.
constexpr std::uint64_t least_agent_steps = 1000;
// A thread takes a step in about a microsecond, however many there are; the processor takes it for so many blocks in
// that time (docs/performance.md).
constexpr std::uint64_t least_blocks = 4;
// The share of the memory that the trajectories of a request may take: there are as many on their way as threads.
constexpr double most_of_memory = 1.0 / 64;
// Some milliseconds of a card; the memory for the scores and trajectories of so many is some megabytes.
constexpr std::uint64_t agent_steps_of_batch = 60'000'000;

// The driver, with errors as exceptions that name the device.
class Calls {
public:
    Calls(const CudaDriver& found, std::string device) : driver(found), device_(std::move(device)) {}

    template <class... Parameters, class... Arguments>
    void operator()(const char* doing, cuda::Result (*function)(Parameters...), Arguments... arguments) const {
        if (const cuda::Result result = function(arguments...); result != cuda::success) {
            const char* text = nullptr;
            driver.error_text(result, &text);
            throw WorkError(
                fmt::format("{}: {}: {}; what was finished is kept, and the same command resumes, also with --device "
                            "cpu",
                            device_, doing, text ? text : fmt::format("error {}", result)));
        }
    }

    const CudaDriver& driver;

private:
    std::string device_;
};

// Memory here, which the device reads by itself, and the same amount there.
class TwinMemory {
public:
    explicit TwinMemory(const Calls& call) : call_(call) {}
    TwinMemory(const TwinMemory&) = delete;
    TwinMemory& operator=(const TwinMemory&) = delete;
    ~TwinMemory() { release(); }

    void fit(std::size_t bytes) {
        if (bytes <= bytes_) return;
        release();
        const std::size_t wanted = bytes + bytes / 4;
        call_("memory of the device", call_.driver.allocate, &there_, wanted);
        call_("memory for the device", call_.driver.allocate_host, &here_, wanted);
        bytes_ = wanted;
    }
    std::byte* here() const { return static_cast<std::byte*>(here_); }
    cuda::DevicePointer there() const { return there_; }

private:
    void release() {
        if (there_) call_.driver.release(there_);
        if (here_) call_.driver.release_host(here_);
        there_ = 0;
        here_ = nullptr;
        bytes_ = 0;
    }

    const Calls& call_;
    cuda::DevicePointer there_ = 0;
    void* here_ = nullptr;
    std::size_t bytes_ = 0;
};

// What a batch on its way needs.
struct Channel {
    explicit Channel(const Calls& calls) : call(calls), input(calls), output(calls) {
        call("a stream", call.driver.stream_create, &stream, cuda::stream_non_blocking);
        for (cuda::Event* event : {&begin, &end}) call("an event", call.driver.event_create, event, 0U);
    }
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    ~Channel() {
        for (cuda::Event event : {begin, end})
            if (event) call.driver.event_destroy(event);
        if (stream) call.driver.stream_destroy(stream);
    }

    const Calls& call;
    cuda::Stream stream = nullptr;
    cuda::Event begin = nullptr, end = nullptr;
    TwinMemory input, output;
};

// When kernels have run, from and to, in seconds; batches overlap.
class BusyTime {
public:
    void add(double from, double to) {
        const std::lock_guard lock(mutex_);
        intervals_.emplace_back(from, to);
    }
    double sum() const {
        const std::lock_guard lock(mutex_);
        std::vector<std::pair<double, double>> sorted = intervals_;
        std::sort(sorted.begin(), sorted.end());
        double busy = 0, until = 0;
        for (const auto& [from, to] : sorted) {
            busy += std::max(0.0, to - std::max(from, until));
            until = std::max(until, to);
        }
        return busy;
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::pair<double, double>> intervals_;
};

class CudaDevice final : public Device {
public:
    CudaDevice(const CudaDriver& driver, cuda::DeviceNumber number, DeviceInfo info, const DeviceOptions& options)
        : info_(std::move(info)),
          title_(fmt::format("{} ({})", info_.id, info_.name)),
          options_(options),
          call_(driver, title_),
          number_(number) {
        call_.driver.context_flags(number, cuda::schedule_blocking);  // refused where somebody has begun; no harm
        call_("beginning", driver.context_retain, &context_, number);
        use();
        call_("an event", driver.event_create, &start_, 0U);
        call_("an event", driver.event_record, start_, cuda::Stream{});
        modules_.resize(device_images().size());
    }
    ~CudaDevice() override {
        call_.driver.context_use(context_);
        channels_.clear();
        if (start_) call_.driver.event_destroy(start_);
        for (const cuda::Module module : modules_)
            if (module) call_.driver.module_unload(module);
        call_.driver.context_release(number_);
    }

    std::string_view name() const override { return title_; }
    const DeviceInfo& info() const override { return info_; }
    double busy_seconds() const override { return busy_.sum(); }
    std::uint64_t agent_steps_at_once() const override { return agent_steps_of_batch; }

    std::unique_ptr<DeviceStream> hold(const LaneStream& stream) const override;

    void run(std::span<const LaneRequest> batch) const override {
        std::vector<const LaneRequest*> taken;
        for (const LaneRequest& request : batch) {
            if (is_worth_it(request) &&
                takes(request.block.algorithm, request.features.dimension, device_numbers(request), lacking(request)))
                taken.push_back(&request);
            else
                options_.beside->run({&request, 1});
        }
        if (!taken.empty()) compute(taken);
    }

private:
    void use() const { call_("its context", call_.driver.context_use, context_); }

    static std::uint64_t steps_of(const LaneRequest& request) {
        std::uint64_t steps = 0;
        for (std::size_t r = 0; r < request.trajectory_count; ++r) steps += request.trajectories[r].steps;
        return steps;
    }
    static bool is_worth_it(const LaneRequest& request) {
        return steps_of(request) * request.block.count >= least_agent_steps &&
               blocks_of_trajectory(request.block.count) * request.trajectory_count >= least_blocks;
    }
    std::string lacking(const LaneRequest& request) const {
        const double bytes = static_cast<double>(steps_of(request) * sizeof(DeviceStep));
        if (bytes > info_.memory * most_of_memory)
            return fmt::format("its trajectories take {:.1f} GB there, and {:.1f} GB are for those of a thread",
                               bytes / 1e9, info_.memory * most_of_memory / 1e9);
        return std::string(why_not_on_device(request));
    }
    // Whether the vectors of so many numbers for each thread (0: there is no kernel) find room; says so once where not,
    // or what no kernel does yet.
    bool takes(std::size_t algorithm, std::size_t dimension, std::size_t numbers,
               const std::string& lacking = {}) const {
        if (lacking.empty() && numbers > 0 && bytes_of_block(numbers) <= info_.block_memory) return true;
        const std::string why =
            !lacking.empty() ? lacking
            : numbers == 0   ? std::string("it has no kernel there")
                             : fmt::format("with {} features {} configurations take {} kB, and there are {}", dimension,
                                           threads_of_block, bytes_of_block(numbers) / 1024, info_.block_memory / 1024);
        const std::lock_guard lock(mutex_);
        if (told_.insert({algorithm, dimension}).second)
            options_.notice(
                fmt::format("{} is run on the processor beside {}: {}", algorithm_table[algorithm].id, title_, why));
        return false;
    }

    // A channel that is free; new ones as they are needed.
    std::unique_ptr<Channel> take_channel() const {
        {
            const std::lock_guard lock(mutex_);
            if (!channels_.empty()) {
                std::unique_ptr<Channel> channel = std::move(channels_.back());
                channels_.pop_back();
                return channel;
            }
        }
        return std::make_unique<Channel>(call_);
    }
    void put_back(std::unique_ptr<Channel> channel) const {
        const std::lock_guard lock(mutex_);
        channels_.push_back(std::move(channel));
    }

    void compute(const std::vector<const LaneRequest*>& batch) const {
        by_channel(
            [&](DeviceArena& input, DeviceArena& output) {
                std::vector<Launch> launches;
                for (const LaneRequest* request : batch)
                    launches.push_back(
                        {request->block.algorithm, device_numbers(*request), pack_request(*request, input, output)});
                return launches;
            },
            [&](DeviceArena& results) {
                for (const LaneRequest* request : batch) unpack_results(*request, results);
            });
    }

    struct Launch {
        std::size_t algorithm, numbers;
        DeviceRequest packed;
    };
    // What is packed goes to the device, is computed there, and comes back. Packs twice, the first time to measure.
    template <class Pack, class Unpack>
    void by_channel(Pack pack, Unpack unpack) const {
        use();
        std::unique_ptr<Channel> channel = take_channel();
        DeviceArena input, output;
        pack(input, output);
        channel->input.fit(input.bytes());
        channel->output.fit(output.bytes());
        input = {channel->input.here(), channel->input.there()};
        output = {nullptr, channel->output.there()};
        std::vector<Launch> launches = pack(input, output);

        call_("sending", call_.driver.to_device, channel->input.there(), channel->input.here(), input.bytes(),
              channel->stream);
        call_("timing", call_.driver.event_record, channel->begin, channel->stream);
        for (Launch& one : launches) launch(one, channel->stream);
        call_("timing", call_.driver.event_record, channel->end, channel->stream);
        call_("receiving", call_.driver.from_device, channel->output.here(), channel->output.there(), output.bytes(),
              channel->stream);
        call_("computing", call_.driver.stream_wait, channel->stream);
        float from = 0, to = 0;
        call_("timing", call_.driver.event_elapsed, &from, start_, channel->begin);
        call_("timing", call_.driver.event_elapsed, &to, start_, channel->end);
        busy_.add(double{from} / 1000, double{to} / 1000);

        DeviceArena results(channel->output.here(), 0);
        unpack(results);
        put_back(std::move(channel));
    }

    void launch(Launch& one, cuda::Stream stream) const {
        const auto memory = static_cast<unsigned>(bytes_of_block(one.numbers));
        const cuda::Function kernel = find_kernel(one.algorithm, static_cast<std::size_t>(one.packed.features.kind));
        void* arguments[] = {&one.packed};
        const auto blocks = static_cast<unsigned>(blocks_of_trajectory(one.packed.count) * one.packed.trajectory_count);
        call_("a kernel", call_.driver.launch, kernel, blocks, 1U, 1U, unsigned{threads_of_block}, 1U, 1U, memory,
              stream, arguments, nullptr);
    }

    cuda::Function find_kernel(std::size_t algorithm, std::size_t features) const {
        const std::lock_guard lock(mutex_);
        cuda::Function& kernel = kernels_[{algorithm, features}];
        if (kernel) return kernel;
        const std::size_t part = algorithm % modules_.size();
        if (!modules_[part]) call_("loading kernels", call_.driver.module_load, &modules_[part], device_images()[part]);
        const std::string name = device_kernel_name(algorithm, features);
        call_("finding a kernel", call_.driver.module_function, &kernel, modules_[part], name.c_str());
        call_("the memory of a kernel", call_.driver.function_attribute, kernel, cuda::function_shared_memory,
              static_cast<int>(info_.block_memory));
        return kernel;
    }

    friend class CudaStream;

    DeviceInfo info_;
    std::string title_;
    DeviceOptions options_;
    Calls call_;
    cuda::DeviceNumber number_;
    cuda::Context context_ = nullptr;
    cuda::Event start_ = nullptr;
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<Channel>> channels_;
    mutable std::vector<cuda::Module> modules_;
    mutable std::map<std::pair<std::size_t, std::size_t>, cuda::Function> kernels_;
    mutable std::set<std::pair<std::size_t, std::size_t>> told_;
    mutable BusyTime busy_;
};

// A stream in the memory of a card.
class CudaStream final : public DeviceStream {
public:
    CudaStream(const CudaDevice& device, const LaneStream& stream)
        : device_(device), stream_(stream), memory_(device.call_) {
        device_.use();
        DeviceArena input;
        pack_stream(stream_, input);
        memory_.fit(input.bytes());
        input = {memory_.here(), memory_.there()};
        packed_ = pack_stream(stream_, input);
        std::unique_ptr<Channel> channel = device_.take_channel();
        device_.call_("sending a stream", device_.call_.driver.to_device, memory_.there(), memory_.here(),
                      input.bytes(), channel->stream);
        device_.call_("sending a stream", device_.call_.driver.stream_wait, channel->stream);
        device_.put_back(std::move(channel));
    }
    ~CudaStream() override { device_.call_.driver.context_use(device_.context_); }

    bool takes(std::size_t algorithm) const override {
        return device_.takes(algorithm, stream_.source.x.dimension, device_numbers(stream_, algorithm));
    }
    void learn(const LaneBlock& block, double* sums, double* weights) const override {
        device_.by_channel(
            [&](DeviceArena& input, DeviceArena& output) {
                return std::vector<CudaDevice::Launch>{
                    {block.algorithm, device_numbers(stream_, block.algorithm),
                     pack_block(packed_, stream_, block, weights != nullptr, input, output)}};
            },
            [&](DeviceArena& results) { unpack_results(stream_, block, sums, weights, results); });
    }

private:
    const CudaDevice& device_;
    LaneStream stream_;
    TwinMemory memory_;
    DeviceRequest packed_{};
};

std::unique_ptr<DeviceStream> CudaDevice::hold(const LaneStream& stream) const {
    DeviceArena input;
    pack_stream(stream, input);
    const double bytes = static_cast<double>(input.bytes());
    if (bytes <= info_.memory / 2) return std::make_unique<CudaStream>(*this, stream);
    options_.notice(
        fmt::format("the stream is learned from on the processor beside {}: it takes {:.1f} GB there, and "
                    "half of its memory is {:.1f} GB",
                    title_, bytes / 1e9, info_.memory / 2e9));
    return nullptr;
}

DeviceInfo describe(const CudaDriver& driver, int number) {
    const auto attribute = [&](cuda::Attribute which) {
        int value = 0;
        driver.device_attribute(&value, which, number);
        return value;
    };
    std::array<char, 256> name{};
    std::size_t memory = 0;
    int version = 0;
    driver.device_name(name.data(), static_cast<int>(name.size()), number);
    driver.device_memory(&memory, number);
    driver.driver_version(&version);
    return {.id = fmt::format("cuda:{}", number),
            .name = name.data(),
            .multiprocessors = static_cast<std::size_t>(attribute(cuda::multiprocessor_count)),
            .memory = static_cast<double>(memory),
            .block_memory = static_cast<std::size_t>(attribute(cuda::most_block_memory)),
            .capability = 10 * attribute(cuda::capability_major) + attribute(cuda::capability_minor),
            .driver = version};
}

}  // namespace

std::size_t choose_device(std::string_view option, std::string_view name, std::size_t devices, std::size_t local_rank) {
    if (name == "cuda") return local_rank % devices;
    const auto number = parse_count(name.substr(std::string_view("cuda:").size()));
    if (number && *number < devices) return *number;
    throw UsageError(fmt::format("{}: there is no '{}' (there is: cpu, cuda, cuda:0{})", option, name,
                                 devices > 1 ? fmt::format(" to cuda:{}", devices - 1) : ""));
}

std::string device_kernel_name(std::size_t algorithm, std::size_t features) {
    return fmt::format("_Z16bellwether_sweepILj{}ELj{}EEvN10bellwether13DeviceRequestE", algorithm, features);
}

DevicesFound find_devices() {
    DevicesFound found;
    const CudaDriver* driver = find_cuda_driver(found.problem);
    if (!driver) return found;
    int count = 0;
    driver->device_count(&count);
    for (int number = 0; number < count; ++number) found.devices.push_back(describe(*driver, number));
    if (found.devices.empty())
        found.problem = "NVIDIA's driver knows of no device";
    else if (device_images().empty())
        found.problem = "this program was built without kernels for it: 'make gpu' builds one that has them";
    return found;
}

std::unique_ptr<Device> open_device(std::string_view option, std::string_view name, const DeviceOptions& options) {
    if (name == "cpu") return nullptr;
    if (name == "auto") return find_devices().problem.empty() ? open_device(option, "cuda", options) : nullptr;
    if (name != "cuda" && !name.starts_with("cuda:"))
        throw UsageError(
            fmt::format("{}: '{}' is not a device (cpu, cuda, cuda: and a number, or auto)", option, name));
    const DevicesFound found = find_devices();
    if (!found.problem.empty()) throw UsageError(fmt::format("{} {}: {}", option, name, found.problem));
    const std::size_t number = choose_device(option, name, found.devices.size(), options.local_rank);
    std::string problem;
    return std::make_unique<CudaDevice>(*find_cuda_driver(problem), static_cast<cuda::DeviceNumber>(number),
                                        found.devices[number], options);
}

}  // namespace bellwether
