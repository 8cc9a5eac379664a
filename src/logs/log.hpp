// A log in memory: what happened, row by row, and which rows belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "logs/long_vector.hpp"

namespace bellwether {

// Steps in rows `first` … `first + steps − 1`. One that did not end was cut off: row `first + steps` is the state after
// its last step.
struct Segment {
    std::size_t first;
    std::size_t steps;
    bool ended;
};

// By row of the log, also of rows that close a segment (whose other numbers are 0).
struct Log {
    std::string name;
    std::size_t dimension = 0;
    std::size_t actions = 0;              // 0: not known
    std::shared_ptr<LogMemory> memory{};  // none: all that there is
    LongVector<double> features;          // rows × dimension
    LongVector<double> reward, gamma;     // R_{t+1}, γ_{t+1}
    LongVector<double> rho;               // ρ_t; empty: not given
    LongVector<double> pi, mu;            // of the action taken; empty: not given
    LongVector<std::uint32_t> action;     // empty: not given
    LongVector<double> target;            // rows × actions, π(a|S_t); empty: not given
    LongVector<double> behaviour;         // rows × actions, μ(a|S_t); empty: not given
    std::vector<Segment> segments;
    std::uint64_t missing_steps = 0;

    Log() = default;
    explicit Log(const std::shared_ptr<LogMemory>& share)
        : memory(share),
          features(share),
          reward(share),
          gamma(share),
          rho(share),
          pi(share),
          mu(share),
          action(share),
          target(share),
          behaviour(share) {}

    std::size_t rows() const { return reward.size(); }
    std::size_t steps() const;
    std::span<const double> x(std::size_t row) const { return {&features[row * dimension], dimension}; }
    std::span<const double> target_of(std::size_t row) const { return {&target[row * actions], actions}; }
};

inline constexpr std::size_t folds = 5;  // segment i belongs to fold i mod 5

// Lets go, as a log is read along, of what was read of it and does not fit into memory.
class LogReading {
public:
    explicit LogReading(const Log& log);
    void read(const Segment& segment) {
        if (memory_) memory_->release_after(segment.steps * row_bytes_);
    }

private:
    LogMemory* memory_;  // none: all of it fits
    std::size_t row_bytes_;
};

// Calls work(i, segment) for one segment after the other.
template <class Work>
void for_each_segment(const Log& log, const Work& work) {
    LogReading reading(log);
    for (std::size_t i = 0; i < log.segments.size(); ++i) {
        work(i, log.segments[i]);
        reading.read(log.segments[i]);
    }
}

// Calls work(row) for every step.
template <class Work>
void for_each_step(const Log& log, const Work& work) {
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row) work(row);
    });
}

// Segments of one fold that lie near to one another: first, first + folds, … below `stop`.
struct FoldPart {
    std::size_t fold, first, stop;
};

// What work reads of a part: features, or only numbers of which a step has one.
enum class PartReads { features, numbers };

// Called by the calling thread some times a second, with the share of a pass that is done.
using PassWatch = std::function<void(double done)>;

// Calls work(part) for one part after the other: those of one fold in their order, folds at the same time where there
// are threads.
void for_each_part_by_fold(const Log& log, PartReads reads, std::size_t threads,
                           const std::function<void(const FoldPart& part)>& work, const PassWatch& watch = {});

// Calls work(i, segment) for the segments of a part.
template <class Work>
void for_each_segment_of(const Log& log, const FoldPart& part, const Work& work) {
    for (std::size_t i = part.first; i < part.stop; i += folds) work(i, log.segments[i]);
}

// A log goes on and on where it has fewer than 20 segments, at least 200 steps and no end.
bool is_continuing(const Log& log);

// The length of pieces for which the discounts of L steps come to 0.05: L = ⌈ln 0.05 / ln γ̄⌉, γ̄ the geometric mean of
// the discounts, in 2 … 1000; 100 where γ̄ = 1.
std::size_t piece_length(const Log& log);

// Every segment in pieces of that many steps, each of them cut off; the last one takes the rest.
void cut_into_pieces(Log& log, std::size_t length);

// UsageError where a number of a step is none that a log may have: "step 4: gamma is 1.5: it must be in [0, 1]". For
// logs that did not come from a file.
void check_log(const Log& log);

// How many rows repeat the row before them in every number.
std::uint64_t count_repeated_rows(const Log& log);

}  // namespace bellwether
