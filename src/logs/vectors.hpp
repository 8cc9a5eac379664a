// Sums over long vectors. Their order is fixed, so that the bits are the same on every machine; the instructions are
// the best that it has.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bellwether {

double dot(std::span<const double> one, std::span<const double> other);
void add_scaled(double scale, std::span<const double> x, std::span<double> to);

// A += Σ_t z_t y_tᵀ, a matrix column by column: several steps at once, since A does not fit into registers.
class OuterProducts {
public:
    OuterProducts(std::size_t size, double* columns);
    OuterProducts(const OuterProducts&) = delete;
    OuterProducts& operator=(const OuterProducts&) = delete;
    ~OuterProducts() { flush(); }

    void add(std::span<const double> z, std::span<const double> y);

private:
    static constexpr std::size_t at_once = 8;

    void flush();

    std::size_t size_, waiting_ = 0;
    double* columns_;
    std::vector<double> z_, y_;
};

}  // namespace bellwether
