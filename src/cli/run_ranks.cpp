#include "cli/run_ranks.hpp"

#include <fmt/format.h>

#include <exception>

#include "cli/arguments.hpp"
#include "cluster/launch.hpp"
#include "run/messages.hpp"
#include "run/worker.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"

namespace bellwether {
namespace {

void dismiss_workers(Communicator* ranks) {
    if (!ranks) return;
    ranks->broadcast(encode(Assignment{.is_refused = true}));
    ranks->end();
}

}  // namespace

std::unique_ptr<Communicator> join_launched() {
    const Launch launch = launched();
    if (launch.ranks <= 1) return nullptr;
    if (!has_mpi())
        throw UsageError(
            fmt::format("{} processes were started together, and this program was built without MPI: build it where an "
                        "MPI is installed, or run the study in parts with --shard",
                        launch.ranks));
    if (!launch.has_mpi)
        throw UsageError(
            fmt::format("srun has started {} processes without MPI, which would each run the whole study: use srun "
                        "--mpi=pmix, or run the study in parts with --shard",
                        launch.ranks));
    return join_ranks();
}

void run_as_worker(Communicator& ranks, const RunArguments& arguments) {
    watch_interrupts();
    const Assignment assignment = decode_assignment(ranks.broadcast({}));
    if (assignment.is_refused) return ranks.end();
    WorkerOptions options{.interrupted = [] { return interrupted(); }};
    Study study;
    std::shared_ptr<const Device> device;
    try {
        const InstructionSet& instruction_set = require_instruction_set("--isa", arguments.isa);
        device = device_option(arguments.device, instruction_set);
        options.backend = device ? static_cast<const Backend*>(device.get()) : &instruction_set;
        options.threads = threads_option(arguments.threads, ranks.sharers_of_cores());
        study = study_of(assignment, BELLWETHER_VERSION);
    } catch (const UsageError& error) {
        return fail_worker(ranks, true, error.what());
    } catch (const std::exception& error) {
        return fail_worker(ranks, false, error.what());
    }
    run_worker(study, assignment, ranks, options);
}

void prepare(Communicator* ranks, const std::function<void()>& make) {
    try {
        make();
    } catch (...) {
        dismiss_workers(ranks);
        throw;
    }
}

void assign(Communicator& ranks, const RunRequest& request, std::uint64_t agent_steps_between_writes) {
    ranks.broadcast(encode(Assignment{.is_refused = false,
                                      .version = request.record.version,
                                      .identity = request.record.identity,
                                      .file = request.file.string(),
                                      .text = request.study.text,
                                      .models = request.study.models,
                                      .settings = request.settings,
                                      .instances = request.instances,
                                      .runs = request.runs,
                                      .cut = request.cut,
                                      .agent_steps_between_writes = agent_steps_between_writes}));
}

}  // namespace bellwether
