// A file of questions (docs/hordes.md): what a horde is to predict, in groups that share an algorithm and its
// parameters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bellwether/info.hpp"
#include "stream/expression.hpp"

namespace bellwether {

struct QuestionGroup {
    const AlgorithmInfo* algorithm;
    std::vector<double> parameters;  // in the order of the algorithm's list
};

// What is asked: the sum of a cumulant, discounted, under a target policy.
struct Question {
    std::string name;
    std::size_t group;
    Expression cumulant, discount, ratio;
    std::optional<Expression> target, behaviour;  // π and μ of the action taken; the ratio is theirs
    std::size_t depth = 0;                        // 0 for one that reads no other; else one more than all it reads
};

struct Questions {
    std::vector<QuestionGroup> groups;
    std::vector<Question> questions;
};

// `columns`: of the stream that they are asked about. UsageError where something is wrong, cycles among them.
Questions read_questions(const std::string& path, std::span<const std::string> columns);

}  // namespace bellwether
