#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "bellwether/suggest.hpp"
#include "support/error.hpp"
#include "support/number.hpp"

namespace bellwether {

double number_option(const std::string& option, const std::string& text) {
    const auto value = parse_number(text);
    if (!value) throw UsageError(fmt::format("--{}: '{}' is not a number", option, text));
    if (!std::isfinite(*value)) throw UsageError(fmt::format("--{}: {} is not a finite number", option, text));
    return *value;
}

std::uint64_t count_option(const std::string& option, const std::string& text, std::uint64_t minimum,
                           std::uint64_t maximum) {
    const auto value = parse_count(text);
    if (value && *value >= minimum && *value <= maximum) return *value;
    const std::string limit = maximum == UINT64_MAX ? "" : fmt::format(" to {}", maximum);
    throw UsageError(fmt::format("--{}: '{}' is not a whole number from {}{}", option, text, minimum, limit));
}

void refuse_extras(const Command& command) {
    const std::vector<std::string> extras = command.remaining();
    if (extras.empty()) return;
    const std::string argument = extras.front().substr(0, extras.front().find('='));
    if (!argument.starts_with("-") || argument == "-")
        throw UsageError(fmt::format("unexpected argument '{}'", argument));
    throw UsageError(fmt::format("unknown option '{}'{}", argument, did_you_mean(argument, command.option_names())));
}

}  // namespace bellwether
