#include "report/terminal_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

namespace bellwether {

namespace {

constexpr std::size_t dots_across = 2, dots_down = 4;  // of a character

// Columns that it takes: a code point each, as the letters of algorithms' and parameters' names do.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// U+2800 to U+28FF: the lower eight bits say which dots are there.
std::string braille(unsigned dots) {
    std::string text = "⠀";
    text[1] = static_cast<char>(0xA0 | dots >> 6);
    text[2] = static_cast<char>(0x80 | (dots & 0x3F));
    return text;
}

std::string coloured(std::string_view text, std::size_t line, bool colours) {
    constexpr std::array codes{34, 32, 31, 35, 36, 33};  // blue, green, red, magenta, cyan, yellow
    if (!colours || text.empty()) return std::string(text);
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[line % codes.size()], text);
}

// ---- axes ----

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;

    void take(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool is_empty() const { return low > high; }
    double share(double value) const { return (value - low) / (high - low); }
};

// Of the values that are shown. A range without length gets one.
Range with_room(Range range) {
    constexpr double near_zero = 0.5;  // of the greatest value: from there on 0 is shown too
    if (range.low > 0 && range.low < near_zero * range.high) range.low = 0;
    if (range.low == range.high) {
        const double room = range.low == 0 ? 1 : std::abs(range.low) / 2;
        range.low -= room;
        range.high += room;
    }
    return range;
}

// Numbers of the form {1, 2, 5}·10^k, some three to five of them.
std::vector<double> ticks_of(const Range& range) {
    constexpr double wanted = 4;
    const double raw = (range.high - range.low) / wanted;
    const double power = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double digit : {5.0, 2.0, 1.0})
        if (digit * power >= raw) step = digit * power;
    std::vector<double> ticks;
    const double first = std::ceil(range.low / step);
    for (int k = 0;; ++k) {
        const double tick = (first + k) * step;
        if (!(tick <= range.high + 1e-9 * step)) return ticks;
        ticks.push_back(tick);
    }
}

// ---- dots ----

struct Canvas {
    std::size_t columns, rows;
    std::vector<unsigned> dots = std::vector<unsigned>(columns * rows);
    std::vector<std::size_t> owners = std::vector<std::size_t>(columns * rows);  // the line that was drawn last

    std::size_t width() const { return columns * dots_across; }
    std::size_t height() const { return rows * dots_down; }

    void set(std::size_t across, std::size_t down, std::size_t owner) {
        constexpr unsigned bits[dots_down][dots_across] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
        const std::size_t at = down / dots_down * columns + across / dots_across;
        dots[at] |= bits[down % dots_down][across % dots_across];
        owners[at] = owner;
    }
};

struct Axes {
    Range x, y;
};

std::size_t to_dot(double share, std::size_t count) {
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(count - 1)));
}

// Where the line stands in each column of dots: the mean of its values there.
std::vector<std::optional<double>> means_by_column(const TerminalLine& line, const Range& x, std::size_t width) {
    std::vector<double> sums(width);
    std::vector<std::size_t> counts(width);
    for (std::size_t k = 0; k < line.y.size() && std::isfinite(line.y[k]); ++k) {
        const std::size_t column = to_dot(x.share(line.x[k]), width);
        sums[column] += line.y[k];
        ++counts[column];
    }
    std::vector<std::optional<double>> means(width);
    for (std::size_t c = 0; c < width; ++c)
        if (counts[c] > 0) means[c] = sums[c] / static_cast<double>(counts[c]);
    return means;
}

// Draws the line and returns the row of characters in which it ends; none where no value is finite.
std::optional<std::size_t> draw_line(Canvas& canvas, const TerminalLine& line, std::size_t number, const Axes& axes) {
    const auto means = means_by_column(line, axes.x, canvas.width());
    std::optional<std::size_t> last_column, last_down;
    for (std::size_t column = 0; column < means.size(); ++column) {
        if (!means[column]) continue;
        const std::size_t down = canvas.height() - 1 - to_dot(axes.y.share(*means[column]), canvas.height());
        const std::size_t from = last_column.value_or(column), start = last_down.value_or(down);
        // a dot in every column and every row in between, so that steep and sparse lines hang together
        const std::size_t steps = std::max({column - from, down > start ? down - start : start - down, std::size_t{1}});
        for (std::size_t k = 0; k <= steps; ++k) {
            const double share = static_cast<double>(k) / static_cast<double>(steps);
            const auto between = [share](std::size_t a, std::size_t b) {
                return static_cast<std::size_t>(
                    std::lround(static_cast<double>(a) + share * (static_cast<double>(b) - static_cast<double>(a))));
            };
            canvas.set(between(from, column), between(start, down), number);
        }
        last_column = column;
        last_down = down;
    }
    return last_down ? std::optional(*last_down / dots_down) : std::nullopt;
}

