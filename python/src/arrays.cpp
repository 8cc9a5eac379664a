#include "arrays.hpp"

#include <algorithm>
#include <utility>

#include "bellwether/number_text.hpp"
#include "bellwether/suggest.hpp"

namespace bellwether::python {

namespace {

const py::dtype& float64() {
    static const auto* dtype = new py::dtype(py::dtype::of<double>());  // lives as long as the interpreter
    return *dtype;
}

// In C order, and where the processor can load it.
constexpr int in_place =
    static_cast<int>(py::array::c_style) | static_cast<int>(py::detail::npy_api::NPY_ARRAY_ALIGNED_);

bool is_array(py::handle object) {
    return py::isinstance<py::array>(object);
}

py::array as_array(const char* name, py::handle given) {
    try {
        return py::module_::import("numpy").attr("asarray")(given);
    } catch (py::error_already_set& error) {
        if (!error.matches(PyExc_ValueError) && !error.matches(PyExc_TypeError)) throw;
        refuse_type(std::string(name) + " must be an array, not " + describe_object(given) +
                    ": its rows differ in length");
    }
}

// The array itself where it has the element type, in C order and aligned; else a copy that has.
template <class Element>
py::array in_order(const py::array& array) {
    return py::module_::import("numpy").attr("require")(array, py::dtype::of<Element>(), "CA");
}

bool holds_integers(const py::array& array) {
    return array.dtype().kind() == 'i' || array.dtype().kind() == 'u';
}

std::string shape_text(const py::array& array) {
    std::string text = "(";
    for (py::ssize_t i = 0; i < array.ndim(); ++i) text += (i > 0 ? ", " : "") + std::to_string(array.shape(i));
    return text + (array.ndim() == 1 ? ",)" : ")");
}

bool is_sparse_matrix(py::handle object) {
    return py::hasattr(object, "tocsr");
}

std::size_t size_of(py::ssize_t extent) {
    return static_cast<std::size_t>(extent);
}

// The smallest and largest element; 0 and -1 of none.
std::pair<std::int64_t, std::int64_t> extremes(const std::int64_t* numbers, std::size_t count) {
    if (count == 0) return {0, -1};
    const auto [least, greatest] = std::minmax_element(numbers, numbers + count);
    return {*least, *greatest};
}

void refuse_index(const char* name, std::int64_t index, std::size_t dimension) {
    refuse_value(std::string(name) + " has the index " + std::to_string(index) +
                 ": it must be at least 0 and below the dimension " + std::to_string(dimension));
}

// Why the indices of one row cannot be; empty where they can.
std::string wrong_with(Sparse<double> row, std::size_t dimension) {
    bool ascending = true;
    for (std::size_t i = 0; i < row.indices.size(); ++i) {
        if (row.indices[i] >= dimension)
            return "the index " + std::to_string(static_cast<std::int32_t>(row.indices[i])) +
                   ": it must be at least 0 and below the dimension " + std::to_string(dimension);
        if (i > 0 && row.indices[i] <= row.indices[i - 1]) ascending = false;
    }
    if (ascending) return {};
    std::vector<std::uint32_t> sorted(row.indices.begin(), row.indices.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    return twice == sorted.end() ? "" : "the index " + std::to_string(*twice) + " twice";
}

constexpr const char* integers_are_indices =
    " (integers are the indices of features that are 1; the components of a feature vector are floats)";

}  // namespace

void refuse_value(const std::string& why) {
    throw py::value_error(why);
}

void refuse_type(const std::string& why) {
    throw py::type_error(why);
}

std::string describe_object(py::handle object) {
    if (is_array(object)) {
        const auto array = py::reinterpret_borrow<py::array>(object);
        return py::str(array.dtype()).cast<std::string>() + " array of shape " + shape_text(array);
    }
    return object.is_none() ? "None" : Py_TYPE(object.ptr())->tp_name;
}

double number_of(const char* name, py::handle given) {
    if (PyFloat_CheckExact(given.ptr())) return PyFloat_AS_DOUBLE(given.ptr());
    // An array of one element would pass as a number; it is more likely a mistake.
    const bool array = is_array(given) && py::reinterpret_borrow<py::array>(given).ndim() > 0;
    const double value = array ? -1.0 : PyFloat_AsDouble(given.ptr());
    if (value == -1.0 && (array || PyErr_Occurred())) {
        PyErr_Clear();
        refuse_type(std::string(name) + " must be a number, not " + describe_object(given));
    }
    return value;
}

std::size_t count_of(const char* name, py::handle given, std::size_t least) {
    if (!PyIndex_Check(given.ptr()) || PyBool_Check(given.ptr()) || (is_array(given)))
        refuse_type(std::string(name) + " must be a whole number, not " + describe_object(given));
    const py::ssize_t value = PyNumber_AsSsize_t(given.ptr(), nullptr);  // the nearest there is where it is too large
    if (value == -1 && PyErr_Occurred()) throw py::error_already_set();
    if (value < 0 || size_of(value) < least)
        refuse_value(std::string(name) + " is " + py::str(given).cast<std::string>() + ": it must be at least " +
                     std::to_string(least));
    return size_of(value);
}

py::array float64_array(const char* name, py::handle given) {
    if (is_array(given)) {
        auto array = py::reinterpret_borrow<py::array>(given);
        if (array.dtype().is(float64()) && (array.flags() & in_place) == in_place) return array;
    }
    if (is_sparse_matrix(given)) refuse_type(std::string(name) + " must be an array, not a sparse matrix");
    const py::array array = as_array(name, given);
    const char kind = array.dtype().kind();
    if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b') {
        const bool sequence = PyList_Check(given.ptr()) || PyTuple_Check(given.ptr());
        refuse_type(std::string(name) + " must be an array of numbers, not " + describe_object(given) +
                    (sequence ? " of " + py::str(array.dtype()).cast<std::string>() : ""));
    }
    return in_order<double>(array);
}

// ---- rows of features ----

FeatureRows::FeatureRows(const char* name, py::handle given, std::size_t dimension) : dimension_(dimension) {
    if (is_sparse_matrix(given)) {
        take_csr(name, given);
        return;
    }
    const py::array array = as_array(name, given);
    if (holds_integers(array)) {
        take_integers(name, array);
    } else {
        take_dense(name, given);
    }
}

void FeatureRows::take_dense(const char* name, py::handle given) {
    const py::array array = float64_array(name, given);
    if (array.ndim() != 2 || size_of(array.shape(1)) != dimension_)
        refuse_value(std::string(name) + " must have shape (rows, " + std::to_string(dimension_) + "), not " +
                     shape_text(array));
    kind_ = Kind::dense;
    count_ = size_of(array.shape(0));
    values_ = static_cast<const double*>(array.data());
    owners_.push_back(array);
}

void FeatureRows::take_integers(const char* name, const py::array& given) {
    if (given.ndim() != 1 && given.ndim() != 2)
        refuse_value(std::string(name) + " must have shape (rows,) or (rows, active), not " + shape_text(given) +
                     integers_are_indices);
    count_ = size_of(given.shape(0));
    // 32-bit indices of active features are read where they lie.
    if (given.ndim() == 2 && given.itemsize() == 4) {
        const py::array narrow =
            given.dtype().kind() == 'u' ? in_order<std::uint32_t>(given) : in_order<std::int32_t>(given);
        indices_ = static_cast<const std::uint32_t*>(narrow.data());
        owners_.push_back(narrow);
    } else {
        const py::array wide = in_order<std::int64_t>(given);
        one_hot_ = static_cast<const std::int64_t*>(wide.data());
        const auto [least, greatest] = extremes(one_hot_, size_of(wide.size()));
        if (least < 0) refuse_index(name, least, dimension_);
        if (greatest >= 0 && static_cast<std::uint64_t>(greatest) >= dimension_)
            refuse_index(name, greatest, dimension_);
        owners_.push_back(wide);
    }
    kind_ = given.ndim() == 1 ? Kind::one_hot : Kind::sparse;
    if (kind_ == Kind::one_hot) return;
    active_ = size_of(given.shape(1));
    if (active_ == 0) refuse_value(std::string(name) + " must have at least one index in a row");
    ones_.assign(active_, 1.0);
    if (one_hot_) {
        py::array narrow = in_order<std::uint32_t>(owners_.back());
        indices_ = static_cast<const std::uint32_t*>(narrow.data());
        owners_.back() = narrow;
        one_hot_ = nullptr;
    }
    check_sparse(name, integers_are_indices);
}

void FeatureRows::take_csr(const char* name, py::handle given) {
    const py::object matrix = given.attr("tocsr")();
    const auto shape = matrix.attr("shape").cast<py::tuple>();
    if (py::len(shape) != 2 || shape[1].cast<std::size_t>() != dimension_)
        refuse_value(std::string(name) + " must have shape (rows, " + std::to_string(dimension_) + "), not " +
                     py::repr(shape).cast<std::string>());
    kind_ = Kind::sparse;
    count_ = shape[0].cast<std::size_t>();
    const py::array values = float64_array(name, matrix.attr("data"));
    values_ = static_cast<const double*>(values.data());
    owners_.push_back(values);

    py::array indices = matrix.attr("indices").cast<py::array>();
    if (indices.itemsize() != 4) {
        const py::array wide = in_order<std::int64_t>(indices);
        const auto [least, greatest] = extremes(static_cast<const std::int64_t*>(wide.data()), size_of(wide.size()));
        if (least < 0) refuse_index(name, least, dimension_);
        if (greatest >= 0 && static_cast<std::uint64_t>(greatest) >= dimension_)
            refuse_index(name, greatest, dimension_);
        indices = in_order<std::uint32_t>(wide);
    } else {
        indices = in_order<std::int32_t>(indices);
    }
    indices_ = static_cast<const std::uint32_t*>(indices.data());
    owners_.push_back(indices);

    py::array offsets = matrix.attr("indptr").cast<py::array>();
    offsets = offsets.itemsize() == 4 ? in_order<std::int32_t>(offsets) : in_order<std::int64_t>(offsets);
    if (offsets.itemsize() == 4) {
        narrow_offsets_ = static_cast<const std::int32_t*>(offsets.data());
    } else {
        offsets_ = static_cast<const std::int64_t*>(offsets.data());
    }
    owners_.push_back(offsets);
    // A matrix whose parts were set by hand may hold anything.
    bool fits = size_of(offsets.size()) == count_ + 1 && values.size() == indices.size();
    for (std::size_t row = 0; fits && row < count_; ++row) fits = offset(row) <= offset(row + 1);
    if (!fits || offset(count_) > size_of(values.size()))
        refuse_value(std::string(name) + " is a broken CSR matrix: its indptr does not fit its data");
    check_sparse(name, "; sum_duplicates() adds them up");
}

void FeatureRows::check_sparse(const char* name, const char* advice) const {
    for (std::size_t row = 0; row < count_; ++row)
        if (const std::string problem = wrong_with(sparse(row), dimension_); !problem.empty())
            refuse_value(std::string(name) + " has in row " + std::to_string(row) + " " + problem + advice);
}

// ---- one feature vector ----

namespace {

// Where the numbers of a float64 vector lie, if they can be read there; else null. Nothing is counted or converted.
const double* numbers_in_place(py::handle given, std::size_t dimension) {
    static PyTypeObject* const array_type = py::detail::npy_api::get().PyArray_Type_;
    static PyObject* const element_type = float64().ptr();
    if (Py_TYPE(given.ptr()) != array_type) return nullptr;
    const auto* array = py::detail::array_proxy(given.ptr());
    const bool fits = array->nd == 1 && size_of(array->dimensions[0]) == dimension && array->descr == element_type &&
                      (array->flags & in_place) == in_place;
    return fits ? reinterpret_cast<const double*>(array->data) : nullptr;
}

}  // namespace

void read_feature_vector(const char* name, py::handle given, std::size_t dimension, FeatureVector& vector) {
    if (const double* numbers = numbers_in_place(given, dimension)) {
        vector.kind = FeatureRows::Kind::dense;
        vector.dense = {{numbers, dimension}};
        return;
    }
    if (!is_array(given) && PyIndex_Check(given.ptr()) && !PyBool_Check(given.ptr())) {
        const py::ssize_t index = PyNumber_AsSsize_t(given.ptr(), nullptr);
        if (index == -1 && PyErr_Occurred()) throw py::error_already_set();
        if (index < 0 || size_of(index) >= dimension)
            refuse_value(std::string(name) + " is the index " + py::str(given).cast<std::string>() +
                         ": it must be at least 0 and below the dimension " + std::to_string(dimension));
        vector.kind = FeatureRows::Kind::one_hot;
        vector.one_hot = {size_of(index)};
        return;
    }
    if (is_sparse_matrix(given)) {
        vector.rows = std::make_unique<FeatureRows>(name, given, dimension);
        if (vector.rows->count() != 1)
            refuse_value(std::string(name) + " must have one row, not " + std::to_string(vector.rows->count()));
        vector.kind = FeatureRows::Kind::sparse;
        vector.sparse = vector.rows->sparse(0);
        return;
    }
    const py::array array = as_array(name, given);
    if (holds_integers(array)) {
        if (array.ndim() == 0) return read_feature_vector(name, py::int_(array), dimension, vector);
        if (array.ndim() != 1)
            refuse_value(std::string(name) + " must have one dimension, not shape " + shape_text(array) +
                         integers_are_indices);
        vector.rows = std::make_unique<FeatureRows>(name, py::object(array[py::none()]), dimension);
        vector.kind = FeatureRows::Kind::sparse;
        vector.sparse = vector.rows->sparse(0);
        return;
    }
    const py::array dense = float64_array(name, given);
    if (dense.ndim() != 1 || size_of(dense.shape(0)) != dimension)
        refuse_value(std::string(name) + " must have shape (" + std::to_string(dimension) + ",), not " +
                     shape_text(dense));
    vector.kind = FeatureRows::Kind::dense;
    vector.dense = {{static_cast<const double*>(dense.data()), dimension}};
    vector.holder = dense;
}

py::array_t<double> array_of(std::vector<double> numbers) {
    auto* owned = new std::vector<double>(std::move(numbers));
    const py::capsule owner(owned, [](void* vector) { delete static_cast<std::vector<double>*>(vector); });
    return py::array_t<double>(static_cast<py::ssize_t>(owned->size()), owned->data(), owner);
}

}  // namespace bellwether::python
