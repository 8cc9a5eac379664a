#include "report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/export.hpp"
#include "analysis/findings.hpp"
#include "analysis/outcome.hpp"
#include "analysis/tuning.hpp"
#include "report/figures.hpp"
#include "report/page_data.hpp"
#include "report/reading_tables.hpp"
#include "report/real_time_panels.hpp"
#include "report/tables.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace bellwether {

namespace fs = std::filesystem;

namespace {

class ReportWriter {
public:
    ReportWriter(const Store& store, const Study& study, fs::path directory, const ReportOptions& options)
        : store_(store), study_(study), directory_(std::move(directory)), options_(options) {}

    ReportFiles write() {
        options_.progress("analysing");
        const Findings findings = find_all(store_, study_);
        if (findings.metrics.empty())
            throw UsageError(fmt::format("{}: no setting of the study has results of all its configurations yet",
                                         directory_.string()));
        for (const std::string& setting : findings.left_out)
            files_.left_out.push_back(fmt::format("setting {}: some configurations have no results yet", setting));
        count_edges(findings);
        const RuntimeTable* runtimes = options_.runtimes ? &*options_.runtimes : nullptr;
        files_.claims = judge_claims(options_.paper, findings, runtimes);
        if (!options_.readings.text.empty()) options_.progress("judging the readings");
        files_.readings = judge_readings(options_.readings, options_.paper, findings, files_.claims, runtimes);
        for (const std::string& line : files_.readings.left_out) files_.left_out.push_back(line);
        std::vector<RealTimePanels> real_time;
        if (const auto& published = options_.paper.published.real_time)
            for (const CostTable& costs : options_.costs)
                for (RealTimePanels& panels : real_time_panels(findings, costs, options_.times, *published))
                    real_time.push_back(std::move(panels));

        options_.progress("writing tables");
        write_tables(make_tables(findings, files_.claims, runtimes, real_time));
        write_tables(reading_tables(files_.readings));
        std::vector<ComparedNumber> compared =
            files_.readings.numbers_with(compare_numbers(options_.paper.numbers, findings));
        if (!compared.empty()) write_tables({published_table(compared)});
        const StudyOutcome outcome =
            make_outcome(store_, findings, files_.claims, std::move(compared), options_.program);
        if (!outcome.is_empty()) write_file(std::string(outcome_of_folder), text_of(outcome));
        write_data();
        if (options_.figures) {
            options_.progress("drawing figures");
            draw(findings, real_time);
        }
        options_.progress("writing the page");
        const std::vector<Advice> advice = give_advice(options_.paper, findings, runtimes);
        write_page({findings, options_.program, facts(findings, outcome.is_whole), files_.claims, advice, runtimes,
                    real_time, files_.readings, outcome.numbers});
        return std::move(files_);
    }

private:
    void write_file(const std::string& name, const std::string& text) {
        OutputFile out((directory_ / name).string());
        out.write(text);
        out.commit();
        files_.written.push_back(name);
    }

    void count_edges(const Findings& findings) {
        for (const MetricFindings& metric : findings.metrics)
            for (const AlgorithmFindings& algorithm : metric.algorithms) {
                ++files_.best;
                files_.best_on_edge += is_on_open_edge(*algorithm.grid, algorithm.best);
            }
    }

    void make_directory(const char* name) const {
        std::error_code error;
        fs::create_directories(directory_ / name, error);
        if (error) throw WorkError(fmt::format("{}: {}", (directory_ / name).string(), error.message()));
    }

    void write_tables(const std::vector<NamedTable>& tables) {
        make_directory("tables");
        for (const NamedTable& table : tables) {
            write_file(fmt::format("tables/{}.csv", table.name), table.table.csv());
            if (table.for_people)
                write_file(fmt::format("tables/{}.md", table.name),
                           fmt::format("# {}\n\n{}", table.title, table.table.markdown()));
        }
    }

    void write_data() {
        for (const CostTable& costs : options_.costs)
            write_file(fmt::format("tables/costs-{}.csv", costs.source), costs_csv(costs));
        write_export("tables/configurations.csv", export_scores);
        write_export("tables/curves.csv", export_curves);
    }

    template <class Export>
    void write_export(const std::string& name, Export exporter) {
        OutputFile out((directory_ / name).string());
        exporter(store_, study_, false, [&](std::string_view text) { out.write(text); });
        out.commit();
        files_.written.push_back(name);
    }

    void draw(const Findings& findings, const std::vector<RealTimePanels>& real_time) {
        make_directory("figures");
        FigureFiles figures = draw_figures(findings, real_time, directory_ / "figures", options_.readings.watch);
        if (figures.gnuplot_is_missing) {
            const FigureFiles by_python = draw_by_python("bellwether.plot", directory_, directory_ / "figures");
            figures.written = by_python.written;
            if (!by_python.problem.empty()) figures.problem += "; " + by_python.problem;
            if (!by_python.written.empty())
                figures.problem = "all but the overviews, which matplotlib has drawn: " + figures.problem;
        }
        for (const std::string& name : figures.written) files_.written.push_back("figures/" + name);
        if (!figures.problem.empty()) files_.left_out.push_back("figures: " + figures.problem);
    }

    void write_page(const PageContent& content) {
        const std::string page = make_page(content);
        files_.has_page = !page.empty();
        if (files_.has_page)
            write_file("report.html", page);
        else
            files_.left_out.push_back("report.html: this program was built without Node.js");
    }

    std::vector<std::pair<std::string, std::string>> facts(const Findings& findings, bool is_whole) const {
        std::vector<std::pair<std::string, std::string>> all;
        std::size_t configurations = 0;
        for (const MetricFindings& metric : findings.metrics)
            if (metric.metric == 0) configurations += metric.setting->configurations();
        all.emplace_back("settings", std::to_string(std::count_if(findings.metrics.begin(), findings.metrics.end(),
                                                                  [](const auto& m) { return m.metric == 0; })));
        all.emplace_back("configurations", std::to_string(configurations));
        all.emplace_back("agent-steps of the sweep", fmt::format("{:.3g}", agent_steps_of(findings)));
        all.emplace_back("instances and runs", is_whole ? "all of the study" : "a part of the study's");
        all.emplace_back("seed", std::to_string(study_.seed));
        all.emplace_back("results by", "bellwether " + store_.study().version);
        for (const auto& [name, value] : store_.notes())
            if (name != "study file" && name != "ended") all.emplace_back(name, value);
        return all;
    }

    const Store& store_;
    const Study& study_;
    fs::path directory_;
    const ReportOptions& options_;
    ReportFiles files_;
};

}  // namespace

ReportFiles write_report(const Store& store, const Study& study, const fs::path& directory,
                         const ReportOptions& options) {
    return ReportWriter(store, study, directory, options).write();
}

}  // namespace bellwether
