#include "plan/study_step_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bellwether/number_text.hpp"

namespace bellwether {

namespace {

constexpr std::string_view power = "power";
constexpr std::array<std::string_view, 3> rules{"constant", power, "adagrad"};  // as in StepSizeRule::Kind
constexpr std::array<std::string_view, 2> keys_of_power{"rule", "exponent"};
constexpr Range exponents{.minimum = 0, .maximum = 10};

StepSizeRule read_rule(const Document& file, const DocumentNode& node) {
    const bool is_table = node.kind == DocumentNode::Kind::table;
    if (is_table) file.check_keys(node, keys_of_power);
    const DocumentNode& name = is_table ? file.require(node, "rule") : node;
    StepSizeRule rule{.kind = static_cast<StepSizeRule::Kind>(file.choose(name, "rule for step sizes", rules))};
    const auto* exponent = is_table ? node.find("exponent") : nullptr;
    if (rule.kind != StepSizeRule::Kind::power) {
        if (exponent) file.fail(*exponent, fmt::format("is for '{}', not for '{}'", power, name.text));
        return rule;
    }
    if (!exponent) file.fail(node, "has no exponent: it is { rule = \"power\", exponent = 0.5 }, for example");
    rule.exponent = file.number(*exponent);
    if (!exponents.contains(rule.exponent))
        file.fail(*exponent, fmt::format("is {}: it must be in [{}, {}]", number_text(rule.exponent),
                                         number_text(exponents.minimum), number_text(exponents.maximum)));
    return rule;
}

}  // namespace

// Least squares has no step size, and learns beside the others as ever.
void read_step_sizes(const Document& file, const DocumentNode& node, Setting& setting) {
    setting.step_sizes = read_rule(file, node);
    if (setting.step_sizes.is_constant()) return;
    const std::string_view name = rules[static_cast<std::size_t>(setting.step_sizes.kind)];
    const auto refuse = [&](const std::string& why) { file.fail(node, fmt::format("is '{}', {}", name, why)); };
    if (setting.steps_ahead > 1) refuse("with transitions over several steps");
    bool is_for_some = false;
    for (const AlgorithmGrid& grid : setting.algorithms) {
        const AlgorithmInfo& info = *grid.info;
        is_for_some = is_for_some || info.plain_alpha;
        if (info.find("alpha") && !info.plain_alpha)
            refuse(fmt::format("and {} changes its weights by more than alpha times what holds no step size", info.id));
    }
    if (!is_for_some) refuse("and no algorithm of the setting has a step size");
}

}  // namespace bellwether
