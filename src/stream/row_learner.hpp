// A learner fed with the rows of a stream as they come: a row is learned from when the next one, or the end, is known.
#pragma once

#include <cstdint>

#include "bellwether/learner.hpp"
#include "stream/learning_trace.hpp"
#include "stream/stream_reader.hpp"
#include "support/output_file.hpp"

namespace bellwether {

class RowLearner {
public:
    // `predictions`: null, or where the prediction before each step goes, as lines `step,prediction`. `trace`: null, or
    // what keeps how learning goes.
    RowLearner(Learner& learner, bool sparse, OutputFile* predictions, LearningTrace* trace)
        : learner_(learner), sparse_(sparse), predictions_(predictions), trace_(trace) {}

    // Takes the row's memory and leaves that of the row before.
    void take(StreamRow& row);

    // The row that still waits for the one after it.
    const StreamRow* waiting() const { return waiting_ ? &last_ : nullptr; }
    void wait_with(StreamRow row);

    // After a last row with γ = 0 nothing of a next one is read: its own features stand in.
    void finish();

private:
    void learn(const StreamRow& next);
    template <class Features>
    void learn_from(const StreamRow& next);

    Learner& learner_;
    bool sparse_;
    OutputFile* predictions_;
    LearningTrace* trace_;
    StreamRow last_;
    bool waiting_ = false;
    std::uint64_t steps_ = 0;
};

}  // namespace bellwether
