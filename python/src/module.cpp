// bellwether._core: everything of the Python package that is C++.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
    // Docstrings begin with their signature in the form that inspect reads: "name(self, argument=default)\n--\n\n".
    // (Plain "self": inspect would take "$self" off twice, since the functions of pybind11 are bound to a capsule.)
    pybind11::options options;
    options.disable_function_signatures();
    module.doc() = "The C++ part of bellwether. Use it through the bellwether package.";
    module.attr("__version__") = BELLWETHER_VERSION;
    bellwether::python::bind_learner(module);
    bellwether::python::bind_features(module);
    bellwether::python::bind_sweep(module);
    bellwether::python::bind_problems(module);
    bellwether::python::bind_study(module);
}
