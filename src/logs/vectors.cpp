#include "logs/vectors.hpp"

#include <algorithm>
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

#define BELLWETHER_INLINED __attribute__((always_inline)) inline

// By its name alone: deduced, the type loses its alignment.
typedef double Pack __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)), may_alias));
typedef double HalfPack __attribute__((vector_size(4 * sizeof(double)), aligned(alignof(double)), may_alias));
typedef double QuarterPack __attribute__((vector_size(2 * sizeof(double)), aligned(alignof(double)), may_alias));

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

// Calls work<OfPack>(i) for halves of packs at place i, which are registers with AVX2 too, and for what is left.
template <class Work>
BELLWETHER_INLINED void in_packs(std::size_t size, const Work& work) {
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4) work.template operator()<HalfPack>(i);
    if (size & 2) {
        work.template operator()<QuarterPack>(i);
        i += 2;
    }
    if (size & 1) work.template operator()<double>(i);
}

// Copied: as a template's argument, a pack's type has lost its alignment.
template <class OfPack>
BELLWETHER_INLINED void load(const double* from, OfPack& pack) {
    std::memcpy(&pack, from, sizeof pack);
}
template <class OfPack>
BELLWETHER_INLINED void store(const OfPack& pack, double* to) {
    std::memcpy(to, &pack, sizeof pack);
}

// One block after the other, a pack of x and y at a time.
BELLWETHER_FOR_EACH_INSTRUCTION_SET
void set_decayed_in_packs(double decay, const double* u, const BlockFactors* factors, std::size_t blocks,
                          std::size_t by_block, const double* x, const double* y, double* to, std::size_t size) {
    in_packs(
        size, [=]<class OfPack>(std::size_t i) __attribute__((always_inline)) {
            OfPack of_x, of_y, of_u;
            load(x + i, of_x);
            load(y + i, of_y);
            for (std::size_t block = 0, at = i; block < blocks; ++block, at += by_block) {
                load(u + at, of_u);
                of_u = decay * of_u + (factors[block].of_x * of_x + factors[block].of_y * of_y);
                store(of_u, to + at);
            }
        });
}

BELLWETHER_FOR_EACH_INSTRUCTION_SET
void set_decayed_and_plain_in_packs(double decay, const double* u, BlockFactors factors, const double* x,
                                    const double* y, double* to, double* plain, double* copy, std::size_t size) {
    in_packs(
        size, [=]<class OfPack>(std::size_t i) __attribute__((always_inline)) {
            OfPack of_x, of_y, of_u;
            load(x + i, of_x);
            load(y + i, of_y);
            load(u + i, of_u);
            of_y = factors.of_x * of_x + factors.of_y * of_y;
            of_u = decay * of_u + of_y;
            store(of_u, to + i);
            store(of_y, plain + i);
            store(of_x, copy + i);
        });
}

BELLWETHER_FOR_EACH_INSTRUCTION_SET
std::size_t count_entries(const double* numbers, std::size_t size) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count += numbers[i] != 0;
    return count;
}

// Whether so many of the numbers are not 0; most often their beginning tells.
bool has_entries(const double* numbers, std::size_t size, std::size_t least) {
    std::size_t entries = 0;
    while (entries < least && numbers[entries] != 0) ++entries;
    if (entries == least) return true;
    const std::size_t first = std::min(size, 2 * least);
    const std::size_t count = count_entries(numbers, first);
    return count >= least || count + count_entries(numbers + first, size - first) >= least;
}

BELLWETHER_FOR_EACH_INSTRUCTION_SET
void add_to_decayed_to(double decay, double a, const double* __restrict x, double b, const double* __restrict y,
                       double* __restrict u, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) u[i] = decay * u[i] + (a * x[i] + b * y[i]);
}

