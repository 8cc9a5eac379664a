#include "logs/vectors.hpp"

#include <algorithm>
#include <cstring>

// One function for several instruction sets, chosen when the program starts. Products are not fused with sums
// (-ffp-contract=off), so that all of them have the same results.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BELLWETHER_FOR_EACH_INSTRUCTION_SET __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BELLWETHER_FOR_EACH_INSTRUCTION_SET
#endif

namespace bellwether {

namespace {

constexpr std::size_t lanes = 8;

BELLWETHER_FOR_EACH_INSTRUCTION_SET
double dot_in_lanes(const double* one, const double* other, std::size_t size) {
    double sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) sums[k] += one[i + k] * other[i + k];
    for (std::size_t k = 0; i < size; ++i, ++k) sums[k] += one[i] * other[i];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

BELLWETHER_FOR_EACH_INSTRUCTION_SET
void add_scaled_to(double scale, const double* __restrict x, double* __restrict to, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) to[i] += scale * x[i];
}

// column += Σ_k z_k y_k, eight of them; z has rows of `size`.
BELLWETHER_FOR_EACH_INSTRUCTION_SET
void add_eight(const double* __restrict z, const double* y, double* __restrict column, std::size_t size) {
    const double y0 = y[0], y1 = y[1], y2 = y[2], y3 = y[3], y4 = y[4], y5 = y[5], y6 = y[6], y7 = y[7];
    for (std::size_t i = 0; i < size; ++i) {
        double sum = column[i];
        sum += z[i] * y0;
        sum += z[size + i] * y1;
        sum += z[2 * size + i] * y2;
        sum += z[3 * size + i] * y3;
        sum += z[4 * size + i] * y4;
        sum += z[5 * size + i] * y5;
        sum += z[6 * size + i] * y6;
        sum += z[7 * size + i] * y7;
        column[i] = sum;
    }
}

}  // namespace

double dot(std::span<const double> one, std::span<const double> other) {
    return dot_in_lanes(one.data(), other.data(), one.size());
}

void add_scaled(double scale, std::span<const double> x, std::span<double> to) {
    add_scaled_to(scale, x.data(), to.data(), x.size());
}

OuterProducts::OuterProducts(std::size_t size, double* columns)
    : size_(size), columns_(columns), z_(at_once * size), y_(at_once * size) {}

void OuterProducts::add(std::span<const double> z, std::span<const double> y) {
    constexpr std::size_t share_of_dense = 4;
    const auto entries = size_ - static_cast<std::size_t>(std::count(y.begin(), y.end(), 0.0));
    if (entries * share_of_dense < size_) {  // a few columns only
        for (std::size_t j = 0; j < size_; ++j)
            if (y[j] != 0) add_scaled_to(y[j], z.data(), columns_ + j * size_, size_);
        return;
    }
    std::memcpy(&z_[waiting_ * size_], z.data(), z.size_bytes());
    for (std::size_t j = 0; j < size_; ++j) y_[j * at_once + waiting_] = y[j];
    if (++waiting_ == at_once) flush();
}

void OuterProducts::flush() {
    if (waiting_ == 0) return;
    for (std::size_t k = waiting_; k < at_once; ++k) {
        std::fill_n(&z_[k * size_], size_, 0.0);
        for (std::size_t j = 0; j < size_; ++j) y_[j * at_once + k] = 0;
    }
    for (std::size_t j = 0; j < size_; ++j) add_eight(z_.data(), &y_[j * at_once], columns_ + j * size_, size_);
    waiting_ = 0;
}

}  // namespace bellwether
