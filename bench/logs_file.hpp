// A log to measure with, as a CSV.
#pragma once

#include <fmt/format.h>

#include <string>

#include "logs_problems.hpp"
#include "support/output_file.hpp"

namespace bench {

inline constexpr std::size_t dimension = 30;

// Dense features with six digits; two actions where `with_actions`, else ratios.
inline void write_log_file(const std::string& path, std::size_t rows, std::size_t episode, bool with_actions) {
    Random random(1);
    bellwether::OutputFile file(path);
    std::string text;
    for (std::size_t j = 0; j < dimension; ++j) text += fmt::format("x{},", j);
    text += with_actions ? "reward,gamma,action,pi0,pi1,mu\n" : "reward,gamma,rho\n";
    for (std::size_t t = 0; t < rows; ++t) {
        for (std::size_t j = 0; j < dimension; ++j) text += fmt::format("{:.6f},", 2 * random.uniform() - 1);
        const bool last = (t + 1) % episode == 0 || t + 1 == rows;
        text += fmt::format("{:.6f},{}", random.normal(), last ? 0.0 : 0.95);
        const bool first_action = random.uniform() < 0.5;
        if (with_actions)
            text += fmt::format(",{},0.6,0.4,0.5\n", first_action ? 0 : 1);
        else
            text += first_action ? ",1.2\n" : ",0.8\n";
        if (text.size() > 1 << 20) {
            file.write(text);
            text.clear();
        }
    }
    file.write(text);
    file.commit();
}

}  // namespace bench
