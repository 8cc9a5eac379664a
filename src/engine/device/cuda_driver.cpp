#include "engine/device/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace bellwether {

namespace {

struct FoundDriver {
    CudaDriver driver{};
    std::string problem;
};

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

bool find_all(void* library, CudaDriver& d) {
    return find(library, "cuInit", d.init) && find(library, "cuDriverGetVersion", d.driver_version) &&
           find(library, "cuGetErrorString", d.error_text) && find(library, "cuDeviceGetCount", d.device_count) &&
           find(library, "cuDeviceGet", d.device_get) && find(library, "cuDeviceGetName", d.device_name) &&
           find(library, "cuDeviceTotalMem_v2", d.device_memory) &&
           find(library, "cuDeviceGetAttribute", d.device_attribute) &&
           find(library, "cuDevicePrimaryCtxSetFlags_v2", d.context_flags) &&
           find(library, "cuDevicePrimaryCtxRetain", d.context_retain) &&
           find(library, "cuDevicePrimaryCtxRelease_v2", d.context_release) &&
           find(library, "cuCtxSetCurrent", d.context_use) && find(library, "cuModuleLoadData", d.module_load) &&
           find(library, "cuModuleUnload", d.module_unload) &&
           find(library, "cuModuleGetFunction", d.module_function) &&
           find(library, "cuFuncSetAttribute", d.function_attribute) && find(library, "cuMemAlloc_v2", d.allocate) &&
           find(library, "cuMemFree_v2", d.release) && find(library, "cuMemAllocHost_v2", d.allocate_host) &&
           find(library, "cuMemFreeHost", d.release_host) && find(library, "cuStreamCreate", d.stream_create) &&
           find(library, "cuStreamDestroy_v2", d.stream_destroy) &&
           find(library, "cuStreamSynchronize", d.stream_wait) && find(library, "cuMemcpyHtoDAsync_v2", d.to_device) &&
           find(library, "cuMemcpyDtoHAsync_v2", d.from_device) && find(library, "cuLaunchKernel", d.launch) &&
           find(library, "cuEventCreate", d.event_create) && find(library, "cuEventDestroy_v2", d.event_destroy) &&
           find(library, "cuEventRecord", d.event_record) && find(library, "cuEventSynchronize", d.event_wait) &&
           find(library, "cuEventElapsedTime", d.event_elapsed);
}

FoundDriver look_for_driver() {
    FoundDriver found;
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);  // stays open: the driver does not like to go
    if (!library) {
        found.problem = "the library of NVIDIA's driver, libcuda.so.1, is not found";
    } else if (!find_all(library, found.driver)) {
        found.problem = "NVIDIA's driver is too old: it must know CUDA 12 or later";
    } else if (const cuda::Result result = found.driver.init(0); result != cuda::success) {
        const char* text = nullptr;
        found.driver.error_text(result, &text);
        found.problem = fmt::format("NVIDIA's driver does not start: {}", text ? text : "unknown error");
    }
    return found;
}

}  // namespace

const CudaDriver* find_cuda_driver(std::string& problem) {
    static const FoundDriver found = look_for_driver();
    problem = found.problem;
    return found.problem.empty() ? &found.driver : nullptr;
}

}  // namespace bellwether
