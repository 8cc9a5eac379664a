// Which scores of a configuration a store keeps, and in which order: of every metric that of all questions together,
// and then, where a setting has several questions, of every metric that of each question alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/study.hpp"

namespace bellwether {

// Questions that have scores of their own: none where there is one, whose score is the setting's.
inline std::size_t questions_apart(const Setting& setting) {
    return setting.problem.questions() > 1 ? setting.problem.questions() : 0;
}
inline std::uint32_t stored_scores(const Setting& setting) {
    return static_cast<std::uint32_t>(setting.metrics.size() * (1 + questions_apart(setting)));
}
// The place of a question's own score among them.
inline std::size_t place_of_question(const Setting& setting, std::size_t metric, std::size_t question) {
    return setting.metrics.size() + metric * questions_apart(setting) + question;
}

}  // namespace bellwether
