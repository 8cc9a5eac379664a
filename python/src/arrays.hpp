// What Python hands over, checked and seen as C++ reads it: numbers, columns of numbers, and rows of features. Arrays
// that have the right form are read where they lie; others are converted. Every refusal names the argument.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bellwether/features.hpp"

namespace bellwether::python {

namespace py = pybind11;

[[noreturn]] void refuse_value(const std::string& why);  // ValueError
[[noreturn]] void refuse_type(const std::string& why);   // TypeError

// "float32 array of shape (3, 4)", "str": what a message says that an argument is.
std::string describe_object(py::handle object);

// A Python float, int, or NumPy scalar.
double number_of(const char* name, py::handle given);
// A whole number of at least `least`.
std::size_t count_of(const char* name, py::handle given, std::size_t least);

// An array of float64 in C order: `given` itself where it is one already.
py::array float64_array(const char* name, py::handle given);

// Feature vectors, one per row. Floating-point numbers are the components; whole numbers are the indices of features
// that are 1:
//     float64 (rows, dimension)      dense
//     integers (rows,)               one-hot
//     integers (rows, active)        the indices of the active features, as a tile coder makes them
//     scipy.sparse, CSR              sparse
// The indices are checked when the rows are made: below the dimension, and none of them twice in a row.
class FeatureRows {
public:
    enum class Kind { dense, one_hot, sparse };

    FeatureRows(const char* name, py::handle given, std::size_t dimension);

    Kind kind() const { return kind_; }
    std::size_t count() const { return count_; }

    Dense<double> dense(std::size_t row) const { return {{values_ + row * dimension_, dimension_}}; }
    OneHot one_hot(std::size_t row) const { return {static_cast<std::size_t>(one_hot_[row])}; }
    Sparse<double> sparse(std::size_t row) const {
        const std::size_t begin = offset(row), size = offset(row + 1) - begin;
        return {{indices_ + begin, size}, {ones_.empty() ? values_ + begin : ones_.data(), size}};
    }
    // As Features asks: rows.at<Dense<double>>(3).
    template <class Features>
    Features at(std::size_t row) const {
        if constexpr (std::is_same_v<Features, Dense<double>>) {
            return dense(row);
        } else if constexpr (std::is_same_v<Features, OneHot>) {
            return one_hot(row);
        } else {
            return sparse(row);
        }
    }

private:
    void take_dense(const char* name, py::handle given);
    void take_integers(const char* name, const py::array& given);
    void take_csr(const char* name, py::handle given);
    void check_sparse(const char* name, const char* advice) const;
    std::size_t offset(std::size_t row) const {
        if (active_ != 0) return row * active_;
        return narrow_offsets_ ? static_cast<std::size_t>(narrow_offsets_[row])
                               : static_cast<std::size_t>(offsets_[row]);
    }

    Kind kind_ = Kind::dense;
    std::size_t dimension_;
    std::size_t count_ = 0;
    std::vector<py::object> owners_;  // what the pointers point into
    const double* values_ = nullptr;
    const std::int64_t* one_hot_ = nullptr;
    const std::uint32_t* indices_ = nullptr;
    std::size_t active_ = 0;      // indices in every row; 0 where rows differ and offsets say where they begin
    std::vector<double> ones_{};  // the values of active features
    const std::int32_t* narrow_offsets_ = nullptr;
    const std::int64_t* offsets_ = nullptr;
};

// One feature vector: a float64 array, an int for a one-hot vector, an array of the indices of active features, or a
// CSR matrix of one row. The usual forms cost a few comparisons; `holder` keeps alive what had to be converted.
struct FeatureVector {
    FeatureRows::Kind kind;
    Dense<double> dense;
    OneHot one_hot;
    Sparse<double> sparse;
    py::object holder;
    std::unique_ptr<FeatureRows> rows;

    template <class Features>
    Features as() const {
        if constexpr (std::is_same_v<Features, Dense<double>>) {
            return dense;
        } else if constexpr (std::is_same_v<Features, OneHot>) {
            return one_hot;
        } else {
            return sparse;
        }
    }
};
void read_feature_vector(const char* name, py::handle given, std::size_t dimension, FeatureVector& vector);

// Calls work(kind) with the type of features that the rows have.
template <class Work>
void with_features(FeatureRows::Kind kind, Work work) {
    switch (kind) {
        case FeatureRows::Kind::dense:
            return work(Dense<double>{});
        case FeatureRows::Kind::one_hot:
            return work(OneHot{});
        case FeatureRows::Kind::sparse:
            return work(Sparse<double>{});
    }
}

// A NumPy array of `count` doubles that is the vector's memory.
py::array_t<double> array_of(std::vector<double> numbers);

}  // namespace bellwether::python
