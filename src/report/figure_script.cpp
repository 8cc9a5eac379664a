#include "report/figure_script.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "report/figure_layout.hpp"
#include "report/gnuplot.hpp"
#include "report/style.hpp"

namespace bellwether {

namespace {

constexpr double line_width = 1.3, leader_width = 0.5;
constexpr double label_height = 11.5;
constexpr std::string_view strip_paper = "#f3f3f3";
constexpr std::string_view band_opacity = "#d8";  // gnuplot: 00 is opaque, ff is not seen

std::string plot_number(double value) {
    return fmt::format("{:.6g}", value);
}

std::string dash_type(std::string_view dash) {
    if (dash.empty()) return "solid";
    std::string list(dash);
    std::replace(list.begin(), list.end(), ' ', ',');
    return "(" + list + ")";
}

std::string band_colour(std::string_view colour) {
    return std::string(band_opacity) + std::string(colour.substr(1));
}

// The name of the block of a line's data.
std::string block_name(std::size_t row, std::size_t panel, std::string_view key) {
    std::string name = fmt::format("$row{}_panel{}_{}", row + 1, panel + 1, key);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

class Script {
public:
    explicit Script(const FigureModel& figure) : figure_(figure), layout_(lay_out(figure)) {}

    std::string write() {
        write_head();
        for_each_panel([&](const PanelRow& row, const Panel& panel, std::size_t r, std::size_t p) {
            for (const FigureLine& of : panel.lines) {
                write_data(row, of, block_name(r, p, of.key));
                write_data_beyond(row, of, block_name(r, p, of.key), layout_.rows[r].beyond);
            }
        });
        line("set multiplot");
        write_page();
        for_each_panel([&](const PanelRow& row, const Panel& panel, std::size_t r, std::size_t p) {
            write_panel(row, panel, r, p);
            write_beyond(row, panel, r, p);
        });
        line("unset multiplot");
        return std::move(text_);
    }

private:
    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_ += '\n';
    }

    template <class Use>
    void for_each_panel(Use use) {
        for (std::size_t r = 0; r < figure_.rows.size(); ++r)
            for (std::size_t p = 0; p < figure_.rows[r].panels.size(); ++p)
                use(figure_.rows[r], figure_.rows[r].panels[p], r, p);
    }

    std::string across(double x) const { return fmt::format("{:.6f}", x / layout_.width); }
    std::string upwards(double y) const { return fmt::format("{:.6f}", 1 - y / layout_.height); }
    std::string at(double x, double y) const { return fmt::format("screen {}, screen {}", across(x), upwards(y)); }

    void write_head() {
        line("# gnuplot {0}.gp > {0}.svg", figure_.id);
        line("# gnuplot -e \"format='pdf'\" {0}.gp > {0}.pdf", figure_.id);
        line("if (!exists('format')) format = 'svg'");
        line("set encoding utf8");
        // A pixel becomes a point. pdfcairo draws lines half as wide, text 4/3 as large, and rounds marks to points.
        line("if (format eq 'pdf') set terminal pdfcairo size {:.4f}in,{:.4f}in font 'Helvetica,{}' fontscale 0.75 \\",
             layout_.width / 72, layout_.height / 72, text_size);
        line("    linewidth 2 pointscale 1.33 dashlength 2 background rgb 'white'");
        line("if (format eq 'svg') set terminal svg size {},{} font 'Helvetica,Arial,sans-serif,{}' \\", layout_.width,
             layout_.height, text_size);
        line("    dashlength 2 background rgb 'white'");
    }

    // Columns x, error, and the ends of the bar; where it diverged the error is at the edge, and the last column is 1.
    void write_data(const PanelRow& row, const FigureLine& of, const std::string& name) {
        line("{} << END", name);
        const FigurePoint* previous = nullptr;
        for (const FigurePoint& point : of.points) {
            const bool finite = std::isfinite(point.y), diverged_before = previous && !std::isfinite(previous->y);
            // A line goes to the edge where the algorithm diverges, and comes from there where it does not any more.
            if (finite && diverged_before) {
                line("");
                write_point(row.y, *previous);
            }
            if (finite || !diverged_before) write_point(row.y, point);
            previous = &point;
        }
        line("END");
        line("{}_chosen << END", name);
        if (of.chosen) write_point(row.y, of.points[*of.chosen]);
        line("END");
        if (!of.on_edge) return;
        line("{}_edge << END", name);
        if (of.chosen) write_point(row.y, of.points[*of.chosen]);
        line("END");
    }

    // What is off the scale, in a block of its own: x, lane, whether it diverged, whether it is the first of its kind,
    // and the error.
    void write_data_beyond(const PanelRow& row, const FigureLine& of, const std::string& name,
                           const std::vector<std::string>& lanes) {
        const auto lane = std::find(lanes.begin(), lanes.end(), of.key) - lanes.begin();
        line("{}_beyond << END", name);
        const FigurePoint* previous = nullptr;
        bool empty = true;
        for (const FigurePoint& point : of.points) {
            const bool away = !(point.y <= row.y.high), diverged = !std::isfinite(point.y);
            const bool returned = previous && previous->y <= row.y.high;
            const bool first = !previous || returned || diverged != !std::isfinite(previous->y);
            if (away && returned && !empty) line("");
            empty = empty && !away;
            if (away) line("{} {} {:d} {:d} {}", plot_number(point.x), lane + 1, diverged, first, plot_number(point.y));
            previous = &point;
        }
        line("END");
    }

    // Lines go up to their points above a plot and are cut at its edge; gnuplot loses those that end too far away.
    static double highest_drawn(const Axis& y) {
        return y.logarithm ? std::numeric_limits<double>::max() : y.low + 100 * (y.high - y.low);
    }

    void write_point(const Axis& y, const FigurePoint& point) {
        const bool finite = std::isfinite(point.y);
        const double value = finite ? std::clamp(point.y, y.low, highest_drawn(y)) : y.high;
        const double error = value < y.high && std::isfinite(point.error) ? point.error : 0;
        const auto [low, high] = point.ends && value < y.high ? *point.ends : std::pair(value - error, value + error);
        line("{} {} {} {} {}", plot_number(point.x), plot_number(value), plot_number(std::clamp(low, y.low, y.high)),
             plot_number(std::clamp(high, y.low, y.high)), finite ? 0 : 1);
    }

    void write_label(double x, double y, std::string_view text, std::string_view options) {
        line("set label {} at {} {}", text, at(x, y), options);
    }

    static std::string font(double size, std::string_view colour) {
        return fmt::format("font ',{}' tc rgb '{}'", size, colour);
    }

    // gnuplot puts the middle of a label at its place; ours are given by their upper edge.
    void write_text(const TextLayout& text, double size, std::string_view colour, bool bold) {
        write_label(text.x, text.top + 0.5 * size, gnuplot_text(text.text, bold),
                    (text.ends_at_x ? "right " : "left ") + font(size, colour));
    }

    // Everything outside of the panels, on a plot that covers the page with pixels for coordinates.
    void write_page() {
        set_plot({0, 0, layout_.width, layout_.height});
        line("set xrange [0:{}]", layout_.width);
        line("set yrange [{}:0]", layout_.height);
        for (const TextLayout& text : layout_.title) write_text(text, title_size, ink, true);
        for (const TextLayout& text : layout_.caption) write_text(text, small_size, faint_ink, false);
        for (const TextLayout& text : layout_.legend) write_text(text, text_size, ink, false);
        for (const RowLayout& row : layout_.rows) write_heading(row);
        std::vector<std::string> parts;
        for (std::size_t i = 0; i < figure_.legend.size(); ++i) {
            const TextLayout& text = layout_.legend[i];
            const std::string name = fmt::format("$legend{}", i + 1);
            const double y = text.top + 0.5 * text_size, right = text.x - sample_gap;
            line("{} << END", name);
            for (const double x : {right - sample_length, right - 0.5 * sample_length, right})
                line("{} {}", plot_number(x), plot_number(y));
            line("END");
            parts.push_back(fmt::format("{} with lines {} notitle", name, line_style(figure_.legend[i].key)));
            parts.push_back(fmt::format("{} every ::1::1 with points {} notitle", name,
                                        point_style(figure_.legend[i].key, 0, 0.5)));
        }
        write_plot(parts);
    }

    void write_heading(const RowLayout& layout) {
        for (const TextLayout& text : layout.heading) write_text(text, heading_size, ink, true);
        for (const TextLayout& text : layout.note) write_text(text, small_size, faint_ink, false);
    }

    // A plot that fills the box, without anything around it.
    void set_plot(const Box& box) {
        line("reset");
        line("set lmargin at screen {}; set rmargin at screen {}", across(box.left), across(box.right));
        line("set tmargin at screen {}; set bmargin at screen {}", upwards(box.top), upwards(box.bottom));
        line("unset key; unset border; unset tics");
    }

    const LineStyle& style_of(std::string_view key) const { return figure_.entry(key).style; }
    std::string line_style(std::string_view key) const {
        const LineStyle& style = style_of(key);
        return fmt::format("lw {} lc rgb '{}' dt {}", line_width, style.light, dash_type(style.dash));
    }
    std::string point_style(std::string_view key, int filled, double size) const {
        const LineStyle& style = style_of(key);
        return fmt::format("lw 1 lc rgb '{}' pt {} ps {}", style.light, style.point + filled, size);
    }

    void write_plot(const std::vector<std::string>& parts) { line("plot {}", fmt::join(parts, ", \\\n     ")); }

    const std::string& name_of(std::string_view key) const { return figure_.entry(key).name; }

    static std::string tics(const Axis& axis, bool labels) {
        std::vector<std::string> all;
        for (const AxisTic& tic : axis.tics)
            all.push_back(
                fmt::format("'{}' {:.10g}{}", labels ? tic.label : "", tic.at, tic.label.empty() ? " 1" : ""));
        return fmt::format("{}", fmt::join(all, ", "));
    }

    void write_axes(const PanelRow& row, const Panel& panel, const PanelLayout& layout, bool first) {
        line("set border 3 lw 0.8 lc rgb '{}'", ink);
        line("set xrange [{:.10g}:{:.10g}]", panel.x.low, panel.x.high);
        line("set yrange [{:.10g}:{:.10g}]", row.y.low, row.y.high);
        if (panel.x.logarithm) line("set logscale x {}", panel.x.logarithm);
        if (row.y.logarithm) line("set logscale y {}", row.y.logarithm);
        line("set xtics nomirror out scale 0.5,0.25 offset 0,0.35 {}font ',{}' tc rgb '{}' ({})",
             panel.kind == PanelKind::bars ? "rotate by 45 right " : "", small_size, ink, tics(panel.x, true));
        line("set ytics nomirror out scale 0.5,0.25 offset 0.4,0 font ',{}' tc rgb '{}' ({})", small_size, ink,
             tics(row.y, layout.error_labels));
        line("set grid ytics lt 1 lw 0.6 lc rgb '{}', lt 1 lw 0 lc rgb '{}'", grid_ink, "#ffffff");
        const Box& box = layout.plot;
        write_label(0.5 * (box.left + box.right), box.bottom + 30, gnuplot_text(panel.x.title),
                    "center " + font(text_size, ink));
        if (first)
            write_label(14, 0.5 * (box.top + box.bottom), gnuplot_text(row.y.title),
                        "center rotate by 90 " + font(text_size, ink));
    }

    void write_panel(const PanelRow& row, const Panel& panel, std::size_t r, std::size_t p) {
        const PanelLayout& layout = layout_.rows[r].panels[p];
        set_plot(layout.plot);
        write_axes(row, panel, layout, p == 0);
        const double middle = 0.5 * (layout.plot.left + layout.plot.right);
        if (!panel.title.empty())
            write_label(middle, layout_.rows[r].titles + 0.5 * text_size, gnuplot_text(panel.title),
                        "center " + font(text_size, ink));
        std::vector<std::string> parts;
        if (row.level)
            parts.push_back(fmt::format("{} with lines lw 1 lc rgb '#999999' dt (1,2) title {}",
                                        plot_number(row.level->at), gnuplot_text(row.level->name)));
        if (panel.lines.empty())
            write_label(middle, 0.5 * (layout.plot.top + layout.plot.bottom), "'nothing recorded'",
                        "center " + font(small_size, faint_ink));
        if (parts.empty() && panel.lines.empty()) parts.push_back("NaN notitle");
        switch (panel.kind) {
            case PanelKind::points:
                add_points(panel, r, p, parts);
                break;
            case PanelKind::curves:
                add_curves(panel, r, p, parts);
                write_names(row, panel, layout);
                break;
            case PanelKind::bars:
                add_bars(row, panel, r, p, parts);
                break;
        }
        write_plot(parts);
    }

    // A part of a plot; its title appears where a reader points at it in a browser.
    std::string part_of(std::size_t r, std::size_t p, const FigureLine& of, std::string_view drawn) const {
        return fmt::format("{}{} title {}", block_name(r, p, of.key), drawn, gnuplot_text(name_of(of.key)));
    }

    void add_curves(const Panel& panel, std::size_t r, std::size_t p, std::vector<std::string>& parts) const {
        const auto has_error = [](const FigurePoint& point) { return point.error > 0; };
        for (const FigureLine& of : panel.lines)
            if (std::any_of(of.points.begin(), of.points.end(), has_error))
                parts.push_back(part_of(
                    r, p, of,
                    fmt::format(" using 1:3:4 with filledcurves lc rgb '{}'", band_colour(style_of(of.key).light))));
        for (const FigureLine& of : panel.lines)
            parts.push_back(part_of(r, p, of, " with lines " + line_style(of.key)));
    }

    void add_points(const Panel& panel, std::size_t r, std::size_t p, std::vector<std::string>& parts) const {
        const auto add_all = [&](auto draw) {
            for (const FigureLine& of : panel.lines) parts.push_back(part_of(r, p, of, draw(of.key)));
        };
        add_all([&](std::string_view key) {
            return fmt::format(" using 1:($4>$3?$3:NaN):(0):($4-$3) with vectors nohead lw 0.8 lc rgb '{}'",
                               style_of(key).light);
        });
        add_all([&](std::string_view key) { return " with lines " + line_style(key); });
        add_all(
            [&](std::string_view key) { return " using 1:($5==0?$2:NaN) with points " + point_style(key, 0, 0.4); });
        add_all([&](std::string_view key) {
            return "_chosen using 1:($5==0?$2:NaN) with points " + point_style(key, 1, 0.6);
        });
        for (const FigureLine& of : panel.lines)
            if (of.on_edge)
                parts.push_back(
                    part_of(r, p, of,
                            fmt::format("_edge using 1:($5==0?$2:NaN) with points lw 1 lc rgb '{}' pt 6 ps 1.2",
                                        style_of(of.key).light)));
    }

    // Columns as of write_data: a box to the bar's end, and the interval over it.
    void add_bars(const PanelRow& row, const Panel& panel, std::size_t r, std::size_t p,
                  std::vector<std::string>& parts) {
        line("set boxwidth 0.7; set style fill solid 0.55 border");
        for (const FigureLine& of : panel.lines) {
            const std::string_view colour = style_of(of.key).light;
            parts.push_back(part_of(
                r, p, of,
                fmt::format(" using 1:($2>{0}?{0}:$2) with boxes lw 1 lc rgb '{1}'", plot_number(row.y.high), colour)));
            parts.push_back(part_of(
                r, p, of,
                fmt::format(" using 1:($4>$3?$3:NaN):(0):($4-$3) with vectors nohead lw 1.2 lc rgb '{}'", ink)));
        }
    }

    // The names of the curves at their ends.
    void write_names(const PanelRow& row, const Panel& panel, const PanelLayout& layout) {
        const Box& box = layout.plot;
        std::vector<double> ends;
        for (const FigureLine& of : panel.lines)
            ends.push_back(box.bottom - row.y.place(of.points.back().y) * (box.bottom - box.top));
        const double top = box.top - 6, bottom = box.bottom + 6;
        const double height = std::min(label_height, (bottom - top) / static_cast<double>(ends.size()));
        const std::vector<double> middles = spread_labels(ends, height, top, bottom);
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const std::string_view colour = style_of(panel.lines[i].key).light;
            line("set arrow from {} to {} nohead lw {} lc rgb '{}'", at(box.right + 1, ends[i]),
                 at(box.right + leader_length - 3, middles[i]), leader_width, colour);
            write_label(box.right + leader_length, middles[i], gnuplot_text(name_of(panel.lines[i].key)),
                        "left " + font(small_size, colour));
        }
    }

