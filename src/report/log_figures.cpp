#include "report/log_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/names.hpp"
#include "logs/shown_estimates.hpp"
#include "logs/verdict.hpp"
#include "report/gnuplot.hpp"
#include "report/style.hpp"

namespace bellwether {

namespace {

constexpr std::string_view accent = "#1f5f8b";
constexpr int width = 760, text_size = 11;

class LogScript {
public:
    LogScript(std::string_view id, int height, const std::string& title) {
        line("# gnuplot {0}.gp > {0}.svg", id);
        line("# gnuplot -e \"format='pdf'\" {0}.gp > {0}.pdf", id);
        line("if (!exists('format')) format = 'svg'");
        line("set encoding utf8");
        line("if (format eq 'pdf') set terminal pdfcairo size {:.4f}in,{:.4f}in font 'Helvetica,{}' fontscale 0.75 \\",
             width / 72.0, height / 72.0, text_size);
        line("    linewidth 2 pointscale 1.33 dashlength 2 background rgb 'white'");
        line("if (format eq 'svg') set terminal svg size {},{} font 'Helvetica,Arial,sans-serif,{}' \\", width, height,
             text_size);
        line("    dashlength 2 background rgb 'white'");
        line("set title {} textcolor rgb '{}'", gnuplot_text(title), ink);
        line("set border 3 linecolor rgb '{}'", faint_ink);
        line("set tics nomirror textcolor rgb '{}'", ink);
        line("unset key");
    }

    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_ += '\n';
    }

