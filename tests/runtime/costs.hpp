// Tables with numbers that have many digits, as measurements have them.
#pragma once

#include <string>

#include "runtime/runtime_table.hpp"
#include "support/document.hpp"

namespace bellwether::test {

inline const Published& the_paper() {
    static const std::string path = BELLWETHER_SOURCE "/studies/white2016/published.toml";
    static const Published read_once = parse_published(path, read_text_file(path), {});
    return read_once;
}

inline RuntimeTable some_runtimes() {
    return {.machine = "a \"machine\", 3.7 GHz",
            .instruction_set = "avx2",
            .steps = 500,
            .rows = {{Policy::on, "td0", 3.1, 2.9999999999999996, 1.0 / 0.3, 1.0 / 3},
                     {Policy::on, "to-htd", 10.7 / 3, 10.7 / 3, 10.7 / 3, std::nullopt, 466},
                     {Policy::off, "td0", 2.2250738585072014e-308, 4.9406564584124654e-324, 1e300, 0.1 + 0.2},
                     {Policy::off, "vtrace", 7, 6.1, 8.3, 4.7},
                     {Policy::off, "vtrace", 17.5, 16.1, 18.3, 14.7, std::nullopt, TimedFeatures::dense}}};
}

}  // namespace bellwether::test
