// The functions of the CUDA driver that are used, from its library, which is found when the program runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bellwether {

// As the driver's interface has them; it does not change.
namespace cuda {
using Result = int;
inline constexpr Result success = 0;
using DeviceNumber = int;
using DevicePointer = std::uintptr_t;
struct ContextOf;
struct ModuleOf;
struct FunctionOf;
struct StreamOf;
struct EventOf;
using Context = ContextOf*;
using Module = ModuleOf*;
using Function = FunctionOf*;
using Stream = StreamOf*;
using Event = EventOf*;

enum Attribute : int {
    multiprocessor_count = 16,
    capability_major = 75,
    capability_minor = 76,
    most_block_memory = 97,  // of shared memory, where it is asked for
};
inline constexpr int function_shared_memory = 8;  // the attribute of a kernel that asks for it
inline constexpr unsigned schedule_blocking = 4;  // threads that wait for the device sleep
inline constexpr unsigned stream_non_blocking = 1;
}  // namespace cuda

struct CudaDriver {
    cuda::Result (*init)(unsigned);
    cuda::Result (*driver_version)(int*);
    cuda::Result (*error_text)(cuda::Result, const char**);
    cuda::Result (*device_count)(int*);
    cuda::Result (*device_get)(cuda::DeviceNumber*, int);
    cuda::Result (*device_name)(char*, int, cuda::DeviceNumber);
    cuda::Result (*device_memory)(std::size_t*, cuda::DeviceNumber);
    cuda::Result (*device_attribute)(int*, int, cuda::DeviceNumber);
    cuda::Result (*context_flags)(cuda::DeviceNumber, unsigned);
    cuda::Result (*context_retain)(cuda::Context*, cuda::DeviceNumber);
    cuda::Result (*context_release)(cuda::DeviceNumber);
    cuda::Result (*context_use)(cuda::Context);
    cuda::Result (*module_load)(cuda::Module*, const void*);
    cuda::Result (*module_unload)(cuda::Module);
    cuda::Result (*module_function)(cuda::Function*, cuda::Module, const char*);
    cuda::Result (*function_attribute)(cuda::Function, int, int);
    cuda::Result (*allocate)(cuda::DevicePointer*, std::size_t);
    cuda::Result (*release)(cuda::DevicePointer);
    cuda::Result (*allocate_host)(void**, std::size_t);
    cuda::Result (*release_host)(void*);
    cuda::Result (*stream_create)(cuda::Stream*, unsigned);
    cuda::Result (*stream_destroy)(cuda::Stream);
    cuda::Result (*stream_wait)(cuda::Stream);
    cuda::Result (*to_device)(cuda::DevicePointer, const void*, std::size_t, cuda::Stream);
    cuda::Result (*from_device)(void*, cuda::DevicePointer, std::size_t, cuda::Stream);
    cuda::Result (*launch)(cuda::Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           cuda::Stream, void**, void**);
    cuda::Result (*event_create)(cuda::Event*, unsigned);
    cuda::Result (*event_destroy)(cuda::Event);
    cuda::Result (*event_record)(cuda::Event, cuda::Stream);
    cuda::Result (*event_wait)(cuda::Event);
    cuda::Result (*event_elapsed)(float*, cuda::Event, cuda::Event);
};

// The driver of this machine, begun; null where there is none, and then `problem` says why.
const CudaDriver* find_cuda_driver(std::string& problem);

}  // namespace bellwether
