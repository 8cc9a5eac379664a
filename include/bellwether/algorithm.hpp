// What every algorithm header shares: how parameters are declared, how state is listed, and the TD error.
//
// An algorithm is a struct template over the number type and the kind of trace, with
//     static constexpr AlgorithmText text              what it is
//     struct Parameters                                one field per parameter, with its default
//     static constexpr auto declare()                  name, range and help of each field
//     Vector<Real> w, ...                              its state
//     void visit(visitor)                              lists the state: kept(...) lives on when a new segment starts,
//                                                      cleared(...) does not
//     void connect()                                   says which weights move along which trace, if any do
//     void renew_products()                            computes what it carries of its weights anew, if it carries any
//     void initialize()                                sets what does not start at 0, if anything does
//     void update(const Step<Real, Features>&)         one step; no allocation, no exception
#pragma once

#include <array>
#include <limits>
#include <type_traits>

#include "bellwether/component_pass.hpp"
#include "bellwether/elementwise.hpp"
#include "bellwether/exponential.hpp"
#include "bellwether/info.hpp"
#include "bellwether/pack.hpp"
#include "bellwether/sparse_trace.hpp"
#include "bellwether/statements.hpp"
#include "bellwether/step.hpp"
#include "bellwether/vectors.hpp"

namespace bellwether {

// The two kinds of trace an algorithm can be instantiated with.
struct DenseTraces {};
struct SparseTraces {};

inline namespace BELLWETHER_TARGET {

// The traces of one algorithm have numbers: 0 for the first, and so on.
template <class Real, class Traces, std::size_t number>
struct TraceOf {
    using type = NumberedTrace<Real, number>;
};
template <class Real>
struct TraceOf<Real, DenseTraces, 0> {
    using type = DenseTrace<Real>;
};
template <class Real, std::size_t number>
struct TraceOf<Real, SparseTraces, number> {
    using type = SparseTrace<Real>;
};
template <class Real, class Traces, std::size_t number = 0>
using Trace = typename TraceOf<Real, Traces, number>::type;

// Weights that gain a multiple of one trace in every step, and products of such weights with traces.
template <class Real, class Traces>
struct MovingTypes {
    using Weights = MovingVector<Real>;
    using Dot = CarriedProduct<Real>;
    using Norm = CarriedSquare<Real>;
};
template <class Real>
struct MovingTypes<Real, SparseTraces> {
    using Weights = Vector<Real>;
    using Dot = Real;
    using Norm = Real;
};
template <class Real, class Traces>
using Weights = typename MovingTypes<Real, Traces>::Weights;
template <class Real, class Traces>
using CarriedDot = typename MovingTypes<Real, Traces>::Dot;
template <class Real, class Traces>
using CarriedNorm = typename MovingTypes<Real, Traces>::Norm;

// The default of a parameter that has none. (A number, not an object with a conversion: a device reads constants only.)
inline constexpr double required = std::numeric_limits<double>::quiet_NaN();

// A field of a Parameters struct with its description.
template <class Parameters, class Real>
struct Declared {
    Real Parameters::*field;
    std::string_view name;
    Range range;
    std::string_view help;
};
template <class Parameters, class Real>
constexpr Declared<Parameters, Real> declare_parameter(Real Parameters::*field, std::string_view name, Range range,
                                                       std::string_view help) {
    return {field, name, range, help};
}

// The parameters that many algorithms share.
namespace parameter {
template <class Parameters, class Real>
constexpr auto alpha(Real Parameters::*field) {
    return declare_parameter(field, "alpha", {.minimum = 0}, "step size of the weights w");
}
template <class Parameters, class Real>
constexpr auto eta(Real Parameters::*field) {
    return declare_parameter(field, "eta", {.minimum = 0},
                             "step size of the auxiliary weights h, as a multiple of alpha");
}
template <class Parameters, class Real>
constexpr auto lambda(Real Parameters::*field) {
    return declare_parameter(field, "lambda", {.minimum = 0, .maximum = 1},
                             "trace parameter, where a step does not bring its own");
}
template <class Parameters, class Real>
constexpr auto initial_alpha(Real Parameters::*field) {
    return declare_parameter(field, "alpha", {.minimum = 0, .includes_minimum = false},
                             "step size of every weight at the start");
}
template <class Parameters, class Real>
constexpr auto theta(Real Parameters::*field) {
    return declare_parameter(field, "theta", {.minimum = 0}, "step size of the step sizes");
}
template <class Parameters, class Real>
constexpr auto beta_scale(Real Parameters::*field) {
    return declare_parameter(field, "beta-scale", {.minimum = 0, .maximum = 10},
                             "decay of the follow-on trace, as a multiple of gamma");
}
}  // namespace parameter

// Sets of parameters that more than one algorithm has.
template <class Real>
struct StepSizeParameters {
    Real alpha = required;
    static constexpr auto declare() { return std::array{parameter::alpha(&StepSizeParameters::alpha)}; }
};
template <class Real>
struct TraceParameters {
    Real alpha = required;
    Real lambda = 0;
    static constexpr auto declare() {
        return std::array{parameter::alpha(&TraceParameters::alpha), parameter::lambda(&TraceParameters::lambda)};
    }
};
template <class Real>
struct GradientParameters {
    Real alpha = required;
    Real eta = 1;
    Real lambda = 0;
    static constexpr auto declare() {
        return std::array{parameter::alpha(&GradientParameters::alpha), parameter::eta(&GradientParameters::eta),
                          parameter::lambda(&GradientParameters::lambda)};
    }
};

template <class Real>
struct RegularizedParameters {
    Real alpha = required;
    Real eta = 1;
    Real lambda = 0;
    Real regularization = 1;
    static constexpr auto declare() {
        return std::array{parameter::alpha(&RegularizedParameters::alpha), parameter::eta(&RegularizedParameters::eta),
                          parameter::lambda(&RegularizedParameters::lambda),
                          declare_parameter(&RegularizedParameters::regularization, "regularization", {.minimum = 0},
                                            "pull of the auxiliary weights h towards 0")};
    }
};
template <class Real>
struct LeastSquaresParameters {
    Real lambda = 0;
    Real epsilon = Scalar<Real>(0.01);
    static constexpr auto declare() {
        return std::array{
            parameter::lambda(&LeastSquaresParameters::lambda),
            declare_parameter(&LeastSquaresParameters::epsilon, "epsilon", {.minimum = 0, .includes_minimum = false},
                              "A starts at epsilon times the identity")};
    }
};

// Where step sizes are learned: the first one, and the step size of the step sizes.
template <class Real>
struct LearnedStepSizeParameters {
    Real alpha = required;
    Real theta = Scalar<Real>(0.01);
    Real lambda = 0;
    static constexpr auto declare() {
        return std::array{parameter::initial_alpha(&LearnedStepSizeParameters::alpha),
                          parameter::theta(&LearnedStepSizeParameters::theta),
                          parameter::lambda(&LearnedStepSizeParameters::lambda)};
    }
};

// Parameters from value(p), that of the p-th declared one.
template <class Parameters, class Value>
BELLWETHER_DEVICE Parameters parameters_from(Value value) {
    Parameters parameters;
    const auto declared = Parameters::declare();
    for (std::size_t p = 0; p < declared.size(); ++p)
        parameters.*declared[p].field =
            static_cast<std::remove_cvref_t<decltype(parameters.*declared[p].field)>>(value(p));
    return parameters;
}

// λ of an algorithm that has it, else 0.
template <class Parameters>
BELLWETHER_INLINE auto lambda_of(const Parameters& parameters) {
    if constexpr (requires { parameters.lambda; }) {
        return parameters.lambda;
    } else {
        return std::remove_cvref_t<decltype(parameters.*Parameters::declare()[0].field)>(0);
    }
}

// δ = R + g'w·x' − w·x, from the two predictions.
template <class Real, class Features>
BELLWETHER_INLINE Real td_error(const Step<Real, Features>& s, const Real& w_x, const Real& w_x_next) {
    return fma(s.gamma_next, w_x_next, s.reward) - w_x;
}
template <class Real, class Features, template <class> class WeightsType>
BELLWETHER_INLINE Real td_error(const Step<Real, Features>& s, const WeightsType<Real>& w) {
    const auto [w_x, w_x_next] = dots(of(s.x, w), of(s.x_next, w));
    return td_error(s, w_x, w_x_next);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
