// bellwether.TileCoder and bellwether.FourierBasis: features of continuous inputs.
#include <pybind11/numpy.h>

#include <cmath>

#include "arrays.hpp"
#include "bellwether/fourier.hpp"
#include "bellwether/tile_coding.hpp"
#include "bindings.hpp"

namespace bellwether::python {

namespace {

// One value for every input: as many as there are, or one for all.
py::array per_input(const char* name, py::handle given, std::size_t inputs) {
    const py::array array = float64_array(name, given);
    if (array.ndim() > 1 || (array.ndim() == 1 && static_cast<std::size_t>(array.size()) != inputs))
        refuse_value(std::string(name) + " must be one value, or " + std::to_string(inputs) + ", one for every input");
    return array;
}

double value_at(const py::array& array, std::size_t input) {
    return static_cast<const double*>(array.data())[array.ndim() == 0 ? 0 : input];
}

// How many inputs two arguments speak of, of which one may be a single number.
std::size_t inputs_of(py::handle lower, py::handle upper) {
    std::size_t inputs = 1;
    for (const py::array& bound : {float64_array("lower", lower), float64_array("upper", upper)})
        if (bound.ndim() == 1) inputs = std::max(inputs, static_cast<std::size_t>(bound.size()));
    return inputs;
}

// A matrix of inputs, one row each; a single vector is one row.
struct Inputs {
    Inputs(py::handle given, std::size_t width) : array(float64_array("inputs", given)) {
        if (array.ndim() < 1 || array.ndim() > 2 || static_cast<std::size_t>(array.shape(array.ndim() - 1)) != width)
            refuse_value("inputs must have shape (rows, " + std::to_string(width) + ") or (" + std::to_string(width) +
                         ",), not " + py::str(array.attr("shape")).cast<std::string>());
        rows = array.ndim() == 1 ? 1 : static_cast<std::size_t>(array.shape(0));
        data = static_cast<const double*>(array.data());
    }
    // The shape of what has `size` numbers for every row.
    std::vector<py::ssize_t> shape(std::size_t size) const {
        if (array.ndim() == 1) return {static_cast<py::ssize_t>(size)};
        return {static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(size)};
    }

