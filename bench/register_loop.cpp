#include "register_loop.hpp"

namespace bench {

namespace {

#if defined(__AVX512F__)
constexpr std::size_t register_size = 64;
#elif defined(__AVX__)
constexpr std::size_t register_size = 32;
#else
constexpr std::size_t register_size = 16;
#endif
using Register [[gnu::vector_size(register_size)]] = double;

constexpr std::size_t chains = 10;

}  // namespace

std::size_t multiply_adds_of_iteration() {
    return chains * register_size / sizeof(double);
}

// Ten chains keep two units with a latency of up to five cycles busy, and fit into sixteen registers.
double run_register_loop(std::size_t iterations) {
    Register sums[chains]{};
    for (std::size_t k = 0; k < chains; ++k) sums[k] += static_cast<double>(k);
    const double factor = 0.999999, addend = 1e-3;
    for (std::size_t n = 0; n < iterations; ++n) {
#pragma GCC unroll 10
        for (std::size_t k = 0; k < chains; ++k) sums[k] = sums[k] * factor + addend;
    }
    double total = 0;
    for (const Register& sum : sums) total += sum[0];
    return total;
}

}  // namespace bench