BELLWETHER_FOR_EACH_INSTRUCTION_SET
void set_errors_in_packs(const ErrorStep* steps, std::size_t count, const double* q, std::size_t blocks,
                         const double* shares, double* v, double* g, double* errors, double* values) {
    constexpr std::size_t halves = 2, width = lanes / halves;
    HalfPack of_v[halves], of_g[halves], of_q;
    for (std::size_t half = 0; half < halves; ++half) {
        load(v + half * width, of_v[half]);
        load(g + half * width, of_g[half]);
    }
    for (std::size_t step = count; step-- > 0;) {
        const ErrorStep& own = steps[step];
        const double* const own_q = q + step * blocks * lanes;
        for (std::size_t half = 0; half < halves; ++half) {
            const std::size_t place = half * width;
            load(own_q + own.block * lanes + place, of_q);
            of_g[half] = own.weight * (own.reward + own.gamma * of_v[half] - of_q) + own.decay * of_g[half];
            store(of_g[half], errors + step * lanes + place);
            if (!shares) {
                of_v[half] = of_q;  // the only block's
                continue;
            }
            of_v[half] = HalfPack{};
            for (std::size_t a = 0; a < blocks; ++a) {
                load(own_q + a * lanes + place, of_q);
                of_v[half] += shares[step * blocks + a] * of_q;
            }
            store(of_v[half], values + step * lanes + place);
        }
    }
    for (std::size_t half = 0; half < halves; ++half) {
        store(of_v[half], v + half * width);
        store(of_g[half], g + half * width);
    }
}

// ---- products in blocks that stay in registers

struct Block {
    const double* z;
    std::size_t by_depth;  // of z
    Factors y;
    std::size_t depth;
    double* to;
    std::size_t by_column;
    std::size_t column = 0;  // where the block begins in rows of y
};

// Rows in packs, each of them in parts that a register holds: larger ones g++ keeps in memory.
template <class Part, std::size_t packs, std::size_t columns>
BELLWETHER_INLINED void add_whole_block(const Block& b) {
    constexpr std::size_t width = sizeof(Part) / sizeof(double), parts = packs * lanes / width;
    Part sums[columns][parts];
    // Unrolled, or the sums go to their registers and back by way of memory.
#pragma GCC unroll 32
    for (std::size_t i = 0; i < columns * parts; ++i)
        load(b.to + i / parts * b.by_column + i % parts * width, sums[i / parts][i % parts]);
    for (std::size_t k = 0; k < b.depth; ++k) {
        Part z[parts];
        for (std::size_t p = 0; p < parts; ++p) load(b.z + k * b.by_depth + p * width, z[p]);
        const double* const y = b.y.rows ? b.y.rows[k] + b.column * b.y.by_column : b.y.first + k * b.y.by_depth;
        for (std::size_t c = 0; c < columns; ++c)
            for (std::size_t p = 0; p < parts; ++p) sums[c][p] += z[p] * y[c * b.y.by_column];
    }
#pragma GCC unroll 32
    for (std::size_t i = 0; i < columns * parts; ++i)
        store(sums[i / parts][i % parts], b.to + i / parts * b.by_column + i % parts * width);
}

// The last rows, fewer than a pack.
template <class Part, std::size_t columns>
BELLWETHER_INLINED void add_last_block(const Block& b, std::size_t rows) {
    double there[columns][lanes] = {};
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) there[c][r] = b.to[c * b.by_column + r];
    Block own = b;
    own.to = there[0];
    own.by_column = lanes;
    add_whole_block<Part, 1, columns>(own);
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t r = 0; r < rows; ++r) b.to[c * b.by_column + r] = there[c][r];
}

template <class Part, std::size_t packs, std::size_t columns>
BELLWETHER_INLINED void add_row_blocks(Block& b, std::size_t& rows) {
    for (; rows >= packs * lanes; rows -= packs * lanes) {
        add_whole_block<Part, packs, columns>(b);
        b.z += packs * lanes;
        b.to += packs * lanes;
    }
}

// `columns` at once, while there are as many.
template <class Part, std::size_t packs, std::size_t columns>
BELLWETHER_INLINED void add_column_blocks(Block& b, std::size_t rows, std::size_t& left) {
    for (; left >= columns; left -= columns) {
        Block own = b;
        std::size_t own_rows = rows;
        add_row_blocks<Part, packs, columns>(own, own_rows);
        if constexpr (packs > 2) add_row_blocks<Part, 2, columns>(own, own_rows);
        if constexpr (packs > 1) add_row_blocks<Part, 1, columns>(own, own_rows);
        if (own_rows > 0) add_last_block<Part, columns>(own, own_rows);
        b.y.first += columns * b.y.by_column;
        b.column += columns;
        b.to += columns * b.by_column;
    }
}

