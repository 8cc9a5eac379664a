#include "logs/log_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stream/line_reader.hpp"
#include "stream/stream_reader.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/number.hpp"

namespace bellwether {

namespace {

class LogBuilder {
public:
    LogBuilder(const StreamReader& stream, const LogReaderOptions& options)
        : stream_(stream), split_gaps_(options.split_gaps), log_(options.memory) {
        log_.name = stream.lines().name();
        log_.dimension = stream.dimension();
        log_.actions = std::max(stream.target_actions(), stream.behaviour_actions());
    }

    void take(const StreamRow& row) {
        if (open_ && row.missing_steps > 0) {
            log_.missing_steps += row.missing_steps;
            if (split_gaps_) close_at_last_row();
        }
        append(row);
        if (row.closes_segment) {
            close(false);
        } else {
            open_ = true;
            ++steps_;
            if (row.gamma == 0) close(true);
        }
    }

    // Sets room aside for what is to come, by the share of the file that was read.
    void expect(double times) {
        const auto expect = [&](auto& numbers) {
            numbers.expect(static_cast<std::size_t>(times * static_cast<double>(numbers.size())));
        };
        for (LongVector<double>* numbers :
             {&log_.features, &log_.reward, &log_.gamma, &log_.rho, &log_.pi, &log_.mu, &log_.target, &log_.behaviour})
            expect(*numbers);
        expect(log_.action);
    }

    Log finish() {
        if (open_)
            stream_.fail_row(
                "the last segment ends without gamma 0 and without a closing row (features only): the state after its "
                "last step is not known");
        if (log_.segments.empty()) {
            if (dropped_ > 0) stream_.fail_row("no step is left after --split-gaps: every step has a gap behind it");
            stream_.fail_row(log_.rows() == 0 ? "the header is all there is; a log has at least one row"
                                              : "no step is left: every row closes a segment");
        }
        if (!log_.action.empty() && log_.actions == 0)
            log_.actions = *std::max_element(log_.action.begin(), log_.action.end()) + std::size_t{1};
        return std::move(log_);
    }

private:
    void append(const StreamRow& row) {
        const std::size_t first = log_.features.size();
        if (stream_.sparse()) {
            log_.features.resize(first + log_.dimension);
            for (std::size_t k = 0; k < row.indices.size(); ++k) log_.features[first + row.indices[k]] = row.values[k];
        } else {
            log_.features.append(row.values);
        }
        const bool step = !row.closes_segment;
        const auto add = [&](bool there, LongVector<double>& numbers, double number) {
            if (there) numbers.push_back(step ? number : 0);
        };
        add(true, log_.reward, row.reward);
        add(true, log_.gamma, row.gamma);
        add(stream_.has_rho() || (stream_.has_pi() && stream_.has_mu()), log_.rho, row.rho);
        add(stream_.has_pi(), log_.pi, row.pi);
        add(stream_.has_mu(), log_.mu, row.mu);
        if (stream_.has_action()) log_.action.push_back(step ? row.action : 0);
        if (!row.pis.empty()) log_.target.append(row.pis);
        if (!row.mus.empty()) log_.behaviour.append(row.mus);
    }

    void close(bool ended) {
        if (steps_ > 0) log_.segments.push_back({first_, steps_, ended});
        first_ = log_.rows();
        steps_ = 0;
        open_ = false;
    }

    // The state after the last row's step is missing: the row becomes the one that closes its segment.
    void close_at_last_row() {
        const std::size_t last = log_.rows() - 1;
        for (LongVector<double>* numbers : {&log_.reward, &log_.gamma, &log_.rho, &log_.pi, &log_.mu})
            if (!numbers->empty()) (*numbers)[last] = 0;
        if (!log_.action.empty()) log_.action[last] = 0;
        --steps_;
        ++dropped_;
        close(false);
    }

    const StreamReader& stream_;
    bool split_gaps_;
    Log log_;
    std::size_t first_ = 0, steps_ = 0, dropped_ = 0;
    bool open_ = false;
};

}  // namespace

Log read_log(const std::string& path, const LogReaderOptions& options) {
    StreamReader stream(path, options.dimension, options.separator);
    LogBuilder builder(stream, options);
    StreamRow row;
    std::uint64_t rows = 0;
    const LineReader& lines = stream.lines();
    const std::uint64_t first_bytes = lines.bytes_read();  // of the buffer's first filling
    bool is_expected = false;
    while (stream.next(row)) {
        if (!is_expected && lines.bytes_read() > first_bytes) {
            constexpr double to_be_sure = 1.02;
            builder.expect(to_be_sure * static_cast<double>(lines.size()) / static_cast<double>(first_bytes));
            is_expected = true;
        }
        builder.take(row);
        if (++rows % 1024 != 0) continue;
        if (options.memory) options.memory->release_after(1024 * stream.dimension() * sizeof(double));
        stop_if_interrupted();
        options.watch(static_cast<double>(lines.bytes_read()) / 1e6, static_cast<double>(lines.size()) / 1e6);
    }
    return builder.finish();
}

std::vector<double> read_rows(const std::string& path, const std::string& prefix, std::size_t columns) {
    LineReader lines(path);
    std::string_view line;
    const auto fail = [&](const std::string& problem) {
        throw UsageError(
            fmt::format("{}:{}:1: {}", lines.name(), std::max<std::size_t>(1, lines.line_number()), problem));
    };
    std::string header;
    for (std::size_t k = 0; k < columns; ++k) header += fmt::format("{}{}{}", k > 0 ? "," : "", prefix, k);
    if (!lines.next(line) || line != header)
        fail(columns == 1 ? fmt::format("the first line must be '{}0'", prefix)
                          : fmt::format("the first line must be '{0}0,...,{0}{1}'", prefix, columns - 1));
    std::vector<double> numbers;
    while (lines.next(line)) {
        if (line.empty()) continue;
        std::size_t there = 0;
        for (std::string_view rest = line; there == 0 || rest.data() != line.data() + line.size() + 1; ++there) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            const auto number = parse_number(rest.substr(0, comma));
            if (!number || !std::isfinite(*number))
                fail(fmt::format("'{}' is not a finite number", rest.substr(0, comma)));
            numbers.push_back(*number);
            rest = {rest.data() + comma + 1, rest.size() - std::min(rest.size(), comma + 1)};
        }
        if (there != columns) fail(fmt::format("{} fields where the header has {}", there, columns));
    }
    return numbers;
}

}  // namespace bellwether
