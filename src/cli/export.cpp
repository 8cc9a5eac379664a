// bellwether export: stored results as tidy CSV.
#include "analysis/export.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

struct Options {
    std::string directory;
    std::string out = "-";
    bool by_instance = false;
    bool curves = false;
};

void run_export(const Options& options) {
    const Store store = Store::open(options.directory);
    const Study study = stored_study(store);
    OutputFile out(options.out);
    const TextSink write = [&](std::string_view text) { out.write(text); };
    (options.curves ? export_curves : export_scores)(store, study, options.by_instance, write);
    out.commit();
    if (const auto pending = pending_units(study, &store, all_settings(study)); !pending.empty())
        fmt::print(stderr, "bellwether export: warning: the study is not complete: {} of {} units are missing runs\n",
                   pending.size(), plan_units(study).size());
}

}  // namespace

void add_export(Command& program, int&) {
    const auto options = std::make_shared<Options>();
    Command* command = program.add_subcommand("export", "Results of a study as CSV: a row per configuration");
    command->allow_extras();
    command->add_option("DIR", options->directory, "Where the results are")->type_name("")->required();
    command->add_option("--out", options->out, "Where the table goes (default: standard output)")->type_name("FILE");
    command->add_flag("--by-instance", options->by_instance, "A row per instance");
    command->add_flag("--curves", options->curves, "The recorded learning curves: a row per step");
    command->footer("Example: bellwether export results/quick --out quick.csv");
    command->callback([command, options] {
        refuse_extras(*command);
        run_export(*options);
    });
}

}  // namespace bellwether
