#include "logs/shown_estimates.hpp"

#include <array>

namespace bellwether {

namespace {

struct Known {
    std::string_view id, name, group;
};
constexpr std::string_view both = "Weighted returns, corrected by learned values", learned = "Learned values alone",
                           weighted = "Weighted returns alone";
constexpr std::array known{Known{"answer-q", "doubly robust, then values (actions)", both},
                           Known{"answer-v", "doubly robust, then values (states)", both},
                           Known{"wdr-q", "weighted doubly robust (actions)", both},
                           Known{"wdr", "weighted doubly robust (states)", both},
                           Known{"dr-q", "doubly robust (actions)", both},
                           Known{"dr", "doubly robust (states)", both},
                           Known{"lstd-q", "least squares (actions)", learned},
                           Known{"lstd", "least squares (states)", learned},
                           Known{"online", "a learner along the log", learned},
                           Known{"wpdis", "weighted per decision", weighted},
                           Known{"pdis", "per decision", weighted},
                           Known{"wis", "weighted importance sampling", weighted},
                           Known{"is", "importance sampling", weighted}};

// What an answer is where it is no estimate of its own.
std::string_view original(const PolicyEvaluation& evaluation, std::string_view id) {
    const bool actions = id == "answer-q";
    if (!actions && id != "answer-v") return id;
    if (evaluation.horizon == 0) return actions ? "lstd-q" : evaluation.has_least_squares() ? "lstd" : "online";
    if (evaluation.horizon == evaluation.effective_sample.size()) return actions ? "wdr-q" : "wdr";
    return id;
}

}  // namespace

std::vector<ShownEstimate> shown_estimates(const PolicyEvaluation& evaluation) {
    const std::string_view answer = answers(evaluation.verdict) ? original(evaluation, evaluation.answer) : "";
    std::vector<ShownEstimate> shown;
    for (const Known& one : known)
        if (const PolicyEstimate* found = evaluation.find(one.id); found && original(evaluation, one.id) == one.id)
            shown.push_back({found, one.name, one.group, one.id == answer});
    return shown;
}

}  // namespace bellwether
