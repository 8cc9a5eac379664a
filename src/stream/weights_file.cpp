#include "stream/weights_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/number_text.hpp"
#include "stream/line_reader.hpp"
#include "support/error.hpp"
#include "support/number.hpp"
#include "support/one_line.hpp"

namespace bellwether {

void write_weights(std::span<const double> weights, OutputFile& out) {
    out.write("index,weight\n");
    for (std::size_t i = 0; i < weights.size(); ++i) out.write(fmt::format("{},{}\n", i, number_text(weights[i])));
}

void read_weights(const std::string& path, std::span<double> weights) {
    LineReader lines(path);
    std::string_view line;
    const auto fail = [&](const std::string& problem) {
        throw UsageError(
            one_line(fmt::format("{}:{}:1: {}", lines.name(), std::max<std::size_t>(1, lines.line_number()), problem)));
    };
    if (!lines.next(line) || line != "index,weight") fail("the first line must be 'index,weight'");
    std::size_t count = 0;
    while (lines.next(line)) {
        const std::size_t comma = line.find(',');
        const auto index = parse_count(line.substr(0, comma));
        const auto weight = comma == std::string_view::npos ? std::nullopt : parse_number(line.substr(comma + 1));
        if (!index || !weight || !std::isfinite(*weight))
            fail(fmt::format("'{}' is not an index and a finite weight", line));
        if (*index != count) fail(fmt::format("index {} where {} is next", *index, count));
        if (count == weights.size()) fail(fmt::format("more weights than the dimension, which is {}", weights.size()));
        weights[count++] = *weight;
    }
    if (count != weights.size()) fail(fmt::format("{} weights where the dimension is {}", count, weights.size()));
}

}  // namespace bellwether