    std::string text() && { return std::move(text_); }

private:
    std::string text_;
};

// 1, 2, 5, 10, … from `low` to `high`, both above 0, as gnuplot lists them.
std::string decades(double low, double high) {
    std::vector<std::string> levels;
    const auto exponent_of = [](double value) { return static_cast<int>(std::floor(std::log10(value))); };
    for (int exponent = exponent_of(low); exponent <= exponent_of(high); ++exponent)
        for (const double digit : {1, 2, 5})
            if (const double level = digit * std::pow(10, exponent); level >= low && level <= high)
                levels.push_back(fmt::format("{:.6g}", level));
    return fmt::format("({})", fmt::join(levels, ", "));
}

// "random.csv: supported", of a path its last part.
std::string titled(const std::string& log, std::string_view what) {
    return fmt::format("{}: {}", std::filesystem::path(log).filename().string(), what);
}

// Where all estimates are seen, and of each interval as much as does not squash the others: four times as far as the
// middle one reaches.
std::pair<double, double> range_of(const std::vector<ShownEstimate>& shown) {
    std::vector<double> halves;
    for (const ShownEstimate& one : shown)
        if (std::isfinite(one.estimate->half_width())) halves.push_back(one.estimate->half_width());
    double reach = 0;
    if (!halves.empty()) {
        std::nth_element(halves.begin(), halves.begin() + static_cast<std::ptrdiff_t>(halves.size() / 2), halves.end());
        reach = 4 * halves[halves.size() / 2];
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const ShownEstimate& one : shown) {
        const double value = one.estimate->value, half = std::min(reach, one.estimate->half_width());
        if (!std::isfinite(value)) continue;
        low = std::min(low, value - (std::isfinite(half) ? half : reach));
        high = std::max(high, value + (std::isfinite(half) ? half : reach));
    }
    if (!(low <= high)) return {0, 1};
    constexpr double width_seen = 1e-4;  // of the numbers, which are written with six digits
    const double size = std::max(std::abs(low), std::abs(high));
    const double room = high - low > width_seen * size ? 0.05 * (high - low) : std::max(0.1 * size, 1e-9);
    return {low - room, high + room};
}

FigureScript estimates_figure(const PolicyEvaluation& evaluation) {
    const std::vector<ShownEstimate> shown = shown_estimates(evaluation);
    const auto [low, high] = range_of(shown);
    LogScript script("estimates", 90 + 24 * static_cast<int>(shown.size()),
                     titled(evaluation.name, name_of(evaluation.verdict)));
    const auto block = [&, low = low, high = high](std::string_view name, bool answer) {
        script.line("${} << END", name);
        for (std::size_t row = 0; row < shown.size(); ++row)
            if (const PolicyEstimate& one = *shown[row].estimate;
                shown[row].is_answer == answer && std::isfinite(one.value))
                script.line("{:.6g} {} {:.6g} {:.6g}", one.value, row, std::isfinite(one.lower) ? one.lower : low,
                            std::isfinite(one.upper) ? one.upper : high);
        script.line("END");
    };
    block("others", false);
    block("answer", true);
    std::vector<std::string> tics;
    for (std::size_t row = 0; row < shown.size(); ++row)
        tics.push_back(
            fmt::format("{} {}",
                        gnuplot_text(fmt::format("{}{}", shown[row].is_answer ? "answer: " : "", shown[row].name),
                                     shown[row].is_answer),
                        row));
    script.line("set xrange [{:.6g}:{:.6g}]", low, high);
    script.line("set yrange [{}:-0.6]", static_cast<double>(shown.size()) - 0.4);
    script.line("set ytics ({}) scale 0", fmt::join(tics, ", "));
    script.line("set grid xtics linecolor rgb '{}' linetype 1", grid_ink);
    script.line("set xlabel {} textcolor rgb '{}'",
                gnuplot_text(fmt::format("worth of the target policy, {:g}% intervals", 100 * evaluation.level)), ink);
    script.line(
        "plot $others using 1:2:3:4 with xerrorbars pointtype 7 pointsize 0.6 linewidth 1.4 linecolor rgb '{}'{}",
        faint_ink,
        answers(evaluation.verdict)
            ? fmt::format(", \\\n    $answer using 1:2:3:4 with xerrorbars pointtype 7 pointsize 0.9 linewidth 2.2 "
                          "linecolor rgb '{}'",
                          accent)
            : "");
    return {"estimates", std::move(script).text(), titled(evaluation.name, name_of(evaluation.verdict)),
            fmt::format("{} estimates of what the target policy is worth, with their intervals.", shown.size())};
}

FigureScript effective_sample_figure(const PolicyEvaluation& evaluation) {
    const std::size_t longest = evaluation.effective_sample.size();
    const std::string title = titled(evaluation.name, "effective segments over the horizon");
    LogScript script("effective-sample", 360, title);
    script.line("$sizes << END");
    for (std::size_t step = 1; step <= longest; step += std::max<std::size_t>(1, step / 100))
        if (const double size = evaluation.effective_sample[step - 1]; size > 0) script.line("{} {:.6g}", step, size);
    script.line("END");
    double least = least_effective;
    for (const double size : evaluation.effective_sample)
        if (size > 0) least = std::min(least, size);
    const double bottom = 0.8 * least;
    const double top = 1.2 * std::max(least_effective, static_cast<double>(evaluation.segments));
    script.line("set logscale xy");
    script.line("set yrange [{:.6g}:{:.6g}]", bottom, top);
    script.line("set ytics {}", decades(bottom, top));
    script.line("set xrange [0.9:{:.6g}]", 1.1 * static_cast<double>(std::max<std::size_t>(longest, 2)));
    script.line("set grid ytics linecolor rgb '{}' linetype 1", grid_ink);
    script.line("set xlabel 'steps' textcolor rgb '{}'", ink);
    script.line("set ylabel 'effective segments' textcolor rgb '{}'", ink);
    if (evaluation.horizon > 0 && evaluation.horizon < longest)
        script.line("set arrow from {0}, graph 0 to {0}, graph 1 nohead dashtype (1,3) linecolor rgb '{1}'",
                    evaluation.horizon, faint_ink);
    script.line("plot $sizes using 1:2 with {} linewidth 1.6 pointtype 7 pointsize 0.4 linecolor rgb '{}', \\",
                longest > 40 ? "lines" : "linespoints", accent);
    script.line("    {:g} with lines dashtype (1,3) linecolor rgb '{}'", least_effective, faint_ink);
    return {"effective-sample", std::move(script).text(), title,
            fmt::format("What {} segments count for after 1 to {} steps; the weighted horizon is {}.",
                        evaluation.segments, longest, evaluation.horizon)};
}

}  // namespace

