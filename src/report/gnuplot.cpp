#include "report/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace bellwether {

namespace {

// A file without a name. Three of them are the child's standard streams: whatever it reads or writes, nobody waits for
// anybody, and nobody is killed for writing to a closed pipe.
class Scratch {
public:
    Scratch() : file_(std::tmpfile(), &std::fclose) {
        if (file_) ::fcntl(descriptor(), F_SETFD, FD_CLOEXEC);
    }

    explicit operator bool() const { return file_ != nullptr; }
    int descriptor() const { return ::fileno(file_.get()); }
    bool fill(const std::string& text) {
        const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
        return written && std::fflush(file_.get()) == 0 && ::lseek(descriptor(), 0, SEEK_SET) == 0;
    }
    std::string content() {
        std::string text;
        std::rewind(file_.get());
        char part[1 << 14];
        while (const std::size_t count = std::fread(part, 1, sizeof part, file_.get())) text.append(part, count);
        return text;
    }

private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

std::string program_name() {
    const char* named = std::getenv("BELLWETHER_GNUPLOT");
    return named && *named ? named : "gnuplot";
}

std::string system_text(int error) {
    return std::strerror(error);
}

// What gnuplot says of an error: the line, a mark below the place, and what is wrong on the last line.
std::string last_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    const std::size_t start = text.find_last_of('\n');
    text = start == std::string::npos ? text : text.substr(start + 1);
    text.erase(0, text.find_first_not_of(" \t"));
    return text;
}

// The exit status of the child as waitpid gives it; -1 where it could not be started, and errno says why.
int run_child(const std::string& program, const std::string& format, const Scratch& script, const Scratch& output,
              const Scratch& errors) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, script.descriptor(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
    // -d: a user's own start-up file does not change the figures. By the name of a file: "-" is read byte by byte.
    std::string words[] = {program, "-d", "-e", fmt::format("format='{}'", format), "/dev/stdin"};
    char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
    pid_t child = 0;
    const int failure = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

// cairo stamps the time of day; figures of the same results are to be the same.
void fix_creation_date(std::string& pdf) {
    constexpr std::string_view key = "/CreationDate (D:", date = "20000101000000";
    const std::size_t place = pdf.find(key);
    if (place == std::string::npos || place + key.size() + date.size() > pdf.size()) return;
    const auto digits = pdf.begin() + static_cast<std::ptrdiff_t>(place + key.size());
    const auto end = digits + static_cast<std::ptrdiff_t>(date.size());
    if (std::all_of(digits, end, [](char c) { return c >= '0' && c <= '9'; }))
        std::copy(date.begin(), date.end(), digits);
}

}  // namespace

std::string gnuplot_text(std::string_view text, bool bold) {
    constexpr std::string_view markup = "\\_^{}@&~";
    std::string quoted = bold ? "'{/:Bold " : "'";
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
            quoted += ' ';
            continue;
        }
        if (c == '\'') quoted += '\'';
        if (markup.find(c) != std::string_view::npos) quoted += '\\';
        quoted += c;
    }
    return quoted + (bold ? "}'" : "'");
}

Picture run_gnuplot(const std::string& script, const std::string& format) {
    const std::string program = program_name();
    Scratch input, output, errors;
    if (!input || !output || !errors || !input.fill(script))
        return {{}, fmt::format("no temporary file for {}: {}", program, system_text(errno))};
    const int status = run_child(program, format, input, output, errors);
    // Where spawning does not tell that a program is missing, the child exits with 127.
    if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return {{},
                fmt::format("cannot run {}: {}; install gnuplot, or name it in BELLWETHER_GNUPLOT", program,
                            system_text(status == -1 ? errno : ENOENT))};
    if (!WIFEXITED(status)) return {{}, fmt::format("{} was ended by signal {}", program, WTERMSIG(status))};
    Picture picture{output.content()};
    if (WEXITSTATUS(status) != 0 || picture.content.empty()) {
        const std::string said = last_line(errors.content());
        return {{}, fmt::format("{} failed: {}", program, said.empty() ? "it has drawn nothing" : said)};
    }
    if (format == "pdf") fix_creation_date(picture.content);
    return picture;
}

}  // namespace bellwether
