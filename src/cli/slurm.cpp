// bellwether slurm: a batch script that runs a study on a cluster.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/run_plan.hpp"
#include "cli/run_request.hpp"
#include "cluster/communicator.hpp"
#include "support/error.hpp"
#include "support/machine.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

namespace fs = std::filesystem;

struct SlurmOptions {
    RunArguments run;
    std::string nodes, tasks_per_node, cpus_per_task, time, partition, mpi;
    std::string results;
    std::string out = "-";
};

constexpr std::array<std::string_view, 3> mpi_kinds{"pmix", "pmi2", "mpirun"};

// What the script is made of.
struct Job {
    RunRequest request;
    std::size_t nodes, tasks_per_node;
    std::optional<std::size_t> cpus_per_task;  // whole nodes where it is not given
    std::string time, partition, mpi;
    WorkEstimate seconds;
    std::string program, study, results;  // with their whole paths
    std::string changes;                  // options for another reading, other instances and runs

    std::size_t tasks() const { return nodes * tasks_per_node; }
};

std::string quoted(const std::string& text) {
    std::string inside;
    for (const char c : text) inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return "'" + inside + "'";
}

std::string absolute(const std::string& path) {
    return fs::absolute(path).lexically_normal().string();
}

// A name that is safe in a comment of a shell script.
bool is_word(std::string_view text) {
    return std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c == ','; });
}

// [D-]H:M:S, H:M:S, M:S or M: digits with colons, after a number of days.
bool is_time(std::string_view text) {
    const auto plain = [](std::string_view part) {
        return !part.empty() && std::all_of(part.begin(), part.end(), [](unsigned char c) { return std::isdigit(c); });
    };
    if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
        if (!plain(text.substr(0, dash))) return false;
        text.remove_prefix(dash + 1);
    }
    std::size_t parts = 1;
    for (std::size_t colon = 0; (colon = text.find(':')) != std::string_view::npos; ++parts) {
        if (!plain(text.substr(0, colon))) return false;
        text.remove_prefix(colon + 1);
    }
    return plain(text) && parts <= 3;
}

// Three times what is expected, and ten minutes: Slurm ends what takes longer, and the same command resumes it.
std::string time_for(double seconds) {
    const auto minutes = static_cast<std::uint64_t>(std::ceil(3 * seconds / 60)) + 10;
    return fmt::format("{}:{:02}:00", minutes / 60, minutes % 60);
}

void check(const SlurmOptions& options) {
    if (options.nodes.empty()) throw UsageError("--nodes is required: how many machines of the cluster");
    if (!options.time.empty() && !is_time(options.time))
        throw UsageError(fmt::format(
            "--time: '{}' is not a time of Slurm's, such as 90 (minutes), 1:30:00 or 2-12:00:00", options.time));
    if (!is_word(options.partition))
        throw UsageError(fmt::format("--partition: '{}' is not the name of a partition", options.partition));
    if (!options.mpi.empty()) {
        if (std::find(mpi_kinds.begin(), mpi_kinds.end(), options.mpi) == mpi_kinds.end())
            throw UsageError(fmt::format("--mpi: '{}' is not one of {}", options.mpi, fmt::join(mpi_kinds, ", ")));
        if (!has_mpi()) throw UsageError("--mpi: this program was built without MPI; leave it out for shards");
    }
    if (options.mpi.empty() && !options.tasks_per_node.empty() && options.cpus_per_task.empty())
        throw UsageError("--tasks-per-node needs --cpus-per-task where there is no --mpi: a shard gets a whole node");
}

