// Logs as `evaluate` and `tune` read them.
#include "harness.hpp"
#include "logs/log_reader.hpp"
#include "logs/log_writer.hpp"

namespace bellwether::fuzz {
namespace {

void run(Bytes bytes) {
    static MemoryFile file;
    const std::string& path = file.holding(bytes);
    const std::string_view header = text_of(bytes).substr(0, text_of(bytes).find('\n'));
    LogReaderOptions options;
    if (header.find("features") != std::string_view::npos) options.dimension = 7;
    std::optional<Log> log;
    if (const auto problem = refusal([&] { log.emplace(read_log(path, options)); }))
        return must_name_place(*problem, path);
    check_log(*log);
    for (const Segment& segment : log->segments)
        must(segment.first + segment.steps + (segment.ended ? 0 : 1) <= log->rows(), "a segment lies within the log");
    // What is read back of what was written is written in the same way. (A row that closes a segment of no steps is
    // left out.)
    static MemoryPipe pipe;
    static MemoryFile again;
    write_log(*log, pipe.path());
    const std::string once = pipe.taken();
    const Log copy = read_log(again.holding(once), {});
    must(copy.segments.size() == log->segments.size() && copy.steps() == log->steps(), "segments are read back");
    write_log(copy, pipe.path());
    must(pipe.taken() == once, "the log is read back to the bit");
}

const Registration registration({"log", run, Form::table});

}  // namespace
}  // namespace bellwether::fuzz
