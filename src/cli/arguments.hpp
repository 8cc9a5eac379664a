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

// Refuses arguments that no option took, naming the nearest option there is.
void refuse_extras(const Command& command);

}  // namespace bellwether
