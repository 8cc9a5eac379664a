// The parts of the Python module, one per file.
#pragma once

#include <pybind11/pybind11.h>

namespace bellwether::python {

void bind_learner(pybind11::module_& module);
void bind_features(pybind11::module_& module);
void bind_logs(pybind11::module_& module);
void bind_sweep(pybind11::module_& module);
void bind_problems(pybind11::module_& module);
void bind_study(pybind11::module_& module);

}  // namespace bellwether::python
