#include "logs/log.hpp"

#include <algorithm>
#include <cmath>

namespace bellwether {

std::size_t Log::steps() const {
    std::size_t steps = 0;
    for (const Segment& segment : segments) steps += segment.steps;
    return steps;
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
    for (const Segment& segment : log.segments)
        for (std::size_t row = segment.first; row < segment.first + segment.steps; ++row)
            logarithms += std::log(log.gamma[row]);
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
    for (const Segment& segment : log.segments)
        for (std::size_t row = segment.first + 1; row < segment.first + segment.steps; ++row) {
            const auto same = [&](const auto& numbers) { return numbers.empty() || numbers[row] == numbers[row - 1]; };
            if (same(log.reward) && same(log.gamma) && same(log.action) && same(log.rho) && same(log.mu) &&
                std::ranges::equal(log.x(row), log.x(row - 1)))
                ++repeated;
        }
    return repeated;
}

}  // namespace bellwether
