#include "logs/log_writer.hpp"

#include <fmt/format.h>

#include "bellwether/number_text.hpp"
#include "support/output_file.hpp"

namespace bellwether {

namespace {

// Ratios that are those of the probabilities beside them are found again when they are read.
bool writes_rho(const Log& log) {
    if (log.rho.empty() || log.mu.empty() || log.pi.empty()) return !log.rho.empty();
    bool differs = false;
    for_each_step(log, [&](std::size_t row) { differs = differs || log.rho[row] != log.pi[row] / log.mu[row]; });
    return differs;
}

std::string header_of(const Log& log) {
    std::string text;
    for (std::size_t j = 0; j < log.dimension; ++j) text += fmt::format("x{},", j);
    text += "reward,gamma";
    if (!log.action.empty()) text += ",action";
    if (!log.target.empty())
        for (std::size_t a = 0; a < log.actions; ++a) text += fmt::format(",pi{}", a);
    else if (!log.pi.empty())
        text += ",pi";
    if (!log.behaviour.empty())
        for (std::size_t a = 0; a < log.actions; ++a) text += fmt::format(",mu{}", a);
    else if (!log.mu.empty())
        text += ",mu";
    if (writes_rho(log)) text += ",rho";
    return text + "\n";
}

std::string row_of(const Log& log, std::size_t row, bool step, bool with_rho) {
    std::string text;
    const auto cell = [&](const std::string& words) { text += (text.empty() ? "" : ",") + words; };
    const auto of_step = [&](const LongVector<double>& numbers) { cell(step ? number_text(numbers[row]) : ""); };
    const auto of_all = [&](const LongVector<double>& numbers) {
        for (std::size_t a = 0; a < log.actions; ++a) cell(number_text(numbers[row * log.actions + a]));
    };
    for (const double x : log.x(row)) cell(number_text(x));
    of_step(log.reward);
    of_step(log.gamma);
    if (!log.action.empty()) cell(step ? std::to_string(log.action[row]) : "");
    if (!log.target.empty())
        of_all(log.target);
    else if (!log.pi.empty())
        of_step(log.pi);
    if (!log.behaviour.empty())
        of_all(log.behaviour);
    else if (!log.mu.empty())
        of_step(log.mu);
    if (with_rho) of_step(log.rho);
    return text + "\n";
}

}  // namespace

void write_log(const Log& log, const std::string& path) {
    OutputFile file(path);
    const bool with_rho = writes_rho(log);
    file.write(header_of(log));
    for (const Segment& segment : log.segments) {
        for (std::size_t h = 0; h < segment.steps; ++h) file.write(row_of(log, segment.first + h, true, with_rho));
        if (!segment.ended) file.write(row_of(log, segment.first + segment.steps, false, with_rho));
    }
    file.commit();
}

}  // namespace bellwether
