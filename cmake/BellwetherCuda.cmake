# The kernels for NVIDIA's cards, compiled by nvcc and made a part of the library bellwether_engine. The program needs
# neither nvcc nor CUDA to be built or run: without BELLWETHER_NVCC it has no kernels and says so when it is asked for them.
set(BELLWETHER_NVCC "" CACHE FILEPATH "nvcc of CUDA 13, for the kernels of --device cuda; empty for none (scripts/cuda_toolkit)")
set(BELLWETHER_CUDA_ARCHITECTURES "80;90" CACHE STRING "Compute capabilities to compile for; the last one as PTX too")
set(cuda_parts 8)  # translation units, of about equal size

if(NOT BELLWETHER_NVCC)
  target_sources(bellwether_engine PRIVATE device/without_kernels.cpp)
  return()
endif()

set(architecture_flags "")
foreach(architecture IN LISTS BELLWETHER_CUDA_ARCHITECTURES)
  list(APPEND architecture_flags -gencode arch=compute_${architecture},code=sm_${architecture})
endforeach()
list(GET BELLWETHER_CUDA_ARCHITECTURES -1 newest)
list(APPEND architecture_flags -gencode arch=compute_${newest},code=compute_${newest})

set(images "")
set(image_symbols "")
set(image_text "")
set(image_names "")
math(EXPR last_part "${cuda_parts} - 1")
foreach(part RANGE ${last_part})
  set(image ${CMAKE_CURRENT_BINARY_DIR}/kernels_${part}.fatbin)
  add_custom_command(
    OUTPUT ${image}
    # -fmad=false: every fused multiply-add is written where it is meant, as for the processor.
    COMMAND ${BELLWETHER_NVCC} -std=c++20 -O3 -fmad=false --expt-relaxed-constexpr -Werror cross-execution-space-call
            -ccbin ${CMAKE_CXX_COMPILER} ${architecture_flags} -fatbin -MD -MF ${image}.d -MT ${image} -o ${image}
            -DBELLWETHER_PARTS=${cuda_parts} -DBELLWETHER_PART=${part} -I${PROJECT_SOURCE_DIR}/include
            -I${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/device/kernels.cu
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/device/kernels.cu
    DEPFILE ${image}.d
    COMMENT "Kernels for CUDA, part ${part} of ${cuda_parts}"
    VERBATIM)
  list(APPEND images ${image})
  string(APPEND image_symbols "extern const unsigned char bellwether_kernels_${part}[];\n")
  string(APPEND image_text
         "    \".balign 64\\nbellwether_kernels_${part}:\\n.incbin \\\"${image}\\\"\\n\"\n")
  string(APPEND image_names "bellwether_kernels_${part}, ")
endforeach()
set(images_source ${CMAKE_CURRENT_BINARY_DIR}/device_images.cpp)
file(CONFIGURE OUTPUT ${images_source} CONTENT "// Made by cmake/BellwetherCuda.cmake.
#include \"engine/device/images.hpp\"

asm(\".pushsection .rodata\\n\"
@image_text@    \".popsection\\n\");
extern \"C\" {
@image_symbols@}
namespace bellwether {
std::span<const unsigned char* const> device_images() {
    static const unsigned char* const images[] = {@image_names@};
    return images;
}
}  // namespace bellwether
" @ONLY)
set_source_files_properties(${images_source} PROPERTIES OBJECT_DEPENDS "${images}")
target_sources(bellwether_engine PRIVATE ${images_source})
