#include "report/figures.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "report/figure_findings.hpp"
#include "report/figure_script.hpp"
#include "report/gnuplot.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

namespace {

std::string xml_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else
            escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return escaped;
}

void replace_element(std::string& svg, std::string_view name, std::string_view content) {
    const std::string open = fmt::format("<{}>", name), close = fmt::format("</{}>", name);
    const std::size_t start = svg.find(open), end = svg.find(close);
    if (start == std::string::npos || end == std::string::npos || end < start) return;
    svg.replace(start + open.size(), end - start - open.size(), xml_text(content));
}

// What is read to those who do not see the figure; gnuplot would put its own name and version there.
void describe(std::string& svg, const FigureScript& figure) {
    replace_element(svg, "title", figure.title);
    replace_element(svg, "desc", figure.description);
    constexpr std::string_view root = "<svg";
    if (const std::size_t place = svg.find(root); place != std::string::npos)
        svg.insert(place + root.size(), " role=\"img\"");
}

struct NamedContent {
    std::string name, content;
};

void write_all(const std::filesystem::path& directory, const std::vector<NamedContent>& files) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) throw UsageError(fmt::format("{}: cannot write: {}", directory.string(), error.message()));
    std::vector<std::unique_ptr<OutputFile>> outputs;
    for (const NamedContent& file : files) {
        outputs.push_back(std::make_unique<OutputFile>((directory / file.name).string()));
        outputs.back()->write(file.content);
    }
    for (const auto& output : outputs) output->commit();
}

FigureFiles draw(const FigureScript& figure, const std::filesystem::path& directory) {
    Pictures pictures = run_gnuplot(figure.script);
    if (!pictures.problem.empty()) return {{}, std::move(pictures.problem), pictures.is_missing};
    describe(pictures.svg, figure);
    std::vector<NamedContent> files{{figure.id + ".svg", std::move(pictures.svg)},
                                    {figure.id + ".pdf", std::move(pictures.pdf)},
                                    {figure.id + ".gp", figure.script}};
    write_all(directory, files);
    FigureFiles drawn;
    for (NamedContent& file : files) drawn.written.push_back(std::move(file.name));
    return drawn;
}

FigureScript script_of(const FigureModel& figure) {
    std::string text;
    for (const PanelRow& row : figure.rows)
        if (!row.title.empty()) text += fmt::format("{} ({}). ", row.title, row.note);
    return {figure.id, figure_script(figure), figure.title, text + figure.caption};
}

}  // namespace

FigureFiles draw_scripts(const std::vector<FigureScript>& scripts, const std::filesystem::path& directory,
                         const std::function<void()>& watch) {
    // A gnuplot per thread. What there is of them has the order of the scripts.
    std::vector<FigureFiles> drawn(scripts.size());
    std::atomic<bool> stop = false;
    parallel_for(
        usable_cores(), scripts.size(), stop,
        [&](std::size_t, std::size_t k) {
            drawn[k] = draw(scripts[k], directory);
            if (!drawn[k].problem.empty()) stop = true;
        },
        watch);
    FigureFiles files;
    for (FigureFiles& of : drawn) {
        for (std::string& name : of.written) files.written.push_back(std::move(name));
        if (files.problem.empty()) files.problem = std::move(of.problem);
        files.gnuplot_is_missing |= of.gnuplot_is_missing;
    }
    return files;
}

FigureFiles draw_figures(const Findings& findings, const std::vector<RealTimePanels>& real_time,
                         const std::filesystem::path& directory, const std::function<void()>& watch) {
    std::vector<FigureScript> figures;
    const auto add = [&](const std::optional<FigureModel>& figure) {
        if (figure) figures.push_back(script_of(*figure));
    };
    for (const Figure& figure : findings.study->figures) switch (figure.kind) {
            case FigureKind::overview:
                add(overview_figure(findings, figure));
                if (views_differ(findings, figure)) add(overview_figure(findings, figure, SensitivityView::frozen));
                break;
            case FigureKind::sensitivity:
                add(sensitivity_figure(findings, figure));
                break;
            case FigureKind::curves:
                add(curves_figure(findings, figure));
                break;
            case FigureKind::bars:
                add(bars_figure(findings, figure));
                break;
        }
    for (const RealTimePanels& panels : real_time)
        if (panels.is_shown) add(real_time_figure(panels));
    return draw_scripts(figures, directory, watch);
}

}  // namespace bellwether
