// How the step sizes of many learners change as a run goes on, where they do (docs/study-file.md). Plain data: the lane
// driver keeps the rule (src/engine/lane_step_sizes.hpp), algorithms know nothing of it.
#pragma once

namespace bellwether {

struct StepSizeRule {
    enum class Kind {
        constant,
        power,   // α_t = αt^−m in update t = 1, 2, … of a run
        adagrad  // α/√G for every weight, G the sum of the squares of its changes with step size 1
    };
    Kind kind = Kind::constant;
    double exponent = 0;  // m of a power

    bool is_constant() const { return kind == Kind::constant; }
};

}  // namespace bellwether
