#include "logs/vectors.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

// One function for several instruction sets, chosen when the program starts. Products are not fused with sums
// (-ffp-contract=off), so that all of them have the same results.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BELLWETHER_SEVERAL_INSTRUCTION_SETS
#define BELLWETHER_FOR_EACH_INSTRUCTION_SET __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BELLWETHER_FOR_EACH_INSTRUCTION_SET
#endif

namespace bellwether {

namespace {

// By its name alone: deduced, the type loses its alignment.
typedef double Pack __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)), may_alias));
typedef std::int64_t Counts __attribute__((vector_size(lanes * sizeof(double))));

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

// One block after the other, a pack of x and y at a time. u does not overlap with `to`: the last pack may then begin
// within the one before it.
BELLWETHER_FOR_EACH_INSTRUCTION_SET
void set_decayed_in_packs(double decay, const double* u, const BlockFactors* factors, std::size_t blocks,
                          const double* x, const double* y, double* to, std::size_t size) {
    const auto set = [&](std::size_t i) __attribute__((always_inline)) {
        const Pack x_pack = *reinterpret_cast<const Pack*>(x + i), y_pack = *reinterpret_cast<const Pack*>(y + i);
        for (std::size_t block = 0, at = i; block < blocks; ++block, at += size)
            *reinterpret_cast<Pack*>(to + at) = decay * *reinterpret_cast<const Pack*>(u + at) +
                                                (factors[block].of_x * x_pack + factors[block].of_y * y_pack);
    };
    std::size_t i = 0;
    for (; i + lanes <= size; i += lanes) set(i);
    if (i == size) return;
    if (size > lanes) return set(size - lanes);
    for (; i < size; ++i)
        for (std::size_t block = 0, at = i; block < blocks; ++block, at += size)
            to[at] = decay * u[at] + (factors[block].of_x * x[i] + factors[block].of_y * y[i]);
}

// Copies numbers to where zeros follow them up to a whole pack, and counts those that are not 0.
BELLWETHER_FOR_EACH_INSTRUCTION_SET
std::size_t copy_counting(const double* numbers, double* to, std::size_t size) {
    std::memcpy(to, numbers, size * sizeof(double));
    Counts counts{};
    for (std::size_t i = 0; i < size; i += lanes) counts -= *reinterpret_cast<const Pack*>(to + i) != 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < lanes; ++k) count += static_cast<std::size_t>(counts[k]);
    return count;
}

BELLWETHER_FOR_EACH_INSTRUCTION_SET
void add_to_decayed_to(double decay, double a, const double* __restrict x, double b, const double* __restrict y,
                       double* __restrict u, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) u[i] = decay * u[i] + (a * x[i] + b * y[i]);
}

// ---- products in blocks that stay in registers

#define BELLWETHER_INLINED __attribute__((always_inline)) inline

struct Block {
    const double* z;
    std::size_t by_depth;  // of z
    Factors y;
    std::size_t depth;
    double* to;
    std::size_t by_column;
};

template <std::size_t packs, std::size_t columns>
BELLWETHER_INLINED void add_whole_block(const Block& b) {
    Pack sums[columns][packs];
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t p = 0; p < packs; ++p)
            sums[c][p] = *reinterpret_cast<const Pack*>(b.to + c * b.by_column + p * lanes);
    for (std::size_t k = 0; k < b.depth; ++k) {
        const Pack* const z = reinterpret_cast<const Pack*>(b.z + k * b.by_depth);
        for (std::size_t c = 0; c < columns; ++c)
            for (std::size_t p = 0; p < packs; ++p)
                sums[c][p] += z[p] * b.y.first[c * b.y.by_column + k * b.y.by_depth];
    }
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t p = 0; p < packs; ++p)
            *reinterpret_cast<Pack*>(b.to + c * b.by_column + p * lanes) = sums[c][p];
}

// The last rows, fewer than a pack.
template <std::size_t columns>
BELLWETHER_INLINED void add_last_block(const Block& b, std::size_t rows) {
    double there[columns][lanes] = {};
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) there[c][r] = b.to[c * b.by_column + r];
    Block own = b;
    own.to = there[0];
    own.by_column = lanes;
    add_whole_block<1, columns>(own);
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) b.to[c * b.by_column + r] = there[c][r];
}

