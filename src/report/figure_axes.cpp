#include "report/figure_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace bellwether {

namespace {

constexpr double logarithmic_span = 30;    // of errors
constexpr double longest_span = 1e8;       // of errors: what has converged beyond it would flatten all others
constexpr double logarithmic_ratio = 8;    // of a parameter's values
constexpr std::size_t tics_of_grid = 4;    // as many numbers as a narrow panel holds
constexpr double distance_of_tics = 0.18;  // at least, of the length of the axis

std::string power_label(int base, int exponent) {
    return fmt::format("{}^{{{}}}", base, exponent);
}

// "0.05", "100", "2.5·10^{-5}"
std::string decimal_label(double value) {
    const double size = std::abs(value);
    if (value == 0 || (size >= 1e-4 && size < 100)) return fmt::format("{:.2g}", value);
    if (size >= 100 && size < 1e5) return fmt::format("{:.0f}", value);
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    const double factor = value / std::pow(10.0, exponent);
    return std::abs(factor - 1) < 1e-9 ? power_label(10, exponent)
                                       : fmt::format("{:.2g}·{}", factor, power_label(10, exponent));
}

// 1, 2 or 5 times a power of ten: about so many of them make the length.
double round_step(double length, double parts) {
    const double rough = length / parts, power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

// "0.2", "2·10^{-8}"
std::string linear_label(double value, double step) {
    if (value == 0 || (step >= 1e-4 && std::abs(value) < 1e5)) return fmt::format("{:.6g}", value);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    return fmt::format("{:.3g}·{}", value / std::pow(10.0, exponent), power_label(10, exponent));
}

// "500", "20k", "1.5M"
std::string count_label(double value) {
    if (value < 1e4) return fmt::format("{:.6g}", value);
    return value < 1e6 ? fmt::format("{:.6g}k", value / 1e3) : fmt::format("{:.6g}M", value / 1e6);
}

void add_linear_tics(Axis& axis, double parts) {
    const double step = round_step(axis.high - axis.low, parts);
    const auto first = static_cast<long>(std::ceil(axis.low / step - 1e-9));
    const auto last = static_cast<long>(std::floor(axis.high / step + 1e-9));
    for (long k = first; k <= last; ++k)
        axis.tics.push_back({static_cast<double>(k) * step, linear_label(static_cast<double>(k) * step, step)});
}

std::string decade_label(int exponent, double factor) {
    return std::abs(exponent) <= 3 ? fmt::format("{:g}", factor * std::pow(10.0, exponent)) : power_label(10, exponent);
}

// Powers of ten, every second or third one where there are many; 2 and 5 times them as well where there are few.
void add_decimal_tics(Axis& axis) {
    const int first = static_cast<int>(std::floor(std::log10(axis.low)));
    const int last = static_cast<int>(std::floor(std::log10(axis.high)));
    const double decades = std::log10(axis.high / axis.low);
    const int step = static_cast<int>(std::ceil(decades / 6));
    for (int exponent = first; exponent <= last; ++exponent)
        for (int factor = 1; factor < 10; ++factor) {
            const double at = factor * std::pow(10.0, exponent);
            if (at < axis.low || at > axis.high) continue;
            const bool labelled =
                factor == 1 ? exponent % step == 0 : decades < 2.2 && (factor == 2 || factor == 5) && exponent >= -3;
            if (labelled)
                axis.tics.push_back({at, decade_label(exponent, factor)});
            else if (factor == 1 || decades < 6)
                axis.tics.push_back({at});
        }
}

bool evenly_spaced(std::span<const double> values) {
    const double step = (values.back() - values.front()) / static_cast<double>(values.size() - 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (std::abs(values[i] - values.front() - static_cast<double>(i) * step) > 1e-6 * step) return false;
    return true;
}

std::vector<double> logarithms(std::span<const double> values) {
    std::vector<double> result;
    for (const double value : values) result.push_back(std::log2(value));
    return result;
}

std::vector<std::string> grid_labels(std::span<const double> values) {
    const bool powers = std::all_of(values.begin(), values.end(),
                                    [](double v) { return v > 0 && std::log2(v) == std::round(std::log2(v)); });
    std::vector<std::string> labels;
    for (const double value : values)
        labels.push_back(powers ? power_label(2, static_cast<int>(std::log2(value))) : decimal_label(value));
    return labels;
}

std::vector<std::string> plain_labels(std::span<const double> values) {
    std::vector<std::string> labels;
    for (const double value : values) labels.push_back(fmt::format("{:.4g}", value));
    return labels;
}

// Every k-th label, with the start that gives the shortest ones: 0.1 rather than 0.05 and 0.2.
std::vector<bool> regular_choice(std::span<const std::string> labels) {
    const std::size_t step = (labels.size() + tics_of_grid - 1) / tics_of_grid;
    std::size_t best = 0;
    double best_length = 1e9;
    for (std::size_t start = 0; start < step && start < labels.size(); ++start) {
        std::size_t length = 0, count = 0;
        for (std::size_t i = start; i < labels.size(); i += step, ++count) length += labels[i].size();
        const double mean = static_cast<double>(length) / static_cast<double>(count);
        if (mean < best_length) best = start, best_length = mean;
    }
    std::vector<bool> chosen(labels.size());
    for (std::size_t i = best; i < labels.size(); i += step) chosen[i] = true;
    return chosen;
}

// The ends, and between them what keeps its distance: short labels first, and among those of a length 5 before others.
std::vector<bool> free_choice(std::span<const std::string> labels, std::span<const double> places) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < labels.size(); ++i) order.push_back(i);
    const auto rank = [&](std::size_t i) {
        const bool end = i == 0 || i + 1 == labels.size();
        return std::tuple(!end, labels[i].size(), !labels[i].ends_with('5'), i);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    std::vector<bool> chosen(labels.size());
    for (const std::size_t candidate : order) {
        bool far = true;
        for (std::size_t i = 0; i < labels.size(); ++i)
            if (chosen[i] && std::abs(places[i] - places[candidate]) < distance_of_tics) far = false;
        if (far) chosen[candidate] = true;
    }
    return chosen;
}

}  // namespace

double Axis::place(double value) const {
    if (!(value < high)) return 1;
    if (!(value > low)) return 0;
    return logarithm ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

Axis step_axis(std::string title, std::size_t steps) {
    Axis axis{.low = 0, .high = static_cast<double>(std::max<std::size_t>(steps, 1)), .title = std::move(title)};
    add_linear_tics(axis, 5);
    for (AxisTic& tic : axis.tics) tic.label = count_label(tic.at);
    return axis;
}

Axis axis_from_zero(std::string title, double top) {
    Axis axis{.low = 0, .high = 1.08 * top, .title = std::move(title)};
    add_linear_tics(axis, 6);
    return axis;
}

Axis error_axis(std::string title, std::span<const double> values, double top) {
    double lowest = top;
    for (const double value : values)
        if (value > 0 && value < lowest) lowest = value;
    if (!(lowest > 0) || !std::isfinite(top)) lowest = 0.1, top = 1;  // nothing to show: all diverged, or all are 0
    lowest = std::max(lowest, top / longest_span);
    Axis axis{.title = std::move(title)};
    if (top / lowest > logarithmic_span) {
        axis.logarithm = 10;
        const double margin = std::pow(top / lowest, 0.05);
        axis.low = lowest / margin;
        axis.high = top * margin;
        add_decimal_tics(axis);
    } else {
        const bool far_from_zero = lowest > 0.5 * top && lowest < top;
        axis.low = far_from_zero ? lowest - 0.1 * (top - lowest) : 0;
        axis.high = top + 0.08 * (top - axis.low);
        add_linear_tics(axis, 6);
    }
    return axis;
}

ParameterAxis::ParameterAxis(std::string title, std::vector<double> values, bool as_they_are) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    axis_.title = std::move(title);
    const bool linear = as_they_are || values.size() == 1 || evenly_spaced(values);
    axis_.logarithm = !linear && values.front() > 0 && values.back() >= logarithmic_ratio * values.front() ? 2 : 0;
    if (!linear && !axis_.logarithm)
        for (const double value : values) places_.emplace(value, static_cast<double>(places_.size()));
    set_range(values);
    if (linear && values.size() > 2 * tics_of_grid)
        add_linear_tics(axis_, tics_of_grid);
    else
        add_value_tics(values);
}

void ParameterAxis::set_range(std::span<const double> values) {
    double low = coordinate(values.front()), high = coordinate(values.back());
    if (axis_.logarithm) low = std::log2(low), high = std::log2(high);
    const double margin = low < high ? 0.03 * (high - low) : 0.5;
    low -= margin, high += margin;
    axis_.low = axis_.logarithm ? std::exp2(low) : low;
    axis_.high = axis_.logarithm ? std::exp2(high) : high;
}

// A tic for every value, and labels for some.
void ParameterAxis::add_value_tics(std::span<const double> values) {
    const std::vector<std::string> labels = axis_.logarithm ? grid_labels(values) : plain_labels(values);
    std::vector<double> places;
    for (const double value : values) places.push_back(axis_.place(coordinate(value)));
    const bool regular = axis_.logarithm && evenly_spaced(logarithms(values));
    const std::vector<bool> chosen = regular ? regular_choice(labels) : free_choice(labels, places);
    for (std::size_t i = 0; i < values.size(); ++i)
        axis_.tics.push_back({coordinate(values[i]), chosen[i] ? labels[i] : std::string()});
}

double ParameterAxis::coordinate(double value) const {
    return is_ordinal() ? places_.at(value) : value;
}

}  // namespace bellwether
