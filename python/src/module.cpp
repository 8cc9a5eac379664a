// bellwether._core: everything of the Python package that is C++.
#include <exception>
#include <utility>

#include "bindings.hpp"
#include "support/error.hpp"

namespace {

// A wrong request is a ValueError, work that fails a RuntimeError.
void translate_errors() {
    pybind11::register_exception_translator([](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(std::move(error));
        } catch (const bellwether::UsageError& e) {
            PyErr_SetString(PyExc_ValueError, e.what());
        } catch (const bellwether::WorkError& e) {
            PyErr_SetString(PyExc_RuntimeError, e.what());
        }
    });
}

}  // namespace

PYBIND11_MODULE(_core, module) {
    translate_errors();
    // Docstrings begin with their signature in the form that inspect reads: "name(self, argument=default)\n--\n\n".
    // (Plain "self": inspect would take "$self" off twice, since the functions of pybind11 are bound to a capsule.)
    pybind11::options options;
    options.disable_function_signatures();
    module.doc() = "The C++ part of bellwether. Use it through the bellwether package.";
    module.attr("__version__") = BELLWETHER_VERSION;
    bellwether::python::bind_learner(module);
    bellwether::python::bind_features(module);
    bellwether::python::bind_logs(module);
    bellwether::python::bind_sweep(module);
    bellwether::python::bind_problems(module);
    bellwether::python::bind_study(module);
}