std::vector<FigureScript> evaluation_figures(const PolicyEvaluation& evaluation) {
    return {estimates_figure(evaluation), effective_sample_figure(evaluation)};
}

std::vector<FigureScript> tuning_figures(const Tuning& tuning) {
    std::vector<const AlgorithmInfo*> algorithms;  // the best first
    std::map<const AlgorithmInfo*, std::map<double, double>> least;
    for (const TunedConfiguration& one : tuning.configurations) {
        const ParameterInfo* alpha = one.algorithm->find("alpha");
        if (!alpha) continue;
        const double value = one.parameters[static_cast<std::size_t>(alpha - one.algorithm->parameters.data())];
        if (!(value > 0)) continue;  // there is no place for it on an axis of logarithms
        if (least[one.algorithm].empty()) algorithms.push_back(one.algorithm);
        least[one.algorithm].try_emplace(value, one.score);  // they come in the order of their scores
    }
    const std::string title = titled(tuning.name, "score over the step size");
    LogScript script("score-alpha", 420, title);
    const double least_squares = tuning.least_squares.value_or(0);  // not drawn
    double low = least_squares > 0 ? least_squares : tuning.score_of_zero;
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < algorithms.size(); ++k) {
        script.line("$algorithm{} << END", k);
        for (const auto& [alpha, score] : least[algorithms[k]])
            if (std::isfinite(score)) {
                script.line("{:.6g} {:.6g}", alpha, score);
                if (score > 0) low = std::min(low, score);
            }
        script.line("END");
        const LineStyle style = style_of(algorithms[k]->id);
        std::string dash(style.dash);
        std::replace(dash.begin(), dash.end(), ' ', ',');
        parts.push_back(
            fmt::format("$algorithm{} using 1:2 with linespoints title {} linewidth 1.3 pointtype {} pointsize "
                        "0.4 dashtype {} linecolor rgb '{}'",
                        k, gnuplot_text(short_name(algorithms[k]->name)), style.point,
                        dash.empty() ? "solid" : "(" + dash + ")", style.light));
    }
    for (const auto& [score, name] :
         {std::pair(tuning.score_of_zero, "predicting 0"), std::pair(least_squares, "LSTD")})
        if (std::isfinite(score) && score > 0)
            parts.push_back(
                fmt::format("{:.6g} with lines title '{}' dashtype (1,3) linecolor rgb '{}'", score, name, faint_ink));
    if (algorithms.empty() || !(low > 0)) return {};  // every error is 0
    script.line("set logscale x 2");
    script.line("set logscale y");
    script.line("set format x '2^{{%L}}'");
    if (tuning.score_of_zero > 0) {
        const double bottom = 0.9 * low, top = 1.2 * std::max(tuning.score_of_zero, low);
        script.line("set yrange [{:.6g}:{:.6g}]", bottom, top);
        // Where they lie within a factor of two or so, gnuplot's own.
        if (top > 4 * bottom) script.line("set ytics {}", decades(bottom, top));
    }
    script.line("set grid ytics linecolor rgb '{}' linetype 1", grid_ink);
    script.line("set xlabel 'alpha, the others selected again at each value' textcolor rgb '{}'", ink);
    script.line("set ylabel 'score on held-out segments' textcolor rgb '{}'", ink);
    script.line("set key outside right top textcolor rgb '{}'", ink);
    script.line("plot {}", fmt::join(parts, ", \\\n    "));
    return {{"score-alpha", std::move(script).text(), title,
             fmt::format("The best score of {} algorithms at each step size.", algorithms.size())}};
}

}  // namespace bellwether
