// Options as text, checked here so that every mistake gets the same kind of message.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "support/error.hpp"

namespace bellwether {

// The value of an option that takes a number; UsageError where it is none.
double number_option(const std::string& option, const std::string& text);
std::uint64_t count_option(const std::string& option, const std::string& text, std::uint64_t minimum,
                           std::uint64_t maximum = UINT64_MAX);

// The instruction set of that name among those of this machine, or the best one, which is the first.
template <class Target>
Target isa_option(const std::vector<Target>& targets, const std::string& isa) {
    if (isa.empty()) return targets.front();
    std::vector<std::string_view> names;
    for (const Target& target : targets) {
        if (target.name == isa) return target;
        names.push_back(target.name);
    }
    throw UsageError(fmt::format("--isa: '{}' is not an instruction set of this machine (there is: {})", isa,
                                 fmt::join(names, ", ")));
}

// Refuses arguments that no option took, naming the nearest option there is.
void refuse_extras(const Command& command);

}  // namespace bellwether