    // The strip above a plot: a lane for each algorithm, a mark wherever it is off the scale.
    void write_beyond(const PanelRow& row, const Panel& panel, std::size_t r, std::size_t p) {
        if (!is_beyond(panel, row.y)) return;
        const Box& box = layout_.rows[r].panels[p].beyond;
        set_plot(box);
        line("set xrange [{:.10g}:{:.10g}]", panel.x.low, panel.x.high);
        line("set yrange [{}:0.5]", static_cast<double>(layout_.rows[r].beyond.size()) + 0.5);
        if (panel.x.logarithm) line("set logscale x {}", panel.x.logarithm);
        line("set object rectangle from graph 0, graph 0 to graph 1, graph 1 behind fs solid noborder fc rgb '{}'",
             strip_paper);
        const auto end = row.panels.begin() + static_cast<std::ptrdiff_t>(p);
        if (std::none_of(row.panels.begin(), end, [&](const Panel& before) { return is_beyond(before, row.y); }))
            write_label(box.left - 5, 0.5 * (box.top + box.bottom), "'off scale'",
                        "right " + font(small_size, faint_ink));
        std::vector<std::string> parts{"NaN notitle"};
        for (const FigureLine& of : panel.lines)
            if (is_beyond(of, row.y))
                add_marks(of, row.y.high, panel.kind == PanelKind::curves, block_name(r, p, of.key) + "_beyond", parts);
        write_plot(parts);
    }

