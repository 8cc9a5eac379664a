#include "logs/held_out_values.hpp"

namespace bellwether {

HeldOutValues held_out_values(const ValueModel& states, const FoldWeights& fold_weights, std::size_t threads) {
    const Log& log = states.log();
    HeldOutValues values(states);
    for_each_part_by_fold(log, PartReads::features, threads, [&](const FoldPart& part) {
        const std::vector<double>& w = fold_weights[part.fold];
        for_each_segment_of(log, part, [&](std::size_t i, const Segment& segment) {
            const std::size_t end = segment.first + segment.steps;
            for (std::size_t row = segment.first; row < end; ++row) {
                const double v = states.value(row, w);
                values.set(row, v, v);
            }
            if (!segment.ended) values.set_closing(i, states.value(end, w));
        });
    });
    return values;
}

}  // namespace bellwether