// ---- labels ----

// The line whose label stands in each row: at the line's end, or as near below or above as others leave room.
std::vector<std::optional<std::size_t>> place_labels(const std::vector<std::optional<std::size_t>>& ends,
                                                     std::size_t rows) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < ends.size(); ++k)
        if (ends[k]) order.push_back(k);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return *ends[a] < *ends[b]; });
    std::vector<std::size_t> places(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        places[k] = std::max(*ends[order[k]], k > 0 ? places[k - 1] + 1 : std::size_t{0});
    for (std::size_t k = order.size(); k-- > 0;)
        places[k] = std::min(places[k], (k + 1 < order.size() ? places[k + 1] : rows) - 1);
    std::vector<std::optional<std::size_t>> of_rows(rows);
    for (std::size_t k = 0; k < order.size(); ++k) of_rows[places[k]] = order[k];
    return of_rows;
}

std::string x_axis(const TerminalPlot& plot, const Range& x, std::size_t indent, std::size_t columns) {
    std::string text(indent, ' ');
    text += "└";
    for (std::size_t k = 0; k < columns; ++k) text += "─";
    const std::string low = fmt::format("{:.6g}", x.low), high = fmt::format("{:.6g}", x.high);
    const std::size_t between = columns - std::min(columns, low.size() + high.size());
    return fmt::format("{}\n{}{}{:^{}}{}\n", text, std::string(indent + 1, ' '), low,
                       between > plot.x_name.size() ? plot.x_name : "", between, high);
}

}  // namespace

std::string draw(const TerminalPlot& plot) {
    Axes axes;
    for (const TerminalLine& line : plot.lines)
        for (std::size_t k = 0; k < line.y.size() && std::isfinite(line.y[k]); ++k) {
            axes.x.take(line.x[k]);
            axes.y.take(line.y[k]);
        }
    std::string text = plot.title.empty() ? "" : plot.title + "\n";
    if (axes.x.is_empty()) return text + "nothing to show: no value is finite\n";
    if (axes.x.low == axes.x.high) axes.x.high += 1;
    axes.y = with_room(axes.y);

    const std::size_t rows = std::max(plot.rows, plot.lines.size());
    std::vector<std::string> ticks(rows);
    for (const double tick : ticks_of(axes.y))
        ticks[(rows * dots_down - 1 - to_dot(axes.y.share(tick), rows * dots_down)) / dots_down] =
            fmt::format("{:.4g}", tick + 0.0);  // no −0
    const auto longest = [](std::size_t so_far, const std::string& word) { return std::max(so_far, width_of(word)); };
    const std::size_t indent = std::accumulate(ticks.begin(), ticks.end(), std::size_t{0}, longest) + 1;
    std::size_t labels = 0;
    for (const TerminalLine& line : plot.lines) labels = longest(labels, line.label);
    const std::size_t taken = indent + 1 + (labels > 0 ? labels + 1 : 0);
    constexpr std::size_t fewest_columns = 10;
    Canvas canvas{.columns = plot.columns > taken + fewest_columns ? plot.columns - taken : fewest_columns,
                  .rows = rows};

    std::vector<std::optional<std::size_t>> ends;
    for (std::size_t k = 0; k < plot.lines.size(); ++k) ends.push_back(draw_line(canvas, plot.lines[k], k, axes));
    const auto labels_of_rows = place_labels(ends, rows);
    for (std::size_t row = 0; row < rows; ++row) {
        std::string line = fmt::format("{:>{}} {}", ticks[row], indent - 1, ticks[row].empty() ? "│" : "┤");
        for (std::size_t column = 0; column < canvas.columns; ++column) {
            const std::size_t at = row * canvas.columns + column;
            line += canvas.dots[at] == 0 ? " " : coloured(braille(canvas.dots[at]), canvas.owners[at], plot.colours);
        }
        if (const auto& number = labels_of_rows[row])
            line += fmt::format(" {}", coloured(plot.lines[*number].label, *number, plot.colours));
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text + x_axis(plot, axes.x, indent, canvas.columns);
}

std::string draw_bar(double share, std::size_t columns) {
    constexpr std::array<std::string_view, 8> parts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(8 * columns));
    std::string text;
    for (std::size_t k = 0; k < eighths / 8; ++k) text += "█";
    text += parts[eighths % 8];
    for (std::size_t k = (eighths + 7) / 8; k < columns; ++k) text += "░";
    return text;
}

}  // namespace bellwether