    py::array array;
    std::size_t rows = 0;
    const double* data = nullptr;
};

// ---- tile coding ----

// A coder and what it was made from, to make it again.
struct TileCoderObject {
    TileCoder coder;
    py::tuple arguments;
};

std::unique_ptr<TileCoderObject> make_coder(const py::object& lower, const py::object& upper, const py::object& tiles,
                                            const py::object& tilings, const py::object& wraps,
                                            const py::object& memory, const py::object& bias) {
    const std::size_t inputs = inputs_of(lower, upper);
    const py::array lowers = per_input("lower", lower, inputs), uppers = per_input("upper", upper, inputs);
    const py::array counts = per_input("tiles", tiles, inputs), wrapping = per_input("wraps", wraps, inputs);
    std::vector<TiledInput> tiled;
    for (std::size_t i = 0; i < inputs; ++i) {
        const double count = value_at(counts, i);
        if (!(count >= 1 && count < 0x1p53 && count == std::floor(count)))
            refuse_value("tiles must be whole numbers of at least 1");
        tiled.push_back({.lower = value_at(lowers, i),
                         .upper = value_at(uppers, i),
                         .tiles = static_cast<std::size_t>(count),
                         .wraps = value_at(wrapping, i) != 0});
    }
    auto made = make_tile_coder(tiled, {.tilings = count_of("tilings", tilings, 1),
                                        .memory = memory.is_none() ? 0 : count_of("memory", memory, 1),
                                        .bias = py::bool_(bias)});
    if (!made) refuse_value(made.error());
    return std::make_unique<TileCoderObject>(
        TileCoderObject{made.value(), py::make_tuple(lower, upper, tiles, tilings, wraps, memory, bias)});
}

py::array encode_tiles(const TileCoderObject& object, const py::handle& given) {
    const TileCoder& coder = object.coder;
    const Inputs inputs(given, coder.inputs());
    py::array_t<std::uint32_t> indices(inputs.shape(coder.active()));
    std::uint32_t* to = indices.mutable_data();
    const py::gil_scoped_release others_run;
    for (std::size_t row = 0; row < inputs.rows; ++row)
        coder.encode({inputs.data + row * coder.inputs(), coder.inputs()}, {to + row * coder.active(), coder.active()});
    return indices;
}

py::object tiles_csr(const TileCoderObject& object, const py::handle& given) {
    const py::module_ numpy = py::module_::import("numpy");
    const py::array indices = encode_tiles(object, numpy.attr("atleast_2d")(float64_array("inputs", given)));
    const py::ssize_t rows = indices.shape(0), active = indices.shape(1);
    const py::object data = numpy.attr("ones")(rows * active);
    const py::object offsets = numpy.attr("arange")(rows + 1) * py::int_(active);
    return py::module_::import("scipy.sparse")
        .attr("csr_matrix")(py::make_tuple(data, indices.attr("ravel")(), offsets),
                            py::arg("shape") = py::make_tuple(rows, object.coder.size()));
}

void bind_tile_coder(py::module_& module) {
    py::class_<TileCoderObject> coder(
        module, "TileCoder", R"(TileCoder(lower, upper, tiles, *, tilings=8, wraps=False, memory=None, bias=False)
--

Tile coding: sparse binary features of continuous inputs.

lower, upper: the bounds of every input, one value each. An input beyond them counts as the bound.
tiles: into how many equal intervals each tiling cuts every input; one value, or one per input.
tilings: how many tilings there are, displaced against each other; each has one active tile.
wraps: whether the upper bound is the lower one again, as for an angle; one value, or one per input.
memory: the number of features may not exceed it: a grid that is larger is hashed.
bias: a last feature that is always 1.

    coder = TileCoder([-1.2, -0.07], [0.6, 0.07], tiles=8, tilings=8)
    learner = Learner("td", dimension=coder.size, alpha=0.1 / coder.active, lambda_=0.9, traces="sparse")
    learner.learn(coder.encode(states), rewards, gammas)
)");
    coder.attr("__module__") = "bellwether";
    coder
        .def(py::init(&make_coder), py::arg("lower"), py::arg("upper"), py::arg("tiles"), py::kw_only(),
             py::arg("tilings") = 8, py::arg("wraps") = false, py::arg("memory") = py::none(), py::arg("bias") = false,
             "__init__(self, lower, upper, tiles, *, tilings=8, wraps=False, memory=None, bias=False)\n--\n\nMake a "
             "coder.")
        .def("encode", &encode_tiles, py::arg("inputs"),
             "encode(self, inputs)\n--\n\nThe indices of the active features, ascending: (rows, inputs) to uint32 "
             "(rows, active).\n\n"
             "Learner.step, learn and predict take them as they are. One vector of inputs gives one vector of indices.")
        .def("csr", &tiles_csr, py::arg("inputs"),
             "csr(self, inputs)\n--\n\nThe features as a scipy.sparse CSR matrix of shape (rows, size).")
        .def_property_readonly(
            "inputs", [](const TileCoderObject& o) { return o.coder.inputs(); }, "The number of inputs.")
        .def_property_readonly(
            "tilings", [](const TileCoderObject& o) { return o.coder.tilings(); }, "The number of tilings.")
        .def_property_readonly(
            "size", [](const TileCoderObject& o) { return o.coder.size(); },
            "The number of features: the dimension of a learner.")
        .def_property_readonly(
            "active", [](const TileCoderObject& o) { return o.coder.active(); },
            "The number of features that are 1, whatever the input.")
        .def_property_readonly(
            "hashed", [](const TileCoderObject& o) { return o.coder.hashed(); },
            "Whether different tiles may share a feature.")
        .def(py::pickle([](const TileCoderObject& o) { return o.arguments; },
                        [](const py::tuple& a) { return make_coder(a[0], a[1], a[2], a[3], a[4], a[5], a[6]); }));
}

// ---- the Fourier basis ----

struct FourierBasisObject {
    FourierBasis basis;
    py::tuple arguments;
};

std::unique_ptr<FourierBasisObject> make_basis(const py::object& lower, const py::object& upper,
                                               const py::object& order, const py::object& scaled) {
    const std::size_t inputs = inputs_of(lower, upper);
    const py::array lowers = per_input("lower", lower, inputs), uppers = per_input("upper", upper, inputs);
    std::vector<Bounds> bounds;
    for (std::size_t i = 0; i < inputs; ++i) bounds.push_back({value_at(lowers, i), value_at(uppers, i)});
    auto made = make_fourier_basis(bounds, {.order = count_of("order", order, 1), .scaled = py::bool_(scaled)});
    if (!made) refuse_value(made.error());
    return std::make_unique<FourierBasisObject>(
        FourierBasisObject{made.value(), py::make_tuple(lower, upper, order, scaled)});
}

py::array encode_basis(const FourierBasisObject& object, const py::handle& given) {
    const FourierBasis& basis = object.basis;
    const Inputs inputs(given, basis.inputs());
    py::array_t<double> features(inputs.shape(basis.size()));
    double* to = features.mutable_data();
    const py::gil_scoped_release others_run;
    for (std::size_t row = 0; row < inputs.rows; ++row)
        basis.encode({inputs.data + row * basis.inputs(), basis.inputs()},
                     std::span(to + row * basis.size(), basis.size()));
    return features;
}

py::array coefficients(const FourierBasisObject& object) {
    const FourierBasis& basis = object.basis;
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(basis.size()),
                                         static_cast<py::ssize_t>(basis.inputs())};
    py::array_t<std::uint32_t> all(shape);
    std::uint32_t* to = all.mutable_data();
    for (std::size_t feature = 0; feature < basis.size(); ++feature)
        for (const std::uint32_t c : basis.coefficients(feature)) *to++ = c;
    return all;
}

py::array step_size_scales(const FourierBasisObject& object) {
    std::vector<double> scales;
    for (std::size_t i = 0; i < object.basis.size(); ++i) scales.push_back(object.basis.step_size_scale(i));
    return array_of(std::move(scales));
}

void bind_fourier_basis(py::module_& module) {
    py::class_<FourierBasisObject> basis(module, "FourierBasis", R"(FourierBasis(lower, upper, order=3, *, scaled=False)
--

The Fourier basis: dense features cos(pi c.s) of continuous inputs, for every c in {0, ..., order}^inputs, where s is
the input scaled from its bounds to [0, 1].

lower, upper: the bounds of every input, one value each. An input beyond them counts as the bound.
order: the largest number in c.
scaled: multiply every feature by the root of its step_size_scales: one step size then learns what one per
    feature would.
)");
    basis.attr("__module__") = "bellwether";
    basis
        .def(py::init(&make_basis), py::arg("lower"), py::arg("upper"), py::arg("order") = 3, py::kw_only(),
             py::arg("scaled") = false, "__init__(self, lower, upper, order=3, *, scaled=False)\n--\n\nMake a basis.")
        .def("encode", &encode_basis, py::arg("inputs"),
             "encode(self, inputs)\n--\n\nThe features: (rows, inputs) to float64 (rows, size). One vector of inputs "
             "gives one vector.")
        .def_property_readonly(
            "inputs", [](const FourierBasisObject& o) { return o.basis.inputs(); }, "The number of inputs.")
        .def_property_readonly(
            "order", [](const FourierBasisObject& o) { return o.basis.order(); }, "The largest number in c.")
        .def_property_readonly(
            "size", [](const FourierBasisObject& o) { return o.basis.size(); },
            "The number of features, (order + 1)^inputs: the dimension of a learner.")
        .def_property_readonly("coefficients", &coefficients, "The c of every feature: (size, inputs).")
        .def_property_readonly(
            "step_size_scales", &step_size_scales,
            "The step size of every feature as a multiple of the constant's: 1/|c|, and 1 where c = 0.")
        .def(py::pickle([](const FourierBasisObject& o) { return o.arguments; },
                        [](const py::tuple& a) { return make_basis(a[0], a[1], a[2], a[3]); }));
}

}  // namespace

void bind_features(py::module_& module) {
    bind_tile_coder(module);
    bind_fourier_basis(module);
}

}  // namespace bellwether::python
