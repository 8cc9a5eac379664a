// bellwether: the program. Exit status: 0 done, 1 the work failed or diverged, 2 the request was wrong, 128 + signal
// interrupted.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bellwether/suggest.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cluster/launch.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/one_line.hpp"

namespace bellwether {
namespace {

// "bellwether learn" once the command is known, for the front of an error line.
std::string speaker(const Command& program) {
    return program.chosen() ? program.name() + " " + program.chosen()->name() : program.name();
}

// Of several processes one speaks, before a launcher that sees another fail ends it.
int fail(const Command& program, int status, const std::string& problem) {
    if (launched().rank > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        return status;
    }
    std::fflush(stdout);
    fmt::print(stderr, "{}: {}\n", speaker(program), one_line(problem));
    return status;
}

// What is wrong with the words before any command was recognised.
void refuse_command(const Command& program) {
    const std::vector<std::string> extras = program.remaining();
    if (!extras.empty() && !extras.front().starts_with("-"))
        throw UsageError(fmt::format("unknown command '{}'{}", extras.front(),
                                     did_you_mean(extras.front(), program.command_names())));
    refuse_extras(program);
    throw UsageError("a command is needed; 'bellwether --help' lists them");
}

// What was printed may still be in memory, and a full disk or a closed pipe is a failure like any other.
void finish_output() {
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw WorkError(fmt::format("standard output: cannot write: {}", std::strerror(errno)));
}

int run(int argc, char** argv) {
    Command program("bellwether",
                    "Linear temporal-difference prediction: learn, online and at linear cost, what a policy is worth.");
    program.set_version_flag("--version", "bellwether " BELLWETHER_VERSION);
    program.set_help_flag("--help,-h", "Print this help and exit");
    program.column_width(34);
    program.allow_extras();
    program.footer(
        "'bellwether COMMAND --help' tells more. Exit status: 0 done, 1 the work failed or diverged,\n"
        "2 the request was wrong, 130 and 143 interrupted.");
    int status = 0;
    add_demo(program, status);
    add_run(program, status);
    add_merge(program, status);
    add_slurm(program, status);
    add_report(program, status);
    add_index(program, status);
    add_atlas(program, status);
    add_export(program, status);
    add_status(program, status);
    add_learn(program, status);
    add_horde(program, status);
    add_evaluate(program, status);
    add_tune(program, status);
    add_solve(program, status);
    add_sample(program, status);
    add_bench(program, status);
    add_list(program, status);
    add_completion(program, status);
    add_manual(program, status);
    try {
        if (program.parse(argc, argv)) {
            if (!program.chosen()) refuse_command(program);
            refuse_extras(program);
        }
        finish_output();
        return status;
    } catch (const UsageError& error) {
        return fail(program, 2, error.what());
    } catch (const WorkError& error) {
        return fail(program, 1, error.what());
    } catch (const std::bad_alloc&) {
        return fail(program, 1, "out of memory");
    } catch (const Interrupted& interrupted) {
        return fail(program, 128 + interrupted.signal, "interrupted");
    } catch (const std::exception& error) {  // of the standard library: no thread could be made, a folder has gone
        return fail(program, 1, error.what());
    }
}

// Memory that runs out where nothing can catch it, as before main begins, is said like elsewhere.
std::terminate_handler usual_end = nullptr;
[[noreturn]] void end() {
    try {
        if (const std::exception_ptr problem = std::current_exception()) std::rethrow_exception(problem);
    } catch (const std::bad_alloc&) {
        constexpr std::string_view line = "bellwether: out of memory\n";
        [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
        ::_exit(1);
    } catch (...) {  // a mistake of the program, which the usual handler shows
    }
    usual_end();
    std::abort();
}
[[gnu::constructor(101)]] void set_end() {
    usual_end = std::set_terminate(end);
}

}  // namespace
}  // namespace bellwether

int main(int argc, char** argv) {
    try {
        return bellwether::run(argc, argv);
    } catch (const std::bad_alloc&) {  // before there was a command, or while its failure was put into words
        std::fputs("bellwether: out of memory\n", stderr);
        return 1;
    }
}
