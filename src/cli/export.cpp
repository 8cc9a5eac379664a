// bellwether export: stored results as a tidy table.
#include "analysis/export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "plan/stored_scores.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"
#include "support/terminal.hpp"
#include "tables/arrow_file.hpp"
#include "tables/columns.hpp"
#include "tables/parquet.hpp"

namespace bellwether {
namespace {

struct ExportOptions {
    std::string directory;
    std::string out = "-";
    std::string format;
    bool by_instance = false;
    bool curves = false;
    bool by_question = false;
};

enum class Format { csv, parquet, arrow };

struct FormatInfo {
    Format format;
    std::string_view name;
    std::array<std::string_view, 2> endings;  // of files that have it without being told
};
constexpr std::array<FormatInfo, 3> formats{{{Format::csv, "csv", {".csv"}},
                                             {Format::parquet, "parquet", {".parquet"}},
                                             {Format::arrow, "arrow", {".arrow", ".feather"}}}};

// As --format says, else as the file's name does, else CSV.
Format choose_format(const ExportOptions& options) {
    for (const FormatInfo& info : formats) {
        if (options.format == info.name) return info.format;
        for (const std::string_view ending : info.endings)
            if (options.format.empty() && !ending.empty() && options.out.ends_with(ending)) return info.format;
    }
    if (!options.format.empty())
        throw UsageError(fmt::format("--format: '{}' is neither csv, parquet nor arrow", options.format));
    return Format::csv;
}

std::unique_ptr<ColumnsWriter> make_writer(Format format, ByteSink write) {
    if (format == Format::parquet)
        return std::make_unique<ParquetWriter>(std::move(write), "bellwether version " BELLWETHER_VERSION);
    return std::make_unique<ArrowFileWriter>(std::move(write));
}

// Whether there are scores of single questions to export.
void check_questions(const Store& store, const Study& study, bool curves) {
    if (curves) throw UsageError("--by-question: learning curves are means over the questions; leave out --curves");
    const auto has_several = [](const Setting& setting) { return questions_apart(setting) > 0; };
    if (std::none_of(study.settings.begin(), study.settings.end(), has_several))
        throw UsageError("--by-question: no setting of this study has several questions");
    if (const std::vector<std::string> without = settings_without_questions(store, study); !without.empty())
        throw UsageError(
            fmt::format("--by-question: some results of setting '{}' were stored by a program that kept the mean over "
                        "its questions "
                        "alone; run the study again with another --out",
                        without.front()));
}

void run_export(const ExportOptions& options) {
    const Store store = Store::open(options.directory);
    const Study study = stored_study(store);
    if (options.by_question) check_questions(store, study, options.curves);
    const Format format = choose_format(options);
    if (format != Format::csv && options.out == "-" && terminal_of(stdout).is_terminal)
        throw UsageError("--out is missing: a terminal cannot show this format");
    OutputFile out(options.out);
    const ByteSink write = [&](std::string_view bytes) { out.write(bytes); };
    const auto exported = options.curves ? export_curves : options.by_question ? export_questions : export_scores;
    const auto export_to = [&](const TextSink& sink) { exported(store, study, options.by_instance, sink); };
    if (format == Format::csv) {
        export_to(write);
    } else {
        ColumnReader reader;
        const std::unique_ptr<ColumnsWriter> writer = make_writer(format, write);
        export_to([&](std::string_view text) {
            reader.add(text);
            if (reader.rows() >= rows_of_batch) writer->add(reader.take());
        });
        writer->add(reader.take());
        writer->finish();
    }
    out.commit();
    if (const auto pending = pending_units(study, &store, all_settings(study)); !pending.empty())
        fmt::print(stderr, "bellwether export: warning: the study is not complete: {} of {} units are missing runs\n",
                   pending.size(), plan_units(study).size());
}

}  // namespace

void add_export(Command& program, int&) {
    const auto options = std::make_shared<ExportOptions>();
    Command* command = program.add_subcommand("export", "Results of a study as a table: a row per configuration");
    command->allow_extras();
    command->add_option("DIR", options->directory, "Where the results are")->type_name("")->required();
    command->add_option("--out", options->out, "Where the table goes (default: standard output)")->type_name("FILE");
    command
        ->add_option(
            "--format", options->format,
            "csv, parquet or arrow (default: as the file's name ends, .csv, .parquet, .arrow or .feather; else csv)")
        ->choices({"csv", "parquet", "arrow"})
        ->type_name("NAME");
    command->add_flag("--by-instance", options->by_instance, "A row per instance");
    command->add_flag("--by-question", options->by_question,
                      "A row for each question of a setting that has several, beside those of their mean");
    command->add_flag("--curves", options->curves, "The recorded learning curves: a row per step");
    command->footer("Example: bellwether export results/quick --out quick.parquet");
    command->callback([command, options] {
        refuse_extras(*command);
        run_export(*options);
    });
}

}  // namespace bellwether
