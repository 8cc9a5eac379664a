// The options on data that the commands on logs share.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "logs/log.hpp"
#include "logs/ratios.hpp"
#include "logs/starts.hpp"
#include "logs/target.hpp"
#include "report/figures.hpp"

namespace bellwether {

struct LogOptions {
    std::string log, out;
    std::string target, target_weights, epsilon, temperature;
    std::string behaviour;
    std::string piece, lambda, dimension, separator;
    bool split_gaps = false, json = false, no_report = false, quiet = false;
};

void add_log_options(Command& command, const std::shared_ptr<LogOptions>& options);

// The log, with progress on standard error.
Log read_log(const LogOptions& options);
TargetPolicy target_of(const LogOptions& options, const Log& log);
BehaviourSource behaviour_of(const LogOptions& options, const Log& log);
std::optional<std::size_t> piece_of(const LogOptions& options);
double lambda_of(const LogOptions& options);

// --out, or results/<log>-<what>.
std::string directory_of(const LogOptions& options, const std::string& what);

// Unless --no-report is given: writes figures/ and report.html into the directory of the results and adds them to what
// was written. What cannot be made, without gnuplot or Node.js, is said on standard error.
void write_log_report(const LogOptions& options, const std::vector<FigureScript>& figures, const std::string& page,
                      const std::string& directory, std::vector<std::string>& written);

}  // namespace bellwether
