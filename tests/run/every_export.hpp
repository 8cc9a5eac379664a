// Everything that a store's results say, to compare two stores by.
#pragma once

#include <string>
#include <string_view>

#include "analysis/export.hpp"

namespace bellwether::test {

inline std::string every_export(const Store& store, const Study& study) {
    std::string csv;
    const TextSink write = [&](std::string_view part) { csv += part; };
    for (const bool by_instance : {false, true}) {
        export_scores(store, study, by_instance, write);
        export_curves(store, study, by_instance, write);
    }
    return csv;
}

}  // namespace bellwether::test
