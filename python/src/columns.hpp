// Columns of a table as arrays of Python, and as a stream of Apache Arrow.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tables/arrow_stream.hpp"
#include "tables/columns.hpp"

namespace bellwether::python {

// An array that owns the vector's memory.
template <class Number>
pybind11::array_t<Number> take_array(std::vector<Number>&& numbers) {
    auto owned = std::make_unique<std::vector<Number>>(std::move(numbers));
    std::vector<Number>* kept = owned.get();
    const pybind11::capsule owner(owned.release(),
                                  [](void* vector) { delete static_cast<std::vector<Number>*>(vector); });
    return pybind11::array_t<Number>(static_cast<pybind11::ssize_t>(kept->size()), kept->data(), owner);
}

// By name: an array of numbers, or of texts a pair of an array of places and the list of different texts. Numbers that
// are missing are NaN; counts are whole numbers where none is missing.
inline pybind11::dict to_arrays(Columns&& columns) {
    pybind11::dict result;
    for (Column& column : columns) {
        const pybind11::str name(column.name);
        if (column.kind == Column::Kind::text) {
            result[name] = pybind11::make_tuple(take_array(std::move(column.places)), column.texts);
        } else if (column.kind == Column::Kind::count && column.missing == 0) {
            result[name] = take_array(std::move(column.counts));
        } else if (column.kind == Column::Kind::count) {
            std::vector<double> numbers(column.counts.begin(), column.counts.end());
            for (std::size_t k = 0; k < numbers.size(); ++k)
                if (!column.present[k]) numbers[k] = std::numeric_limits<double>::quiet_NaN();
            result[name] = take_array(std::move(numbers));
        } else {
            result[name] = take_array(std::move(column.numbers));
        }
    }
    return result;
}

// What __arrow_c_stream__ returns. A stream that nobody took is released with its capsule.
inline pybind11::capsule to_arrow_stream(const std::vector<Columns>& batches) {
    auto stream = std::make_unique<ArrowArrayStream>();
    make_arrow_stream(batches, *stream);
    return pybind11::capsule(stream.release(), "arrow_array_stream", [](PyObject* capsule) {
        auto* kept = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
        if (kept->release) kept->release(kept);
        delete kept;
    });
}

}  // namespace bellwether::python
