#include "plan/study_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "bellwether/catalogue.hpp"
#include "support/parameter_order.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;
using Names = std::vector<std::string_view>;

constexpr std::array<std::string_view, 5> common_keys{"id", "title", "kind", "settings", "metric"};
// Beside these, by kind.
constexpr std::array<std::string_view, 3> sensitivity_keys{"x", "lines", "algorithms"};
constexpr std::array<std::string_view, 2> curves_keys{"of", "lines"};
constexpr std::array<std::string_view, 2> bars_keys{"relative-to", "algorithms"};

std::span<const std::string_view> keys_of(FigureKind kind) {
    switch (kind) {
        case FigureKind::overview:
            return {};
        case FigureKind::sensitivity:
            return sensitivity_keys;
        case FigureKind::curves:
            return curves_keys;
        case FigureKind::bars:
            return bars_keys;
    }
    return {};
}

// A value of a grid, whatever the last bit of its text is.
std::optional<std::size_t> place_of(const std::vector<double>& values, double wanted) {
    for (std::size_t k = 0; k < values.size(); ++k)
        if (std::abs(values[k] - wanted) <= 1e-12 * std::abs(wanted)) return k;
    return std::nullopt;
}

class FigureReader {
public:
    FigureReader(const Document& file, std::span<const Setting> settings) : file_(file), settings_(settings) {}

    Figure read(const DocumentNode& node, const std::vector<Figure>& before) const {
        Figure figure = read_head(node, before);
        const Names ids = setting_ids();
        const DocumentNode& list = file_.require(node, "settings");
        for (const DocumentNode& entry : file_.list(list)) {
            const std::size_t s = file_.choose(entry, "setting", ids);
            FigureRow row{.setting = s, .metric = read_metric(node, settings_[s])};
            read_algorithms(node, row);
            if (figure.kind == FigureKind::curves) read_stated(file_.require(node, "of"), row);
            figure.rows.push_back(std::move(row));
        }
        if (figure.rows.empty()) file_.fail(list, "is empty: there must be at least one setting");
        if (figure.kind == FigureKind::sensitivity) read_parameters(node, figure);
        if (const auto* lines = node.find("lines"); lines && figure.kind == FigureKind::curves) {
            file_.choose(*lines, "kind of lines", Names{lines_of_settings});
            figure.lines.emplace_back(lines_of_settings);
        }
        if (figure.kind == FigureKind::bars) read_reference(file_.require(node, "relative-to"), figure);
        return figure;
    }

private:
    Figure read_head(const DocumentNode& node, const std::vector<Figure>& before) const {
        const auto* wanted = node.find("kind");
        const auto kind = wanted ? static_cast<FigureKind>(file_.choose(*wanted, "kind of figures", figure_kind_names))
                                 : FigureKind{};
        Names keys(common_keys.begin(), common_keys.end());
        for (const std::string_view key : keys_of(kind)) keys.push_back(key);
        file_.check_keys(node, keys);
        const std::string id = read_plain_id(file_, file_.require(node, "id"), before, "figure");
        Figure figure{.id = id, .title = id, .rows = {}, .kind = kind};
        if (const auto* title = node.find("title")) figure.title = file_.text(*title);
        return figure;
    }

    Names setting_ids() const {
        Names ids;
        for (const Setting& setting : settings_) ids.push_back(setting.id);
        return ids;
    }

    // The setting's first metric, or the one that the figure asks for.
    std::size_t read_metric(const DocumentNode& figure, const Setting& setting) const {
        const auto* node = figure.find("metric");
        if (!node) return 0;
        std::vector<std::string> ids;
        for (const ScoredMetric& scored : setting.metrics) ids.push_back(scored.id());
        const std::string& wanted = file_.text(*node);
        for (std::size_t m = 0; m < ids.size(); ++m)
            if (id_of(setting.metrics[m].metric) == wanted) return m;  // of several scores the first
        return file_.choose(*node, fmt::format("metric of {}", setting.id), Names(ids.begin(), ids.end()));
    }

    std::size_t read_algorithm(const DocumentNode& node, const Setting& setting) const {
        Names ids;
        for (const AlgorithmGrid& grid : setting.algorithms) ids.push_back(grid.info->id);
        if (const AlgorithmInfo* info = find_algorithm(file_.text(node)))  // whose alias it may be
            if (const auto found = std::find(ids.begin(), ids.end(), info->id); found != ids.end())
                return static_cast<std::size_t>(found - ids.begin());
        return file_.choose(node, fmt::format("algorithm of {}", setting.id), ids);
    }

    // Those that the figure names, in its order, or all.
    void read_algorithms(const DocumentNode& figure, FigureRow& row) const {
        const Setting& setting = settings_[row.setting];
        if (const auto* list = figure.find("algorithms")) {
            for (const DocumentNode& entry : file_.list(*list)) {
                const std::size_t a = read_algorithm(entry, setting);
                if (std::find(row.algorithms.begin(), row.algorithms.end(), a) != row.algorithms.end())
                    file_.fail(entry, fmt::format("repeats the algorithm {}", setting.algorithms[a].info->id));
                row.algorithms.push_back(a);
            }
            if (row.algorithms.empty()) file_.fail(*list, "is empty: there must be at least one algorithm");
        } else {
            row.algorithms.resize(setting.algorithms.size());
            std::iota(row.algorithms.begin(), row.algorithms.end(), std::size_t{0});
        }
    }