template <std::size_t packs, std::size_t columns>
BELLWETHER_INLINED void add_row_blocks(Block& b, std::size_t& rows) {
    for (; rows >= packs * lanes; rows -= packs * lanes) {
        add_whole_block<packs, columns>(b);
        b.z += packs * lanes;
        b.to += packs * lanes;
    }
}

// `columns` at once, while there are as many.
template <std::size_t packs, std::size_t columns>
BELLWETHER_INLINED void add_column_blocks(Block& b, std::size_t rows, std::size_t& left) {
    for (; left >= columns; left -= columns) {
        Block own = b;
        std::size_t own_rows = rows;
        add_row_blocks<packs, columns>(own, own_rows);
        if constexpr (packs > 2) add_row_blocks<2, columns>(own, own_rows);
        if constexpr (packs > 1) add_row_blocks<1, columns>(own, own_rows);
        if (own_rows > 0) add_last_block<columns>(own, own_rows);
        b.y.first += columns * b.y.by_column;
        b.to += columns * b.by_column;
    }
}

// In blocks of packs × columns, or of fewer packs and more columns where there are but a few rows: as many sums as
// there are registers for, and enough that they do not wait for one another.
template <std::size_t packs, std::size_t columns, std::size_t few_packs, std::size_t more_columns>
BELLWETHER_INLINED void add_in_blocks(Block b, std::size_t rows, std::size_t left) {
    if (rows <= few_packs * lanes) {
        add_column_blocks<few_packs, more_columns>(b, rows, left);
        add_column_blocks<few_packs, more_columns / 2>(b, rows, left);
    } else {
        add_column_blocks<packs, columns>(b, rows, left);
    }
    add_column_blocks<few_packs, 2>(b, rows, left);
    add_column_blocks<few_packs, 1>(b, rows, left);
}

#ifdef BELLWETHER_SEVERAL_INSTRUCTION_SETS
__attribute__((target("avx512f"))) void add_all(const Block& b, std::size_t rows, std::size_t columns) {
    add_in_blocks<4, 5, 2, 8>(b, rows, columns);
}
__attribute__((target("avx2"))) void add_all(const Block& b, std::size_t rows, std::size_t columns) {
    add_in_blocks<1, 5, 1, 6>(b, rows, columns);
}
__attribute__((target("default")))
#endif
void add_all(const Block& b, std::size_t rows, std::size_t columns) {
    add_in_blocks<1, 2, 1, 4>(b, rows, columns);
}

}  // namespace

double dot(std::span<const double> one, std::span<const double> other) {
    return dot_in_lanes(one.data(), other.data(), one.size());
}

void add_scaled(double scale, std::span<const double> x, std::span<double> to) {
    add_scaled_to(scale, x.data(), to.data(), x.size());
}

void add_to_decayed(double decay, double a, std::span<const double> x, double b, std::span<const double> y,
                    std::span<double> u) {
    add_to_decayed_to(decay, a, x.data(), b, y.data(), u.data(), u.size());
}

void add_products(const double* z, Factors y, std::size_t depth, double* to, std::size_t by_column, std::size_t rows,
                  std::size_t columns) {
    add_all({z, padded(rows), y, depth, to, by_column}, rows, columns);
}

void set_decayed(double decay, const double* u, std::span<const BlockFactors> factors, std::span<const double> x,
                 std::span<const double> y, double* to) {
    set_decayed_in_packs(decay, u, factors.data(), factors.size(), x.data(), y.data(), to, x.size());
}

OuterProducts::OuterProducts(std::size_t rows, std::size_t columns, double* to)
    : rows_(rows), columns_(columns), to_(to), z_(at_once * padded(rows)), y_(at_once * padded(columns)) {}

void OuterProducts::add(std::span<const double> y) {
    constexpr std::size_t share_of_dense = 4;
    const std::size_t entries = copy_counting(y.data(), &y_[waiting_ * padded(columns_)], columns_);
    if (entries * share_of_dense < columns_) {  // a few columns only
        for (std::size_t j = 0; j < columns_; ++j)
            if (y[j] != 0) add_scaled_to(y[j], z().data(), to_ + j * rows_, rows_);
        return;
    }
    if (++waiting_ == at_once) flush();
}

void OuterProducts::flush() {
    add_products(z_.data(), {y_.data(), 1, padded(columns_)}, waiting_, to_, rows_, rows_, columns_);
    waiting_ = 0;
}

}  // namespace bellwether
