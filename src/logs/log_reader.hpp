// A log from a file in the stream format (docs/stream-format.md).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "logs/log.hpp"

namespace bellwether {

struct LogReaderOptions {
    std::optional<std::size_t> dimension{};  // a sparse stream needs it
    std::optional<char> separator{};         // none: the header decides
    bool split_gaps = false;                 // missing steps, by the column `time`, end a segment
    std::shared_ptr<LogMemory> memory{};     // none: all that there is
    std::function<void(double megabytes, double of)> watch = [](double, double) {};  // of 0: not known
};

// UsageError "FILE:LINE:COLUMN: …" where something is wrong.
Log read_log(const std::string& path, const LogReaderOptions& options);

// Rows of numbers under a header that names columns `prefix`0, `prefix`1, … `columns` of them: features (x) or
// probabilities (mu), row after row.
std::vector<double> read_rows(const std::string& path, const std::string& prefix, std::size_t columns);

}  // namespace bellwether