Job make_job(const SlurmOptions& options) {
    check(options);
    Job job{.request = make_request(options.run, 1),
            .nodes = count_option("nodes", options.nodes, 1, 10'000),
            .tasks_per_node = given_count("tasks-per-node", options.tasks_per_node, 1024).value_or(1),
            .cpus_per_task = given_count("cpus-per-task", options.cpus_per_task, 1024),
            .time = options.time,
            .partition = options.partition,
            .mpi = options.mpi,
            .seconds = {},
            .program = program_file().string(),
            .study = {},
            .results = {},
            .changes = {}};
    job.study = absolute(job.request.file.string());
    if (!options.run.reading.empty()) job.changes += " --reading " + quoted(options.run.reading);
    if (job.request.instances) job.changes += fmt::format(" --instances {}", *job.request.instances);
    if (job.request.runs) job.changes += fmt::format(" --runs {}", *job.request.runs);
    if (job.tasks() > most_shards)
        throw UsageError(fmt::format("--nodes: {} tasks in all, and there are at most {}", job.tasks(), most_shards));
    job.results = absolute(options.results.empty() ? job.request.directory.string() : options.results);
    const RunRequest& request = job.request;
    job.seconds =
        estimate_work(request.study, nullptr, request.settings, pending_units(request.study, nullptr, request.settings),
                      *request.instruction_set, nullptr, true);
    if (job.time.empty()) {
        const auto workers = static_cast<double>(job.tasks() * job.cpus_per_task.value_or(1));
        job.time = time_for((job.seconds.sweep + job.seconds.recording) / workers);
    }
    return job;
}

std::string directives(const Job& job, std::string_view kind) {
    std::string name;
    for (const char c : job.request.study.name) name += is_word({&c, 1}) ? c : '-';
    std::string text = fmt::format("#SBATCH --job-name={}{}\n#SBATCH --time={}\n", name, kind, job.time);
    if (!job.partition.empty()) text += fmt::format("#SBATCH --partition={}\n", job.partition);
    if (job.cpus_per_task)
        text += fmt::format("#SBATCH --cpus-per-task={}\n", *job.cpus_per_task);
    else
        text += "#SBATCH --exclusive\n";
    return text;
}

std::string variables(const Job& job) {
    return fmt::format("set -eu\nbellwether={}\nstudy={}\nresults={}\nshards={}\n", quoted(job.program),
                       quoted(job.study), quoted(job.results), job.tasks());
}

// Each array task is a shard. The first of them submits the job that waits for all and merges. It has its own values,
// since a site may let no variable through.
std::string script_of_shards(const Job& job) {
    const std::string threads = job.cpus_per_task ? " --threads \"$SLURM_CPUS_PER_TASK\"" : "";
    std::string text = "#!/bin/bash\n" + directives(job, "") + "#SBATCH --ntasks=1\n";
    text += fmt::format("#SBATCH --array=1-{}\n{}\n", job.tasks(), variables(job));
    text += "if [ \"$SLURM_ARRAY_TASK_ID\" = 1 ]; then\n";
    text += "    sbatch --dependency=\"afterok:$SLURM_ARRAY_JOB_ID\" --kill-on-invalid-dep=yes <<'END'\n";
    text += "#!/bin/bash\n" + directives(job, "-merge") + "#SBATCH --ntasks=1\n" + variables(job);
    text += fmt::format("\"$bellwether\" merge \"$results\" \"$results\"/shards/*-of-\"$shards\" --quiet{}\n", threads);
    text += "\"$bellwether\" report \"$results\" --quiet\nEND\nfi\n";
    text += fmt::format(
        "exec \"$bellwether\" run \"$study\" --quiet --shard \"$SLURM_ARRAY_TASK_ID/$shards\" \\\n"
        "    --out \"$results/shards/$SLURM_ARRAY_TASK_ID-of-$shards\"{}{}\n",
        job.changes, threads);
    return text;
}

std::string script_of_ranks(const Job& job) {
    const std::string launcher =
        job.mpi == "mpirun" ? "mpirun" : fmt::format("srun --mpi={} --kill-on-bad-exit=1", job.mpi);
    std::string text = "#!/bin/bash\n" + directives(job, "");
    text += fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n", job.nodes, job.tasks_per_node);
    text += fmt::format("set -eu\nbellwether={}\nstudy={}\nresults={}\n\n", quoted(job.program), quoted(job.study),
                        quoted(job.results));
    if (job.cpus_per_task) text += "export SRUN_CPUS_PER_TASK=\"$SLURM_CPUS_PER_TASK\"\n";
    text += fmt::format("{} \"$bellwether\" run \"$study\" --quiet --out \"$results\"{}{}\n", launcher, job.changes,
                        job.cpus_per_task ? " --threads \"$SLURM_CPUS_PER_TASK\"" : "");
    text += "\"$bellwether\" report \"$results\" --quiet\n";
    return text;
}

void run_slurm(const SlurmOptions& options) {
    const Job job = make_job(options);
    OutputFile out(options.out);
    out.write(job.mpi.empty() ? script_of_shards(job) : script_of_ranks(job));
    out.commit();
    const double hours = (job.seconds.sweep + job.seconds.recording) / 3600;
    fmt::print(stderr, "bellwether slurm: about {:.3g} core hours, by the speed of this machine; {}; submit with: {}\n",
               hours,
               job.mpi.empty() ? counted(job.tasks(), "shard")
                               : fmt::format("{} process{} of MPI", job.tasks(), job.tasks() == 1 ? "" : "es"),
               options.out == "-" ? "sbatch FILE" : "sbatch " + options.out);
}

}  // namespace

void add_slurm(Command& program, int&) {
    const auto options = std::make_shared<SlurmOptions>();
    Command* command = program.add_subcommand("slurm", "A batch script that runs a study on a cluster with Slurm");
    command->allow_extras();
    command
        ->add_option("STUDY", options->run.study,
                     "Study file, as in docs/study-file.md, or the name of an installed study")
        ->type_name("FILE")
        ->required();
    command->add_option("--nodes", options->nodes, "How many machines")->type_name("COUNT");
    command->add_option("--tasks-per-node", options->tasks_per_node, "Processes on each of them (default: 1)")
        ->type_name("COUNT");
    command
        ->add_option("--cpus-per-task", options->cpus_per_task,
                     "Cores, and so threads, of each process (default: whole machines)")
        ->type_name("COUNT");
    command->add_option("--time", options->time, "Limit of each job (default: three times the estimate)")
        ->type_name("TIME");
    command->add_option("--partition", options->partition, "Where the jobs run")->type_name("NAME");
    command
        ->add_option("--mpi", options->mpi,
                     "One job with MPI, started by srun (pmix or pmi2) or by mpirun; else shards")
        ->choices({"pmix", "pmi2", "mpirun"})
        ->type_name("KIND");
    command->add_option("--results", options->results, "Where the results go (default: results/ and the study's name)")
        ->type_name("DIR");
    add_reading_option(*command, options->run);
    command->add_option("--instances", options->run.instances, "Instances in place of the study's")->type_name("COUNT");
    command->add_option("--runs", options->run.runs, "Runs of each instance in place of the study's")
        ->type_name("COUNT");
    command->add_option("--out", options->out, "Where the script goes (default: standard output)")->type_name("FILE");
    command->footer(
        "Without --mpi every process computes a shard of the study, and a job that waits for all of them merges\n"
        "them and writes the report. The estimated core hours are printed on standard error.\n"
        "Example: bellwether slurm quick --nodes 8 --out job.sh && sbatch job.sh");
    command->callback([command, options] {
        refuse_extras(*command);
        run_slurm(*options);
    });
}

}  // namespace bellwether
