// The kernels of every algorithm, for nvcc: BELLWETHER_PARTS translation units take turns with them. Their names are
// those that device_kernel_name() predicts.
#include "engine/device/kernel.hpp"


namespace {

using namespace bellwether;

template <unsigned features>
struct FeaturesOfKind {
    using type = OneHot;
};
template <>
struct FeaturesOfKind<static_cast<unsigned>(LaneFeatures::Kind::sparse)> {
    using type = Sparse<double>;
};
template <>
struct FeaturesOfKind<static_cast<unsigned>(LaneFeatures::Kind::dense)> {
    using type = Dense<double>;
};

template <unsigned number, template <class, class> class First, template <class, class> class... Rest>
struct AlgorithmAt : AlgorithmAt<number - 1, Rest...> {};
template <template <class, class> class First, template <class, class> class... Rest>
struct AlgorithmAt<0, First, Rest...> {
    template <class Real, class Traces>
    using type = First<Real, Traces>;
    template <class Features, bool by_rule>
    static __device__ __forceinline__ void run(const DeviceRequest& request, void* memory) {
        if constexpr (has_kernel<by_rule>)
            run_device_thread<First, Features, by_rule>(request, blockIdx.x, threadIdx.x, memory);
    }
    template <bool by_rule>
    static constexpr bool has_kernel = by_rule ? runs_by_rule<First> : runs_on_device<First>;
};
template <unsigned number, template <class, class> class... Algorithm>
AlgorithmAt<number, Algorithm...> algorithm_at(AlgorithmList<Algorithm...>);
template <unsigned number>
using Numbered = decltype(algorithm_at<number>(Algorithms{}));

}  // namespace

template <unsigned algorithm, unsigned features, bool by_rule>
__global__ void __launch_bounds__(bellwether::threads_of_block)
    bellwether_sweep(const __grid_constant__ bellwether::DeviceRequest request) {
    extern __shared__ double memory[];
    Numbered<algorithm>::template run<typename FeaturesOfKind<features>::type, by_rule>(request, memory);
}

namespace {

template <unsigned algorithm, bool by_rule>
void use_kernels() {
    if constexpr (Numbered<algorithm>::template has_kernel<by_rule> && algorithm % BELLWETHER_PARTS == BELLWETHER_PART) {
        [[maybe_unused]] void* volatile used[] = {reinterpret_cast<void*>(&bellwether_sweep<algorithm, 0, by_rule>),
                                                  reinterpret_cast<void*>(&bellwether_sweep<algorithm, 1, by_rule>),
                                                  reinterpret_cast<void*>(&bellwether_sweep<algorithm, 2, by_rule>)};
    }
}
template <unsigned... algorithm>
void use_all(std::integer_sequence<unsigned, algorithm...>) {
    ((use_kernels<algorithm, false>(), use_kernels<algorithm, true>()), ...);
}

}  // namespace

void use_kernels_of_part();
void use_kernels_of_part() {
    use_all(std::make_integer_sequence<unsigned, Algorithms::count>{});
}
