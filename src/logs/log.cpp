#include "logs/log.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "support/interrupt.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

std::size_t Log::steps() const {
    std::size_t steps = 0;
    for (const Segment& segment : segments) steps += segment.steps;
    return steps;
}

LogReading::LogReading(const Log& log)
    : memory_(log.memory && log.memory->spills() ? log.memory.get() : nullptr),
      row_bytes_((log.dimension + 2 * log.actions + 8) * sizeof(double)) {}  // with what is computed by row

void for_each_segment_by_fold(
    const Log& log, std::size_t threads,
    const std::function<void(std::size_t fold, std::size_t i, const Segment& segment)>& work) {
    if (threads <= 1) {
        // Several of one fold before those of the next: what a fold adds up stays in the nearest cache.
        constexpr std::size_t at_once = 32 * folds;
        LogReading reading(log);
        for (std::size_t first = 0; first < log.segments.size(); first += at_once) {
            stop_if_interrupted();
            for (std::size_t i = first; i < std::min(first + folds, log.segments.size()); ++i)
                for (std::size_t k = i; k < std::min(first + at_once, log.segments.size()); k += folds) {
                    work(k % folds, k, log.segments[k]);
                    reading.read(log.segments[k]);
                }
        }
        return;
    }
    std::atomic<bool> stop = false;
    parallel_for(
        std::min(threads, folds), folds, stop,
        [&](std::size_t, std::size_t fold) {
            LogReading reading(log);
            for (std::size_t i = fold; i < log.segments.size() && !stop; i += folds) {
                work(fold, i, log.segments[i]);
                // What lies between the segments of a fold comes into memory with them.
                reading.read({log.segments[i].first, folds * log.segments[i].steps, log.segments[i].ended});
            }
        },
        [] { stop_if_interrupted(); });
}

bool is_continuing(const Log& log) {
    constexpr std::size_t least_segments = 20, least_steps = 200;
    return log.segments.size() < least_segments && log.steps() >= least_steps &&
           std::none_of(log.segments.begin(), log.segments.end(), [](const Segment& s) { return s.ended; });
}

std::size_t piece_length(const Log& log) {
    constexpr double share_left = 0.05, shortest = 2, longest = 1000;
    constexpr std::size_t undiscounted = 100;
    double logarithms = 0;
    for_each_step(log, [&](std::size_t row) { logarithms += std::log(log.gamma[row]); });
    const double mean = logarithms / static_cast<double>(log.steps());
    if (mean == 0) return undiscounted;
    return static_cast<std::size_t>(std::clamp(std::ceil(std::log(share_left) / mean), shortest, longest));
}

void cut_into_pieces(Log& log, std::size_t length) {
    std::vector<Segment> pieces;
    for (const Segment& segment : log.segments) {
        const std::size_t count = std::max<std::size_t>(1, segment.steps / length);
        for (std::size_t p = 0; p < count; ++p) {
            const bool last = p + 1 == count;
            pieces.push_back(
                {segment.first + p * length, last ? segment.steps - p * length : length, last && segment.ended});
        }
    }
    log.segments = std::move(pieces);
}

std::uint64_t count_repeated_rows(const Log& log) {
    std::uint64_t repeated = 0;
    for_each_segment(log, [&](std::size_t, const Segment& segment) {
        for (std::size_t row = segment.first + 1; row < segment.first + segment.steps; ++row) {
            const auto same = [&](const auto& numbers) { return numbers.empty() || numbers[row] == numbers[row - 1]; };
            if (same(log.reward) && same(log.gamma) && same(log.action) && same(log.rho) && same(log.mu) &&
                std::ranges::equal(log.x(row), log.x(row - 1)))
                ++repeated;
        }
    });
    return repeated;
}

}  // namespace bellwether
