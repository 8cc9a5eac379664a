// bellwether demo: a first result in some seconds: a small study, its learning curves in the terminal, and its page.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "analysis/findings.hpp"
#include "analysis/names.hpp"
#include "analysis/stored_study.hpp"
#include "bellwether/number_text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/run_observers.hpp"
#include "cli/run_plan.hpp"
#include "cli/run_request.hpp"
#include "plan/installed_studies.hpp"
#include "report/report.hpp"
#include "report/terminal_plot.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"
#include "support/terminal.hpp"

namespace bellwether {

extern const char* const demo_study_text;  // of studies/demo.toml

namespace {

namespace fs = std::filesystem;

// The study that is shown: studies/demo.toml.
constexpr std::string_view demo_study = "demo";

// "α = 0.1, η = 4", of the best configuration.
std::string parameters_text(const AlgorithmFindings& algorithm) {
    std::string text;
    for (const ParameterInfo& parameter : algorithm.grid->info->parameters)
        text += fmt::format("{}{} = {:.3g}", text.empty() ? "" : ", ", parameter_symbol(parameter.name),
                            *algorithm.best_value(parameter.name));
    return text;
}

// The learning curves of the best configurations, each with its score at its end, and who has the lowest.
std::string describe(const MetricFindings& findings, const Terminal& terminal) {
    TerminalPlot plot{.title = findings.setting->title,
                      .x_name = std::string(findings.setting->time_unit()),
                      .columns = std::min<std::size_t>(terminal.columns, 100),
                      .colours = terminal.colours};
    const AlgorithmFindings* lowest = nullptr;
    for (const AlgorithmFindings& algorithm : findings.algorithms) {
        const LearningCurve* curve = algorithm.curve();
        if (!curve) continue;
        const double score = algorithm.estimate().score;
        if (!lowest || score < lowest->estimate().score) lowest = &algorithm;
        TerminalLine line{.label = fmt::format("{} {:.2g}", short_name(algorithm.grid->info->name), score),
                          .x = {},
                          .y = curve->mean};
        for (std::size_t k = 0; k < curve->mean.size(); ++k)
            line.x.push_back(static_cast<double>(findings.setting->time_of(k)));
        plot.lines.push_back(std::move(line));
    }
    if (!lowest) return draw(plot);
    return fmt::format("{}lowest: {} with {}, of {} configurations\n\n", draw(plot),
                       short_name(lowest->grid->info->name), parameters_text(*lowest), lowest->configurations.size());
}

// Where no studies are installed the program has this one itself, and puts its file beside the results.
void bring_study(RunArguments& arguments) {
    for (const InstalledStudy& study : installed_studies())
        if (study.name == demo_study) return;
    const fs::path directory(arguments.out.empty() ? fmt::format("results/{}", demo_study) : arguments.out);
    std::error_code problem;
    fs::create_directories(directory, problem);
    if (problem)
        throw WorkError(fmt::format("{}: cannot make the directory: {}", directory.string(), problem.message()));
    arguments.study = (directory / "demo.toml").string();
    OutputFile file(arguments.study);
    file.write(demo_study_text);
    file.commit();
}

int demo(RunArguments arguments) {
    watch_interrupts();
    bring_study(arguments);
    const RunRequest request = make_request(arguments, 1);
    Store store = create_store(request);
    std::size_t configurations = 0;
    for (const std::size_t s : request.settings) configurations += request.study.settings[s].configurations();
    fmt::print(
        "{} algorithms with {} choices of their parameters learn what a policy is worth from what another one did.\n"
        "Each line is the error of an algorithm at its best, with its mean over the second half.\n\n",
        request.study.settings.front().algorithms.size(), configurations);
    std::fflush(stdout);
    ProgressReporter reporter(arguments.quiet);
    const RunReport report = run_prepared(request, store,
                                          {.instruction_set = request.instruction_set,
                                           .threads = request.threads,
                                           .should_stop = [] { return interrupted(); }},
                                          reporter);
    reporter.ended(report);
    if (report.stopped) return 128 + report.signal;

    const Findings findings = find_all(store, request.study);
    const Terminal terminal = terminal_of(stdout);
    for (const MetricFindings& metric : findings.metrics) fmt::print("{}", describe(metric, terminal));

    const ReportFiles files = write_report(store, request.study, request.directory,
                                           {.program = "bellwether " BELLWETHER_VERSION, .figures = false});
    if (files.has_page)
        fmt::print("Every configuration, to look at: open {} in a browser.\n",
                   (request.directory / "report.html").string());
    fmt::print(
        "Next: 'bellwether list studies' has papers to reproduce, 'bellwether learn --help' learns from a log of "
        "yours.\n");
    return 0;
}

}  // namespace

void add_demo(Command& program, int& status) {
    const auto arguments = std::make_shared<RunArguments>();
    arguments->study = demo_study;
    Command* command = program.add_subcommand("demo", "A first look, in some seconds: plots here, and a page");
    command->allow_extras();
    command->add_option("--out", arguments->out, "Where the results go (default: results/demo)")->type_name("DIR");
    command->add_option("--threads", arguments->threads, "How many threads (default: as many as there are cores)")
        ->type_name("COUNT");
    command->add_flag("--quiet", arguments->quiet, "No progress");
    command->footer("Example: bellwether demo");
    command->callback([command, arguments, &status] {
        refuse_extras(*command);
        status = demo(*arguments);
    });
}

}  // namespace bellwether
