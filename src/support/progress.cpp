#include "support/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bellwether {

namespace {

constexpr auto terminal_interval = std::chrono::milliseconds(200);
constexpr auto plain_interval = std::chrono::seconds(10);

std::string duration(double seconds) {
    const long whole = std::lround(seconds);
    if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

Progress::Progress(std::string label, std::string unit, double total, bool quiet)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO)) {
    next_ = started_ + (terminal_ ? Clock::duration(std::chrono::seconds(1)) : Clock::duration(plain_interval));
}

Progress::~Progress() {
    if (shown_ && terminal_) std::fputs("\r\x1b[K", stderr);
}

void Progress::update(double done) {
    const auto now = Clock::now();
    if (quiet_ || now < next_) return;
    next_ = now + (terminal_ ? Clock::duration(terminal_interval) : Clock::duration(plain_interval));
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - started_).count();
    const double rate = done / seconds;
    std::string line = label_ + "  ";
    if (total_ > 0) {
        const double share = std::min(1.0, done / total_);
        if (terminal_) {
            constexpr int width = 30;
            const int filled = static_cast<int>(share * width);
            line += fmt::format("[{:#<{}}{:.<{}}] ", "", filled, "", width - filled);
        }
        line +=
            fmt::format("{:3.0f}%  {:.0f} of {:.0f} {}  {:.0f} {}/s", 100 * share, done, total_, unit_, rate, unit_);
        if (done > 0) line += fmt::format("  {} left", duration((total_ - done) / rate));
    } else {
        line += fmt::format("{:.0f} {}  {:.0f} {}/s  {}", done, unit_, rate, unit_, duration(seconds));
    }
    std::fputs((terminal_ ? "\r" + line + "\x1b[K" : line + "\n").c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace bellwether
