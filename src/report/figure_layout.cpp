#include "report/figure_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bellwether {

namespace {

constexpr double left_margin = 62, right_margin = 18, top_margin = 10, bottom_margin = 10;
constexpr double between_panels = 18, for_error_labels = 46;
constexpr double plot_height = 215, axis_height = 38;  // with the numbers and the title of the x axis
constexpr double line_spacing = 1.35;
constexpr double lane_height = 5.5, above_plot = 3;
constexpr double bar_name_slope = 0.7;  // the sine of 45°

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

double plot_width(std::size_t columns) {
    return columns >= 4 ? 258 : columns == 3 ? 285 : columns == 2 ? 400 : 640;
}

std::size_t columns_of(const FigureModel& figure) {
    std::size_t columns = 0;
    for (const PanelRow& row : figure.rows) columns = std::max(columns, row.panels.size());
    return columns;
}

class Builder {
public:
    explicit Builder(const FigureModel& figure) : figure_(figure) {}

    FigureLayout build() {
        set_columns();
        double y = top_margin;
        y = add_lines(layout_.title, figure_.title, title_size, y) + 4;
        y = add_legend(y) + 8;
        for (const PanelRow& row : figure_.rows) y = add_row(row, y) + 8;
        y = add_lines(layout_.caption, figure_.caption, small_size, y);
        layout_.height = std::ceil(y + bottom_margin);
        return std::move(layout_);
    }

private:
    // The left and right ends of the plots, column by column, and with them the width of the figure.
    void set_columns() {
        const std::size_t columns = columns_of(figure_);
        double names = 0;
        for (const LegendEntry& entry : figure_.legend) names = std::max(names, text_width(entry.name, small_size));
        double x = 0;
        bool labels_before = true;
        for (std::size_t c = 0; c < columns; ++c) {
            x += c == 0 ? left_margin : labels_before ? for_error_labels : between_panels;
            const bool curves = std::any_of(figure_.rows.begin(), figure_.rows.end(), [&](const PanelRow& row) {
                return c < row.panels.size() && row.panels[c].kind == PanelKind::curves;
            });
            columns_.push_back({x, x + plot_width(columns), labels_before});
            x = columns_.back().right + (curves ? leader_length + names : 0);
            labels_before = curves;
        }
        layout_.width = std::ceil(x + right_margin);
    }

    double text_room() const { return layout_.width - left_margin - right_margin; }

    double add_lines(std::vector<TextLayout>& to, const std::string& text, double size, double y) const {
        for (std::string& line : wrap_text(text, size, text_room())) {
            to.push_back({left_margin, y, std::move(line)});
            y += line_spacing * size;
        }
        return y;
    }

    // In columns of equal width, as many as there is room for and the lines equally full.
    double add_legend(double y) {
        double widest = 1;
        for (const LegendEntry& entry : figure_.legend)
            widest = std::max(widest, sample_length + sample_gap + 14 + text_width(full_name(entry), text_size));
        const auto room = std::max<std::size_t>(1, static_cast<std::size_t>(text_room() / widest));
        const std::size_t lines = (figure_.legend.size() + room - 1) / room;
        const std::size_t columns = lines == 0 ? 1 : (figure_.legend.size() + lines - 1) / lines;
        const double step = std::min(text_room() / static_cast<double>(columns), 1.25 * widest);
        for (std::size_t i = 0; i < figure_.legend.size(); ++i) {
            const std::size_t line = i / columns, column = i % columns;
            layout_.legend.push_back(
                {.x = left_margin + static_cast<double>(column) * step + sample_length + sample_gap,
                 .top = y + static_cast<double>(line) * 1.5 * text_size,
                 .text = full_name(figure_.legend[i])});
        }
        return y + static_cast<double>(lines) * 1.5 * text_size;
    }

    static std::string full_name(const LegendEntry& entry) {
        return entry.note.empty() ? entry.name : entry.name + "  " + entry.note;
    }

    std::vector<std::string> lines_beyond(const PanelRow& row) const {
        std::vector<std::string> found;
        for (const LegendEntry& entry : figure_.legend)
            for (const Panel& panel : row.panels)
                for (const FigureLine& line : panel.lines)
                    if (line.key == entry.key && is_beyond(line, row.y) && (found.empty() || found.back() != entry.key))
                        found.push_back(entry.key);
        return found;
    }

