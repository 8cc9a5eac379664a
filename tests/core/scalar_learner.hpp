// The scalar learner of an algorithm, for the lanes of packs to be compared with. Compiled once, for every machine: the
// lanes of every instruction set must equal the same numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bellwether/state.hpp"
#include "stream.hpp"

namespace bellwether::test {

class ScalarLearner {
public:
    virtual ~ScalarLearner() = default;
    virtual void set_weights(std::span<const double> weights) = 0;
    virtual void step(FeatureKind kind, const Sample& s) = 0;  // with start() where the sample begins a segment
    virtual std::vector<double> numbers() = 0;                 // everything it remembers
};

// Parameters that are not named have their defaults.
std::unique_ptr<ScalarLearner> make_scalar_learner(std::string_view algorithm, std::size_t dimension,
                                                   std::span<const NamedValue> parameters);

}  // namespace bellwether::test
