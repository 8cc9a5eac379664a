// bellwether.Learner: a run-time learner as Python holds it.
#pragma once

#include <pybind11/pybind11.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bellwether/catalogue.hpp"
#include "engine/backend.hpp"

namespace bellwether::python {

class LearnerObject {
public:
    explicit LearnerObject(std::unique_ptr<Learner> learner) : learner_(std::move(learner)) {}

    const AlgorithmInfo& info() const { return learner_->info(); }
    std::size_t dimension() const { return learner_->dimension(); }

    // The learner, unless another thread is learning with it, for which it has released the GIL.
    Learner& idle() {
        if (busy_) throw std::runtime_error("this learner is learning in another call: wait for it, or use a copy");
        return *learner_;
    }

    // Keeps others out while the GIL is released. Made and ended with the GIL held.
    class Use {
    public:
        explicit Use(LearnerObject& object) : object_(object), learner_(object.idle()) { object_.busy_ = true; }
        ~Use() { object_.busy_ = false; }
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

        Learner& learner() { return learner_; }

    private:
        LearnerObject& object_;
        Learner& learner_;
    };

private:
    std::unique_ptr<Learner> learner_;
    bool busy_ = false;
};

// A parameter's name in Python: beta-scale is beta_scale, lambda (a keyword there) is lambda_.
inline std::string python_name(std::string_view parameter) {
    std::string name(parameter);
    for (char& c : name)
        if (c == '-') c = '_';
    return name == "lambda" ? "lambda_" : name;
}

// learner.learn, which has a file of its own.
py::object learn_stream(LearnerObject& object, py::handle X, py::handle rewards, py::handle gammas, py::handle rhos,
                        py::handle X_next, py::handle lambdas, py::handle lambdas_next, py::handle interests,
                        py::handle pis, py::handle mus, py::handle starts, bool predictions);
extern const char* const learn_documentation;
void bind_learn_timing(py::module_& module);

// learner.step, likewise.
void bind_step(py::handle learner_class);

}  // namespace bellwether::python
