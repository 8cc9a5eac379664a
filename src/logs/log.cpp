#include "logs/log.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>

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

namespace {

constexpr std::chrono::milliseconds watch_interval{50};

// The end of a part that begins with segment `first`: of all folds together, what the nearer caches hold.
std::size_t end_of_part(const Log& log, std::size_t first) {
    constexpr std::size_t most_segments = 32 * folds, most_rows = 256;
    const std::size_t last = std::min(first + most_segments, log.segments.size());
    std::size_t stop = std::min(first + folds, last);
    while (stop < last && log.segments[stop].first - log.segments[first].first < most_rows) ++stop;
    return stop;
}

// Brings a segment's numbers near, in their order: the work reads them backwards, one of five segments at a time,
// which the processor does not foresee. (It does foresee what is read here, and not what is merely asked for in
// advance.)
void touch(const LongVector<double>& numbers, std::size_t by_row, const Segment& segment) {
    if (numbers.empty()) return;
    constexpr std::size_t line = 64 / sizeof(double);
    const double* const end = numbers.data() + (segment.first + segment.steps) * by_row;
    for (const double* at = numbers.data() + segment.first * by_row; at < end; at += line)
        asm volatile("" : : "x"(*at));
}

void touch_rows(const Log& log, const Segment& segment) {
    touch(log.features, log.dimension, segment);
    touch(log.rho, 1, segment);
    touch(log.gamma, 1, segment);
    touch(log.reward, 1, segment);
    touch(log.target, log.actions, segment);
}

}  // namespace

void for_each_part_by_fold(const Log& log, PartReads reads, std::size_t threads,
                           const std::function<void(const FoldPart& part)>& work, const PassWatch& watch) {
    const auto all = static_cast<double>(log.segments.size());
    const auto touch_part = [&](std::size_t first, std::size_t stop, std::size_t by) {
        if (reads == PartReads::numbers) return;
        for (std::size_t i = first; i < stop; i += by) touch_rows(log, log.segments[i]);
    };
    if (threads <= 1) {
        LogReading reading(log);
        auto watched = std::chrono::steady_clock::now();
        for (std::size_t first = 0, stop; first < log.segments.size(); first = stop) {
            stop_if_interrupted();
            if (const auto now = std::chrono::steady_clock::now(); watch && now - watched > watch_interval) {
                watch(static_cast<double>(first) / all);
                watched = now;
            }
            stop = end_of_part(log, first);
            touch_part(first, stop, 1);
            for (std::size_t i = first; i < std::min(first + folds, stop); ++i) work({i % folds, i, stop});
            for (std::size_t i = first; i < stop; ++i) reading.read(log.segments[i]);
        }
        return;
    }
    std::atomic<bool> stop_all = false;
    std::array<std::atomic<std::size_t>, folds> done{};
    parallel_for(
        std::min(threads, folds), folds, stop_all,
        [&](std::size_t, std::size_t fold) {
            LogReading reading(log);
            for (std::size_t first = 0, stop; first < log.segments.size() && !stop_all; first = stop) {
                stop = end_of_part(log, first);
                const std::size_t own = first + (fold + folds - first % folds) % folds;
                touch_part(own, stop, folds);
                if (own < stop) work({fold, own, stop});
                // What lies between the segments of a fold comes into memory with them.
                for (std::size_t i = first; i < stop; ++i) reading.read(log.segments[i]);
                done[fold] = stop;
            }
        },
        [&] {
            stop_if_interrupted();
            if (watch) watch(std::accumulate(done.begin(), done.end(), 0.0) / (all * folds));
        });
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
