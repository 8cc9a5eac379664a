// Names as people write them.
#pragma once

#include <string>
#include <string_view>

namespace bellwether {

// For labels, legends and sentences: "TO-ETD(λ)" for "true-online ETD(λ)".
inline std::string short_name(std::string_view algorithm_name) {
    constexpr std::string_view long_form = "true-online ";
    if (!algorithm_name.starts_with(long_form)) return std::string(algorithm_name);
    return "TO-" + std::string(algorithm_name.substr(long_form.size()));
}

// "α" for "alpha"; the name where it has no symbol.
std::string parameter_symbol(std::string_view name);

}  // namespace bellwether
