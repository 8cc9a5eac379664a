// The learners compiled for each instruction set give the same bits.
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "core/conformance_rows.hpp"
#include "core/stream.hpp"
#include "engine/backend.hpp"

namespace bellwether::test {
namespace {

TEST(Learners, AreEqualOnEveryInstructionSet) {
    const auto sets = instruction_sets();
    ASSERT_FALSE(sets.empty());
    for (const ConformanceRow& row : conformance_rows()) {
        const AlgorithmInfo& info = *find_algorithm(row.id);
        const std::vector<double> parameters = check_parameters(info, row.parameters).value();
        for (const FeatureKind kind : {FeatureKind::dense, FeatureKind::sparse, FeatureKind::one_hot}) {
            for (const std::optional<double> cutoff : {std::optional<double>(), std::optional<double>(0.0)}) {
                const Case c =
                    random_case(9, 150, {.dimension = 21, .features = kind, .on_policy = info.on_policy_only});
                std::vector<std::vector<std::byte>> states;
                for (const InstructionSet* set : sets) {
                    const auto learner = set->make_learner(info, c.dimension, parameters, cutoff);
                    for (const Sample& s : c.stream) feed_as(kind, *learner, s);
                    states.push_back(learner->save());
                }
                for (std::size_t k = 1; k < states.size(); ++k)
                    EXPECT_EQ(states[k], states[0]) << row.id << ": " << sets[k]->name() << " and " << sets[0]->name();
            }
        }
    }
}

}  // namespace
}  // namespace bellwether::test