    // ---- Sensitivity.

    void read_parameters(const DocumentNode& node, Figure& figure) const {
        Names known;
        for_each_parameter([&](const ParameterInfo& parameter, const auto&) { known.push_back(parameter.name); });
        const auto read = [&](const DocumentNode& name, const Names& among) {
            return std::string(among[file_.choose(name, "parameter", among)]);
        };
        const DocumentNode& x = file_.require(node, "x");
        figure.x = read(x, known);
        if (const auto* lines = node.find("lines")) {
            Names or_compared = known;
            or_compared.insert(or_compared.end(), {lines_of_algorithms, lines_of_settings});
            if (lines->kind != Kind::list)
                figure.lines.push_back(read(*lines, or_compared));
            else
                for (const DocumentNode& entry : file_.list(*lines)) figure.lines.push_back(read(entry, known));
            if (std::find(figure.lines.begin(), figure.lines.end(), figure.x) != figure.lines.end())
                file_.fail(*lines, fmt::format("has {}, which is along the x axis", figure.x));
        }
        for (const FigureRow& row : figure.rows)
            for (const std::size_t a : row.algorithms)
                if (settings_[row.setting].algorithms[a].info->find(figure.x)) return;
        file_.fail(x, fmt::format("is {}, which none of its algorithms has", figure.x));
    }

    // ---- Curves.

    void read_stated(const DocumentNode& list, FigureRow& row) const {
        for (const DocumentNode& entry : file_.list(list)) {
            const std::size_t a = read_algorithm(file_.require(entry, "algorithm"), settings_[row.setting]);
            const AlgorithmGrid& grid = settings_[row.setting].algorithms[a];
            Names keys{"algorithm"};
            for (const ParameterInfo& parameter : grid.info->parameters) keys.push_back(parameter.name);
            file_.check_keys(entry, keys);
            std::vector<std::size_t> places;
            for (std::size_t p = 0; p < grid.values.size(); ++p)
                places.push_back(read_place(entry, grid, p, settings_[row.setting]));
            const auto configuration = configuration_at(grid, places);
            if (!configuration)
                file_.fail(entry, fmt::format("is no configuration of {}: its grid does not have these values together",
                                              settings_[row.setting].id));
            row.of.push_back({a, *configuration});
        }
        if (row.of.empty()) file_.fail(list, "is empty: there must be at least one configuration");
    }

    // A grid need not have all combinations of its values.
    static std::optional<std::size_t> configuration_at(const AlgorithmGrid& grid,
                                                       const std::vector<std::size_t>& places) {
        for (std::size_t c = 0; c < grid.configurations(); ++c) {
            bool is_wanted = true;
            for (std::size_t p = 0; p < places.size(); ++p) is_wanted = is_wanted && grid.place(c, p) == places[p];
            if (is_wanted) return c;
        }
        return std::nullopt;
    }

    // Where the value of a parameter stands in its grid.
    std::size_t read_place(const DocumentNode& entry, const AlgorithmGrid& grid, std::size_t p,
                           const Setting& setting) const {
        const std::string_view name = grid.info->parameters[p].name;
        const auto* node = entry.find(name);
        if (!node && grid.values[p].size() > 1)
            file_.fail(entry, fmt::format("has no '{}', which has {} values in the grid of {}", name,
                                          grid.values[p].size(), setting.id));
        if (!node) return 0;
        const auto place = place_of(grid.values[p], file_.number(*node));
        if (!place)
            file_.fail(*node,
                       fmt::format("is {}, which is not in the grid of {}", number_text(node->number), setting.id));
        return *place;
    }

    // ---- Bars.

    void read_reference(const DocumentNode& node, Figure& figure) const {
        for (const FigureRow& row : figure.rows) {
            const std::size_t a = read_algorithm(node, settings_[row.setting]);
            figure.relative_to = settings_[row.setting].algorithms[a].info->id;
        }
    }

    const Document& file_;
    std::span<const Setting> settings_;
};

}  // namespace

bool compares(const Figure& figure) {
    return !figure.lines.empty() &&
           (figure.lines.front() == lines_of_algorithms || figure.lines.front() == lines_of_settings);
}

std::vector<Figure> read_figures(const Document& file, const DocumentNode& list, std::span<const Setting> settings) {
    const FigureReader reader(file, settings);
    std::vector<Figure> figures;
    for (const DocumentNode& node : file.list(list)) figures.push_back(reader.read(node, figures));
    return figures;
}

std::vector<Figure> default_figures(std::span<const Setting> settings) {
    std::vector<Figure> figures;
    for (std::size_t s = 0; s < settings.size(); ++s)
        for (std::size_t m = 0; m < settings[s].metrics.size(); ++m) {
            const ScoredMetric& scored = settings[s].metrics[m];
            figures.push_back({.id = fmt::format("{}-{}{}{}", settings[s].id, id_of(scored.metric),
                                                 scored.score.empty() ? "" : "-", scored.score),
                               .title = fmt::format("{}: {}", settings[s].title, scored.id()),
                               .rows = {{.setting = s, .metric = m}}});
        }
    return figures;
}

}  // namespace bellwether
