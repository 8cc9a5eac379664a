// The figures that a study file asks of its report (docs/study-file.md).
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/study.hpp"
#include "support/document.hpp"

namespace bellwether {

// What the lines of a sensitivity may stand for in place of values of a parameter: then a panel has those of all
// algorithms of a setting, or those of all settings, as it may have the curves of all settings.
inline constexpr std::string_view lines_of_algorithms = "algorithm", lines_of_settings = "setting";
bool compares(const Figure& figure);

// The list under "figures".
std::vector<Figure> read_figures(const Document& file, const DocumentNode& list, std::span<const Setting> settings);
// Where there is none: an overview of each setting and metric.
std::vector<Figure> default_figures(std::span<const Setting> settings);

// An id that is not that of another one.
template <class Others>
std::string read_plain_id(const Document& file, const DocumentNode& node, const Others& others, std::string_view what) {
    const std::string& id = file.text(node);
    if (!is_plain_id(id)) file.fail(node, fmt::format("is '{}': it must be of letters, digits, - and _", id));
    for (const auto& other : others)
        if (other.id == id) file.fail(node, fmt::format("is '{}', as that of another {}", id, what));
    return id;
}

}  // namespace bellwether
