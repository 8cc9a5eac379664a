#include "plan/study_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/number_text.hpp"

namespace bellwether {

namespace {

constexpr std::string_view all_questions = "all";

std::size_t read_number(const Document& file, const DocumentNode& node, std::size_t count) {
    const double number = file.number(node);
    if (number != std::floor(number) || number < 0 || number >= static_cast<double>(count))
        file.fail(node, fmt::format("is {}: the questions are 0 to {}", number_text(number), count - 1));
    return static_cast<std::size_t>(number);
}

}  // namespace

std::vector<std::size_t> read_questions(const Document& file, const DocumentNode* node, std::size_t count) {
    std::vector<std::size_t> asked;
    if (!node || node->kind == DocumentNode::Kind::text) {
        if (node && node->text != all_questions)
            file.fail(*node, fmt::format("is '{}': it must be '{}', or a list of numbers", node->text, all_questions));
        for (std::size_t q = 0; q < count; ++q) asked.push_back(q);
        return asked;
    }
    for (const DocumentNode& entry : file.list(*node)) {
        const std::size_t q = read_number(file, entry, count);
        if (std::find(asked.begin(), asked.end(), q) != asked.end())
            file.fail(entry, fmt::format("repeats question {}", q));
        asked.push_back(q);
    }
    if (asked.empty()) file.fail(*node, "is empty: there must be at least one question");
    return asked;
}

std::vector<std::vector<NamedValue>> read_questions_of_domain(const Document& file, const DocumentNode& setting,
                                                              const DomainInfo& info,
                                                              const std::vector<NamedValue>& values) {
    const auto* node = setting.find("questions");
    if (!node) return {values};
    const auto parameter = std::find_if(info.parameters.begin(), info.parameters.end(),
                                        [](const DomainParameter& p) { return p.name == question_parameter; });
    if (parameter == info.parameters.end()) file.fail(*node, fmt::format("is there, but {} has one question", info.id));
    for (const NamedValue& value : values)
        if (value.name == question_parameter)
            file.fail(*node, fmt::format("is there beside the parameter {}", question_parameter));
    std::vector<std::vector<NamedValue>> asked;
    for (const std::size_t q : read_questions(file, node, static_cast<std::size_t>(parameter->range.maximum) + 1)) {
        asked.push_back(values);
        asked.back().push_back({parameter->name, static_cast<double>(q)});
    }
    return asked;
}

void read_steps_ahead(const Document& file, const DocumentNode& node, const FiniteMdp& problem, Setting& setting) {
    constexpr std::size_t most = 1'000'000;
    constexpr std::string_view only = "td0";
    setting.steps_ahead = file.count(node, most);
    if (setting.steps_ahead == 1) return;
    if (!problem.on_policy()) file.fail(node, fmt::format("is {}, in an off-policy setting", setting.steps_ahead));
    if (problem.has_inactive())
        file.fail(node, fmt::format("is {}, where some states are not active", setting.steps_ahead));
    for (const AlgorithmGrid& grid : setting.algorithms)
        if (grid.info->id != only)
            file.fail(node,
                      fmt::format("is {}, which is for {}, not for {}", setting.steps_ahead, only, grid.info->id));
}

}  // namespace bellwether
