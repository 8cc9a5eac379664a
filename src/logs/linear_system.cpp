#include "logs/linear_system.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <cmath>

#include "support/eigen_memory.hpp"

namespace bellwether {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Eigen::Map<const Matrix> seen(const SquareMatrix& A) {
    const auto size = static_cast<Eigen::Index>(A.size);
    return {A.entries.data(), size, size};
}
Eigen::Map<const Vector> seen(std::span<const double> b) {
    return {b.data(), static_cast<Eigen::Index>(b.size())};
}
Eigen::Map<const Matrix> seen(const Basis& span) {
    const auto size = static_cast<Eigen::Index>(span.size);
    return {span.columns.data(), size, static_cast<Eigen::Index>(span.columns.size()) / size};
}
std::vector<double> taken(const Vector& x) {
    return {x.data(), x.data() + x.size()};
}
SquareMatrix taken(const Matrix& A) {
    SquareMatrix result(static_cast<std::size_t>(A.rows()));
    result.entries.assign(A.data(), A.data() + A.size());
    return result;
}

constexpr double rank_tolerance = 1e-10;

}  // namespace

double SquareMatrix::trace() const {
    double sum = 0;
    for (std::size_t j = 0; j < size; ++j) sum += column(j)[j];
    return sum;
}

void SquareMatrix::add(const SquareMatrix& other) {
    for (std::size_t k = 0; k < entries.size(); ++k) entries[k] += other.entries[k];
}

struct Solver::Parts {
    Eigen::PartialPivLU<Matrix> factors;
};

Solver::Solver(const SquareMatrix& A, double epsilon) : parts_(std::make_unique<Parts>()) {
    Matrix regular = seen(A);
    regular.diagonal().array() += epsilon;
    parts_->factors.compute(regular);
}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;

std::vector<double> Solver::solve(std::span<const double> b) const {
    return taken(Vector(parts_->factors.solve(seen(b))));
}

std::vector<double> Solver::solve_transposed(std::span<const double> b) const {
    return taken(Vector(parts_->factors.transpose().solve(seen(b))));
}

SquareMatrix Solver::sandwich(const SquareMatrix& C, const Basis& span) const {
    if (span.columns.empty()) {
        const Matrix half = parts_->factors.solve(seen(C));
        return taken(Matrix(parts_->factors.solve(half.transpose())));
    }
    const auto size = static_cast<Eigen::Index>(span.size);
    const Eigen::Map<const Matrix> V(span.columns.data(), size, static_cast<Eigen::Index>(span.columns.size()) / size);
    const Matrix half = V.transpose() * parts_->factors.solve(V);
    const Matrix inner = half * (V.transpose() * seen(C) * V) * half.transpose();
    return taken(Matrix(V * inner * V.transpose()));
}

Rank rank_of(const SquareMatrix& C) {
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(seen(C), Eigen::EigenvaluesOnly).eigenvalues();
    const double largest = values.maxCoeff();
    Rank rank{0, 1};
    if (!(largest > 0)) return rank;
    for (const double value : values) {
        if (value <= rank_tolerance * largest) continue;
        if (rank.rank++ == 0) rank.condition = largest / value;
    }
    return rank;
}

Basis basis_of(const SquareMatrix& C, std::size_t rank) {
    if (rank == C.size || rank == 0) return {C.size};
    const Eigen::ColPivHouseholderQR<Matrix> factors(seen(C));
    Basis basis{C.size, std::vector<double>(C.size * rank)};
    Eigen::Map<Matrix> columns(basis.columns.data(), static_cast<Eigen::Index>(C.size),
                               static_cast<Eigen::Index>(rank));
    columns.setIdentity();
    columns.applyOnTheLeft(factors.householderQ());
    return basis;
}

std::vector<std::size_t> rows_outside(const Basis& span, std::span<const double> rows) {
    constexpr double tolerance = 1e-6;
    std::vector<std::size_t> outside;
    if (span.columns.empty()) return outside;
    const Eigen::Map<const Matrix> V = seen(span);
    for (std::size_t row = 0; row < rows.size() / span.size; ++row) {
        const Vector x = seen(rows.subspan(row * span.size, span.size));
        if ((x - V * (V.transpose() * x)).norm() > tolerance * x.norm()) outside.push_back(row);
    }
    return outside;
}

SquareMatrix inverse_cholesky(const SquareMatrix& C) {
    const Eigen::LLT<Matrix> factors(seen(C));
    const auto size = static_cast<Eigen::Index>(C.size);
    return taken(Matrix(factors.matrixL().solve(Matrix::Identity(size, size))));
}

}  // namespace bellwether