    // Curves have a mark where they leave the scale and a line for as long as they are away.
    void add_marks(const FigureLine& of, double high, bool curve, const std::string& name,
                   std::vector<std::string>& parts) const {
        const std::string_view colour = style_of(of.key).light;
        const std::string title = gnuplot_text(name_of(of.key)), only = curve ? " && $4==1" : "";
        if (curve) parts.push_back(fmt::format("{} with lines lw 0.8 lc rgb '{}' title {}", name, colour, title));
        const auto has = [&](auto kind) { return std::any_of(of.points.begin(), of.points.end(), kind); };
        if (has([&](const FigurePoint& point) { return point.y > high && std::isfinite(point.y); }))
            parts.push_back(fmt::format("{} using 1:($3==0{}?$2:NaN) with points lc rgb '{}' pt 9 ps 0.4 title {}",
                                        name, only, colour, title));
        // A letter, because the × of the terminals is thin.
        if (has([](const FigurePoint& point) { return !std::isfinite(point.y); }))
            parts.push_back(fmt::format("{} using 1:($3==1{}?$2:NaN):('×') with labels font ',8' tc rgb '{}' notitle",
                                        name, only, colour));
    }

    const FigureModel& figure_;
    FigureLayout layout_;
    std::string text_;
};

}  // namespace

std::string figure_script(const FigureModel& figure) {
    return Script(figure).write();
}

}  // namespace bellwether
