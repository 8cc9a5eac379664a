// What holds for every device, real or not: the results are those of the processor.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <string>

#include "engine/device/packing.hpp"
#include "random_request.hpp"

namespace bellwether::test {

// Equal to the bit; of numbers that are not finite, only that they are not.
inline std::size_t count_differences(const std::vector<double>& found, const std::vector<double>& expected) {
    std::size_t differences = found.size() == expected.size() ? 0 : 1;
    for (std::size_t k = 0; k < std::min(found.size(), expected.size()); ++k)
        differences += std::isfinite(expected[k])
                           ? std::bit_cast<std::uint64_t>(found[k]) != std::bit_cast<std::uint64_t>(expected[k])
                           : std::isfinite(found[k]);
    return differences;
}

inline void expect_results_of_processor(const Backend& device, std::size_t algorithm, const RequestShape& shape) {
    const RandomRequest request(algorithm, shape, 1 + algorithm);
    const RandomRequest::Results expected = request.run(best_instruction_set()), found = request.run(device);
    const std::string what = std::string(algorithm_table[algorithm].id) + ", " + name_of(shape.features) +
                             ", d = " + std::to_string(shape.dimension) + ", on " + std::string(device.name());
    EXPECT_EQ(count_differences(found.scores, expected.scores), 0U) << "scores of " << what;
    EXPECT_EQ(count_differences(found.curves, expected.curves), 0U) << "curves of " << what;
    std::size_t finite = 0;
    for (const double score : expected.scores) finite += std::isfinite(score);
    EXPECT_GT(finite, expected.scores.size() / 4) << what;
    constexpr std::string_view bounded[] = {"implicit-td", "alpha-bound", "obgd-td",
                                            "swift-td",    "auto-tidbd",  "wis-td"};
    const bool has_bounded_steps =
        std::find(std::begin(bounded), std::end(bounded), algorithm_table[algorithm].id) != std::end(bounded);
    EXPECT_TRUE(finite < expected.scores.size() || has_bounded_steps) << "something overflows: " << what;
}

// Every algorithm that a device has a kernel for × features × errors, with and without λ and interest of the states,
// and with learning curves.
inline void expect_results_of_processor(const Backend& device) {
    for (std::size_t algorithm = 0; algorithm < Algorithms::count; ++algorithm) {
        LaneRequest some{};
        some.features.dimension = 5;
        some.block.algorithm = algorithm;
        if (device_numbers(some) == 0) continue;
        for (const LaneFeatures::Kind kind :
             {LaneFeatures::Kind::one_hot, LaneFeatures::Kind::sparse, LaneFeatures::Kind::dense}) {
            expect_results_of_processor(device, algorithm, {.features = kind});
            expect_results_of_processor(device, algorithm,
                                        {.features = kind,
                                         .dimension = 5,
                                         .states_have_lambda = true,
                                         .states_have_interest = true,
                                         .keeps_curves = true});
            expect_results_of_processor(device, algorithm,
                                        {.features = kind, .measures_some = true, .several_scores = true});
            expect_results_of_processor(device, algorithm, {.features = kind, .dimension = 5, .learns_in_some = true});
        }
        // What there is to steps, together and with learning curves.
        for (const bool curves : {false, true})
            for (const bool several : {false, true})
                expect_results_of_processor(device, algorithm,
                                            {.dimension = 5,
                                             .states_have_lambda = several,
                                             .keeps_curves = curves,
                                             .changes_after = several ? 0U : 70U,
                                             .measures_some = true,
                                             .learns_in_some = true,
                                             .several_scores = several,
                                             .looks_ahead = true});
        for (const bool curves : {false, true})
            for (const bool measures_some : {false, true})
                expect_results_of_processor(device, algorithm,
                                            {.features = LaneFeatures::Kind::dense,
                                             .dimension = 5,
                                             .keeps_curves = curves,
                                             .measures_some = measures_some,
                                             .several_scores = measures_some != curves,
                                             .truth_changes = true});
        // A change between scored steps, one before them, and one after the end of a trajectory.
        for (const std::size_t after : {110, 20, 150})
            expect_results_of_processor(device, algorithm,
                                        {.dimension = 5, .keeps_curves = after == 110, .changes_after = after});
    }
}

}  // namespace bellwether::test
