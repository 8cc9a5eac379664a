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

BELLWETHER_FOR_EACH_INSTRUCTION_SET
void add_to_decayed_to(double decay, double a, const double* __restrict x, double b, const double* __restrict y,
                       double* __restrict u, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) u[i] = decay * u[i] + (a * x[i] + b * y[i]);
}

// ---- products in blocks that stay in registers

#define BELLWETHER_INLINED __attribute__((always_inline)) inline

// By its name alone: deduced, the type loses its alignment.
typedef double Pack __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)), may_alias));

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

template <std::size_t columns>
BELLWETHER_INLINED void add_columns(Block b, std::size_t rows) {
    std::size_t left = rows;
    const auto advance = [&](std::size_t done) __attribute__((always_inline)) {
        b.z += done;
        b.to += done;
        left -= done;
    };
    for (; left >= 2 * lanes; advance(2 * lanes)) add_whole_block<2, columns>(b);
    for (; left >= lanes; advance(lanes)) add_whole_block<1, columns>(b);
    if (left > 0) add_last_block<columns>(b, left);
}

BELLWETHER_FOR_EACH_INSTRUCTION_SET
void add_all(Block b, std::size_t rows, std::size_t columns) {
    constexpr std::size_t at_once = 4, at_once_of_few_rows = 8;
    const auto advance = [&](std::size_t done) __attribute__((always_inline)) {
        b.y.first += done * b.y.by_column;
        b.to += done * b.by_column;
        columns -= done;
    };
    if (rows <= lanes)  // enough sums that do not wait for one another
        for (; columns >= at_once_of_few_rows; advance(at_once_of_few_rows)) add_columns<at_once_of_few_rows>(b, rows);
    for (; columns >= at_once; advance(at_once)) add_columns<at_once>(b, rows);
    for (; columns >= 2; advance(2)) add_columns<2>(b, rows);
    if (columns > 0) add_columns<1>(b, rows);
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

OuterProducts::OuterProducts(std::size_t rows, std::size_t columns, double* to)
    : rows_(rows), columns_(columns), to_(to), z_(at_once * padded(rows)), y_(at_once * columns) {}

void OuterProducts::add(std::span<const double> y) {
    constexpr std::size_t share_of_dense = 4;
    const auto entries = columns_ - static_cast<std::size_t>(std::count(y.begin(), y.end(), 0.0));
    if (entries * share_of_dense < columns_) {  // a few columns only
        for (std::size_t j = 0; j < columns_; ++j)
            if (y[j] != 0) add_scaled_to(y[j], z().data(), to_ + j * rows_, rows_);
        return;
    }
    std::copy(y.begin(), y.end(), &y_[waiting_ * columns_]);
    if (++waiting_ == at_once) flush();
}

void OuterProducts::flush() {
    add_products(z_.data(), {y_.data(), 1, columns_}, waiting_, to_, rows_, rows_, columns_);
    waiting_ = 0;
}

}  // namespace bellwether