// In blocks of packs × columns, or of fewer packs and more columns where there are but a few rows: as many sums as
// there are registers for, and enough that they do not wait for one another.
template <class Part, std::size_t packs, std::size_t columns, std::size_t few_packs, std::size_t more_columns>
BELLWETHER_INLINED void add_in_blocks(Block b, std::size_t rows, std::size_t left) {
    if (rows <= few_packs * lanes) {
        add_column_blocks<Part, few_packs, more_columns>(b, rows, left);
        add_column_blocks<Part, few_packs, more_columns / 2>(b, rows, left);
    } else {
        add_column_blocks<Part, packs, columns>(b, rows, left);
    }
    add_column_blocks<Part, few_packs, 2>(b, rows, left);
    add_column_blocks<Part, few_packs, 1>(b, rows, left);
}

#ifdef BELLWETHER_SEVERAL_INSTRUCTION_SETS
__attribute__((target("avx512f"))) void add_all(const Block& b, std::size_t rows, std::size_t columns) {
    add_in_blocks<Pack, 4, 5, 2, 8>(b, rows, columns);
}
__attribute__((target("avx2"))) void add_all(const Block& b, std::size_t rows, std::size_t columns) {
    add_in_blocks<HalfPack, 1, 6, 1, 6>(b, rows, columns);
}
__attribute__((target("default")))
#endif
void add_all(const Block& b, std::size_t rows, std::size_t columns) {
    add_in_blocks<QuarterPack, 1, 2, 1, 2>(b, rows, columns);
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

void set_errors(std::span<const ErrorStep> steps, const double* q, std::size_t blocks, const double* shares, double* v,
                double* g, double* errors, double* values) {
    set_errors_in_packs(steps.data(), steps.size(), q, blocks, shares, v, g, errors, values);
}

void set_decayed(double decay, const double* u, std::span<const BlockFactors> factors, std::size_t by_block,
                 std::span<const double> x, std::span<const double> y, double* to) {
    set_decayed_in_packs(decay, u, factors.data(), factors.size(), by_block, x.data(), y.data(), to, x.size());
}

void set_decayed_and_plain(double decay, const double* u, BlockFactors factors, std::span<const double> x,
                           std::span<const double> y, double* to, double* plain, double* copy) {
    set_decayed_and_plain_in_packs(decay, u, factors, x.data(), y.data(), to, plain, copy, x.size());
}

OuterProducts::OuterProducts(std::size_t rows, std::size_t columns, double* to, std::optional<std::size_t> y_in_z)
    : rows_(rows), columns_(columns), y_in_z_(y_in_z), to_(to), z_(at_once * padded(rows)), y_(y_in_z ? 0 : at_once) {}

void OuterProducts::add() {
    add(z().data() + *y_in_z_);
}

void OuterProducts::add(std::span<const double> y) {
    add(y.data());
}

void OuterProducts::add(const double* y) {
    constexpr std::size_t share_of_dense = 4;
    if (!has_entries(y, columns_, (columns_ + share_of_dense - 1) / share_of_dense)) {  // a few columns only
        for (std::size_t j = 0; j < columns_; ++j)
            if (y[j] != 0) add_scaled_to(y[j], z().data(), to_ + j * rows_, rows_);
        return;
    }
    if (!y_in_z_) y_[waiting_] = y;
    if (++waiting_ == at_once) flush();
}

void OuterProducts::flush() {
    const Factors y = y_in_z_ ? Factors{z_.data() + *y_in_z_, 1, padded(rows_)} : Factors{nullptr, 1, 0, y_.data()};
    add_products(z_.data(), y, waiting_, to_, rows_, rows_, columns_);
    waiting_ = 0;
}

}  // namespace bellwether