    double add_row(const PanelRow& row, double y) {
        RowLayout& to = layout_.rows.emplace_back();
        const bool beside = text_width(row.title, heading_size) + text_width(row.note, small_size) + 24 < text_room();
        if (beside && !row.note.empty())
            to.note.push_back({.x = layout_.width - right_margin, .top = y + 1, .text = row.note, .ends_at_x = true});
        y = add_lines(to.heading, row.title, heading_size, y) + (row.title.empty() ? 0 : 2);
        if (!beside) y = add_lines(to.note, row.note, small_size, y);
        to.titles = y;
        if (std::any_of(row.panels.begin(), row.panels.end(), [](const Panel& panel) { return !panel.title.empty(); }))
            y += 1.5 * text_size;
        to.beyond = lines_beyond(row);
        const double strip = static_cast<double>(to.beyond.size()) * lane_height;
        const double top = strip > 0 ? y + strip + above_plot : y;
        for (std::size_t c = 0; c < row.panels.size(); ++c) {
            const Column& column = columns_[c];
            to.panels.push_back({{column.left, top, column.right, top + plot_height},
                                 {column.left, y, column.right, y + strip},
                                 column.error_labels});
        }
        return top + plot_height + axis_height + height_of_names(row);
    }

    // Below bars, aslant.
    double height_of_names(const PanelRow& row) const {
        double widest = 0;
        for (const Panel& panel : row.panels)
            if (panel.kind == PanelKind::bars)
                for (const FigureLine& line : panel.lines)
                    widest = std::max(widest, text_width(figure_.entry(line.key).name, small_size));
        return bar_name_slope * widest;
    }

    struct Column {
        double left, right;
        bool error_labels;
    };

    const FigureModel& figure_;
    std::vector<Column> columns_;
    FigureLayout layout_{};
};

}  // namespace

const LegendEntry& FigureModel::entry(std::string_view key) const {
    return *std::find_if(legend.begin(), legend.end(), [&](const LegendEntry& one) { return one.key == key; });
}

bool is_beyond(const FigureLine& line, const Axis& y) {
    return std::any_of(line.points.begin(), line.points.end(), [&](const FigurePoint& p) { return !(p.y <= y.high); });
}

bool is_beyond(const Panel& panel, const Axis& y) {
    return std::any_of(panel.lines.begin(), panel.lines.end(), [&](const auto& line) { return is_beyond(line, y); });
}

double text_width(std::string_view text, double size) {
    return 0.6 * size * static_cast<double>(characters(text));
}

std::vector<std::string> wrap_text(std::string_view text, double size, double width) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find(' '), text.size());
        const std::string word(text.substr(0, length));
        if (!lines.empty() && text_width(lines.back() + ' ' + word, size) <= width)
            lines.back() += ' ' + word;
        else
            lines.push_back(word);
        text.remove_prefix(std::min(length + 1, text.size()));
    }
    return lines;
}

FigureLayout lay_out(const FigureModel& figure) {
    return Builder(figure).build();
}

std::vector<double> spread_labels(std::span<const double> wanted, double height, double low, double high) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });

    // Labels that would touch form a group, whose middle is the mean of what its members want (least squares).
    struct Group {
        double middle;
        std::size_t count;
        double first(double of_height) const { return middle - 0.5 * of_height * static_cast<double>(count - 1); }
        double last(double of_height) const { return middle + 0.5 * of_height * static_cast<double>(count - 1); }
    };
    const auto within = [&](Group group) {
        const double half = 0.5 * height * static_cast<double>(group.count);
        group.middle = std::max(std::min(group.middle, high - half), low + half);
        return group;
    };
    std::vector<Group> groups;
    for (const std::size_t i : order) {
        groups.push_back(within({wanted[i], 1}));
        while (groups.size() > 1 && groups.back().first(height) < groups[groups.size() - 2].last(height) + height) {
            const Group below = groups.back();
            groups.pop_back();
            const auto a = static_cast<double>(groups.back().count), b = static_cast<double>(below.count);
            groups.back() =
                within({(a * groups.back().middle + b * below.middle) / (a + b), groups.back().count + below.count});
        }
    }
    std::vector<double> middles(wanted.size());
    std::size_t next = 0;
    for (const Group& group : groups)
        for (std::size_t k = 0; k < group.count; ++k)
            middles[order[next++]] = group.first(height) + height * static_cast<double>(k);
    return middles;
}

}  // namespace bellwether
