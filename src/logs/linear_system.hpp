// Linear algebra of dense systems, behind an interface without templates.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "logs/vectors.hpp"

namespace bellwether {

// A square matrix, column by column.
struct SquareMatrix {
    explicit SquareMatrix(std::size_t order = 0) : size(order), entries(order * order) {}

    double* column(std::size_t j) { return &entries[j * size]; }
    const double* column(std::size_t j) const { return &entries[j * size]; }
    double trace() const;
    void add(const SquareMatrix& other);

    std::size_t size;
    std::vector<double> entries;
};

// Orthonormal columns, `size` numbers each; none where they would span everything.
struct Basis {
    std::size_t size = 0;
    std::vector<double> columns{};
};

// (A + εI) factored: x of (A + εI)x = b and of (A + εI)ᵀx = b.
class Solver {
public:
    Solver(const SquareMatrix& A, double epsilon);
    ~Solver();
    Solver(Solver&&) noexcept;

    std::vector<double> solve(std::span<const double> b) const;
    std::vector<double> solve_transposed(std::span<const double> b) const;
    // (A + εI)⁻¹ C (A + εI)⁻ᵀ. A and C live in a span: outside of it C has but rounding, which would count 1/ε² times.
    SquareMatrix sandwich(const SquareMatrix& C, const Basis& span) const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Of a symmetric matrix that is positive semidefinite: how many eigenvalues are above 1e-10 of the largest, and the
// largest over the smallest of these.
struct Rank {
    std::size_t rank;
    double condition;
};
Rank rank_of(const SquareMatrix& C);
// Of what its columns span.
Basis basis_of(const SquareMatrix& C, std::size_t rank);

// Which rows leave a span by more than 1e-6 of their length.
std::vector<std::size_t> rows_outside(const Basis& span, std::span<const double> rows);

// U = L⁻¹ of C = LLᵀ, positive definite.
SquareMatrix inverse_cholesky(const SquareMatrix& C);

}  // namespace bellwether
