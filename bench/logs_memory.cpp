// How much memory `bellwether evaluate --memory BYTES` takes of a log that does not fit into it.
// bellwether_logs_memory [ROWS] [MEGABYTES] [THREADS]: by default 14,000,000 rows, a CSV of 4.2 GB, and 200 MB; the
// disk needs twice the CSV. The exit status is 1 where it took more.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "logs/evaluation.hpp"
#include "logs/log_reader.hpp"
#include "logs_file.hpp"
#include "temporary_directory.hpp"

namespace bench {
namespace {

using namespace bellwether;

double peak_megabytes() {
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

int run(std::size_t rows, std::size_t megabytes, std::size_t threads) {
    const TemporaryDirectory directory;
    const std::string path = directory.path / "log.csv";
    write_log_file(path, rows, 20, false);
    const double before = peak_megabytes();
    const auto memory = std::make_shared<LogMemory>(megabytes * 1'000'000, directory.path.string());
    evaluate(read_log(path, {.memory = memory}), {.threads = threads});
    const double peak = peak_megabytes();
    fmt::print("| {} rows, a CSV of {:.2f} GB | --memory {}M --threads {} | {:.0f} MB at most, {:.0f} MB before |\n",
               rows, static_cast<double>(std::filesystem::file_size(path)) / 1e9, megabytes, threads, peak, before);
    return peak <= static_cast<double>(megabytes) ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    const auto number = [&](int place, std::size_t otherwise) {
        return argc > place ? static_cast<std::size_t>(std::strtoul(argv[place], nullptr, 10)) : otherwise;
    };
    return bench::run(number(1, 14'000'000), number(2, 200), number(3, 1));
}
