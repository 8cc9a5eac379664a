// Sums over long vectors. Their order is fixed, so that the bits are the same on every machine; the instructions are
// the best that it has.
#pragma once

#include <cstddef>
#include <new>
#include <optional>
#include <span>
#include <vector>

namespace bellwether {

double dot(std::span<const double> one, std::span<const double> other);
void add_scaled(double scale, std::span<const double> x, std::span<double> to);

// u = decay u + a x + b y
void add_to_decayed(double decay, double a, std::span<const double> x, double b, std::span<const double> y,
                    std::span<double> u);

// What x and y are multiplied by in a block of a vector.
struct BlockFactors {
    double of_x, of_y;
};
// to_a = decay u_a + (of_x x + of_y y) in every block a of u; blocks are `by_block` apart.
void set_decayed(double decay, const double* u, std::span<const BlockFactors> factors, std::size_t by_block,
                 std::span<const double> x, std::span<const double> y, double* to);
// The same of one block; then `plain`, without u, and a copy of x.
void set_decayed_and_plain(double decay, const double* u, BlockFactors factors, std::span<const double> x,
                           std::span<const double> y, double* to, double* plain, double* copy);

// Numbers from the beginning of a cache line on: a pack that lies in two of them takes twice as long.
template <class T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), alignment)); }
    void deallocate(T* numbers, std::size_t) { ::operator delete(numbers, alignment); }
    bool operator==(const LineAllocator&) const = default;
};
using AlignedNumbers = std::vector<double, LineAllocator<double>>;

// How many numbers rows are padded to: what one instruction takes.
inline constexpr std::size_t lanes = 8;
constexpr std::size_t padded(std::size_t size) {
    return (size + lanes - 1) / lanes * lanes;
}

// A number y_ck is at first[c · by_column + k · by_depth]; or, with `rows`, at rows[k][c · by_column].
struct Factors {
    const double* first;
    std::size_t by_column, by_depth;
    const double* const* rows = nullptr;
};

// to_c += Σ_k y_ck z_k for columns c and, in that order, k < depth. z_k and to_c have `rows` numbers; those of z are
// padded(rows) apart (and that many are read), those of `to` `by_column`.
void add_products(const double* z, Factors y, std::size_t depth, double* to, std::size_t by_column, std::size_t rows,
                  std::size_t columns);

// What a step's error is made of, and what the error of the step after counts for in it.
struct ErrorStep {
    double weight, reward, gamma, decay;
    std::size_t block;  // of q
};
// From the last step to the first, lane by lane, with v and g of the step after it in `v` and `g`:
//     g = weight (reward + gamma v − q_block) + decay g,   v = Σ_a share_a q_a
// A step has `blocks` × lanes numbers in q, `blocks` in shares, and lanes in `errors` (g) and `values` (v) each.
// Without shares there is one block, whose share is 1, and `values` is not touched.
void set_errors(std::span<const ErrorStep> steps, const double* q, std::size_t blocks, const double* shares, double* v,
                double* g, double* errors, double* values);

// A += Σ_t z_t y_tᵀ, a matrix column by column: several steps at once, since A does not fit into registers.
class OuterProducts {
public:
    // With `y_in_z`, y is what stands there in z.
    OuterProducts(std::size_t rows, std::size_t columns, double* to, std::optional<std::size_t> y_in_z = std::nullopt);
    OuterProducts(const OuterProducts&) = delete;
    OuterProducts& operator=(const OuterProducts&) = delete;
    ~OuterProducts() { flush(); }

    // Room for the next z, whose numbers the caller sets before add().
    std::span<double> z() { return {z_.data() + waiting_ * padded(rows_), rows_}; }
    void add(std::span<const double> y);  // which stays there until flush()
    void add();                           // with y in z
    // Adds what waits for others.
    void flush();

private:
    static constexpr std::size_t at_once = 16;

    void add(const double* y);

    std::size_t rows_, columns_, waiting_ = 0;
    std::optional<std::size_t> y_in_z_;
    double* to_;
    AlignedNumbers z_;
    std::vector<const double*> y_;
};

}  // namespace bellwether
