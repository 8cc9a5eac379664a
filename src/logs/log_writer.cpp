#include "logs/log_writer.hpp"

#include <fmt/format.h>

#include "bellwether/number_text.hpp"
#include "support/output_file.hpp"

namespace bellwether {

namespace {

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
    const bool has_policies = !log.mu.empty() && !(log.pi.empty() && log.target.empty());
    if (!log.rho.empty() && !has_policies) text += ",rho";
    return text + "\n";
}

std::string row_of(const Log& log, std::size_t row, bool step) {
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
    const bool has_policies = !log.mu.empty() && !(log.pi.empty() && log.target.empty());
    if (!log.rho.empty() && !has_policies) of_step(log.rho);
    return text + "\n";
}

}  // namespace

void write_log(const Log& log, const std::string& path) {
    OutputFile file(path);
    file.write(header_of(log));
    for (const Segment& segment : log.segments) {
        for (std::size_t h = 0; h < segment.steps; ++h) file.write(row_of(log, segment.first + h, true));
        if (!segment.ended) file.write(row_of(log, segment.first + segment.steps, false));
    }
    file.commit();
}

}  // namespace bellwether
