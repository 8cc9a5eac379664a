// How learning goes over a stream of any length, in constant memory: means over spans of steps that double in length
// whenever there are more spans than a picture can show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bellwether {

class LearningTrace {
public:
    static constexpr std::size_t most_spans = 512;

    // Of one step, before its update: the prediction, and the TD error R + γ w·x' − w·x.
    void add(double prediction, double td_error);

    std::uint64_t steps() const { return steps_; }

    // By span: its first step, and the means of the predictions and of the TD errors' magnitudes.
    struct Means {
        std::vector<double> steps, predictions, td_errors;
    };
    Means means() const;

private:
    struct Span {
        double prediction = 0, td_error = 0;  // sums
    };

    std::vector<Span> spans_;
    std::uint64_t length_ = 1;  // of a span; the last one may be shorter
    std::uint64_t steps_ = 0;
};

}  // namespace bellwether
