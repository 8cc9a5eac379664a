// What a check is, and how a claim is judged by its checks. The kinds of checks are in checks.cpp.
#include <algorithm>

#include "analysis/checks.hpp"

namespace bellwether {

std::string_view describe(CheckValue value) {
    switch (value) {
        case CheckValue::settings:
            return "settings";
        case CheckValue::metric:
            return "metric";
        case CheckValue::algorithms:
            return "algorithms, or \"all\"";
        case CheckValue::others:
            return "algorithms, or \"rest\"";
        case CheckValue::named:
            return "algorithms";
        case CheckValue::parameter:
            return "parameter";
        case CheckValue::parameters:
            return "parameters";
        case CheckValue::policies:
            return "\"on\", \"off\" or both";
        case CheckValue::policy:
            return "\"on\" or \"off\"";
        case CheckValue::features:
            return "\"one-hot\", \"dense\" or both";
        case CheckValue::times:
            return "\"quantised\", \"proportional\" or both";
        case CheckValue::parts:
            return "numbers above 0";
        case CheckValue::relation:
            return "\"above\", \"below\", \"at least\" or \"at most\"";
        case CheckValue::mean:
            return "\"geometric\" or \"interquartile\"";
        case CheckValue::part:
            return "number above 0";
        case CheckValue::share:
            return "number in [0, 1]";
        case CheckValue::number:
            return "number";
    }
    return {};
}

bool is_threshold(const CheckKey& key) {
    return key.value == CheckValue::part || key.value == CheckValue::share || key.value == CheckValue::number;
}

const CheckKey* CheckKind::find(std::string_view key) const {
    const auto found = std::find_if(keys.begin(), keys.end(), [&](const CheckKey& one) { return one.name == key; });
    return found == keys.end() ? nullptr : &*found;
}

const Check::Names& Check::names(std::string_view key) const {
    static const Names none;
    const auto found = values_.find(key);
    return found == values_.end() ? none : std::get<Names>(found->second);
}

std::optional<Check::Range> Check::range(std::string_view key) const {
    const auto found = ranges_.find(key);
    return found == ranges_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<double> Check::numbers(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::vector<double>() : std::get<std::vector<double>>(found->second);
}

Policy Check::policy() const {
    return name("policy") == id_of(Policy::on) ? Policy::on : Policy::off;
}

bool Check::is_at_the_places_of(const Check& other) const {
    return names("settings") == other.names("settings") && names("metric") == other.names("metric") &&
           names("policies") == other.names("policies");
}

void judge(std::span<const Check> checks, ClaimCase& claim) {
    while (!checks.empty()) {
        const Check& first = checks.front();
        if (first.kind().spans_settings) {
            first.kind().judge(claim, first);
            checks = checks.subspan(1);
            continue;
        }
        const auto end = std::find_if_not(checks.begin(), checks.end(), [&](const Check& check) {
            return !check.kind().spans_settings && check.is_at_the_places_of(first);
        });
        const auto together = checks.first(static_cast<std::size_t>(end - checks.begin()));
        const auto judge_here = [&] {
            for (const Check& check : together) check.kind().judge(claim, check);
        };
        for (const std::string& setting : first.names("settings")) {
            claim.at(setting, first.name("metric"));
            judge_here();
        }
        for (const std::string& policy_id : first.names("policies")) {
            claim.at(policy_id == id_of(Policy::on) ? Policy::on : Policy::off);
            judge_here();
        }
        checks = checks.subspan(together.size());
    }
}

}  // namespace bellwether
