// What states and actions of a log are worth by weights that were learned without their fold.
#pragma once

#include "logs/log.hpp"
#include "logs/value_model.hpp"

namespace bellwether {

// v_h and q_h by row of a step; and v of the rows that close segments, by segment: such a row may be the first one of
// the next piece.
class HeldOutValues {
public:
    explicit HeldOutValues(const ValueModel& model)
        : log_(model.log()),
          v_(log_.memory, log_.rows()),
          q_(log_.memory, model.of() == ValueModel::Of::actions ? log_.rows() : 0),
          closing_(log_.memory, log_.segments.size()) {}

    const Log& log() const { return log_; }

    void set(std::size_t row, double v, double q) {
        v_[row] = v;
        if (!q_.empty()) q_[row] = q;
    }
    void set_closing(std::size_t i, double v) { closing_[i] = v; }

    const double* v(std::size_t row) const { return &v_[row]; }
    const double* q(std::size_t row) const { return q_.empty() ? v(row) : &q_[row]; }  // of states q = v
    double after(std::size_t i, const Segment& segment, std::size_t row) const {
        return row + 1 == segment.first + segment.steps ? closing_[i] : v_[row + 1];
    }

private:
    const Log& log_;
    LongVector<double> v_, q_, closing_;
};

// Those of states, row by row.
HeldOutValues held_out_values(const ValueModel& states, const FoldWeights& fold_weights, std::size_t threads);

}  // namespace bellwether
