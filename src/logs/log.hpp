// A log in memory: what happened, row by row, and which rows belong together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

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
    std::vector<double> features;         // rows × dimension
    std::vector<double> reward, gamma;    // R_{t+1}, γ_{t+1}
    std::vector<double> rho;              // ρ_t; empty: not given
    std::vector<double> pi, mu;           // of the action taken; empty: not given
    std::vector<std::uint32_t> action{};  // empty: not given
    std::vector<double> target;           // rows × actions, π(a|S_t); empty: not given
    std::vector<double> behaviour;        // rows × actions, μ(a|S_t); empty: not given
    std::vector<Segment> segments;
    std::uint64_t missing_steps = 0;

    std::size_t rows() const { return reward.size(); }
    std::size_t steps() const;
    std::span<const double> x(std::size_t row) const { return {&features[row * dimension], dimension}; }
    std::span<const double> target_of(std::size_t row) const { return {&target[row * actions], actions}; }
};

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
