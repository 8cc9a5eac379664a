// How far long work has come, on standard error: a bar on a terminal, a plain line now and then elsewhere. Work that
// ends within a second or two shows nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace bellwether {

class Progress {
public:
    // `total` 0 where the end is not known. `unit` follows the numbers: "MB".
    Progress(std::string label, std::string unit, double total, bool quiet);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();  // takes the bar off the terminal

    void update(double done);

private:
    using Clock = std::chrono::steady_clock;

    std::string label_, unit_;
    double total_;
    bool quiet_, terminal_;
    bool shown_ = false;
    Clock::time_point started_ = Clock::now();
    Clock::time_point next_;
};

}  // namespace bellwether
