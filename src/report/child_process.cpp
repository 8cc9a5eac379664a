#include "report/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <crt_externs.h>
#endif

#include <cerrno>
#include <cstdio>
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

std::string system_text(int error) {
    return std::strerror(error);
}

std::string last_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    const std::size_t start = text.find_last_of('\n');
    text = start == std::string::npos ? text : text.substr(start + 1);
    text.erase(0, text.find_first_not_of(" \t"));
    return text;
}

char** variables_of_environment() {
#ifdef __APPLE__
    return *::_NSGetEnviron();  // what is loaded at run time, as the Python module is, sees no `environ` there
#else
    return environ;
#endif
}

// What becomes of the child's standard streams.
class StreamActions {
public:
    StreamActions() : failure_(::posix_spawn_file_actions_init(&actions_)) {}
    StreamActions(const StreamActions&) = delete;
    StreamActions& operator=(const StreamActions&) = delete;
    ~StreamActions() { ::posix_spawn_file_actions_destroy(&actions_); }

    void set(int stream, const Scratch& file) {
        if (failure_ == 0) failure_ = ::posix_spawn_file_actions_adddup2(&actions_, file.descriptor(), stream);
    }
    int failure() const { return failure_; }  // an error of the system, of memory above all; 0 for none
    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
    int failure_;
};

// The exit status of the child as waitpid gives it; -1 where it could not be started, and errno says why.
int wait_for(std::vector<std::string>& words, const Scratch& input, const Scratch& output, const Scratch& errors) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    StreamActions streams;
    streams.set(STDIN_FILENO, input);
    streams.set(STDOUT_FILENO, output);
    streams.set(STDERR_FILENO, errors);
    pid_t child = 0;
    int failure = streams.failure();
    if (failure == 0)
        failure =
            ::posix_spawnp(&child, arguments[0], streams.get(), nullptr, arguments.data(), variables_of_environment());
    if (failure != 0) {
        errno = failure;
        return -1;
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;
    return status;
}

}  // namespace

ChildProcess run_child(std::vector<std::string> words, const std::string& text) {
    const std::string program = words.front();
    Scratch input, output, errors;
    if (!input || !output || !errors || !input.fill(text))
        return {{}, fmt::format("no temporary file for {}: {}", program, system_text(errno))};
    const int status = wait_for(words, input, output, errors);
    // Where spawning does not tell that a program is missing, the child exits with 127.
    if (status == -1 || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
        return {{}, fmt::format("cannot run {}: {}", program, system_text(status == -1 ? errno : ENOENT)), true};
    if (!WIFEXITED(status)) return {{}, fmt::format("{} was ended by signal {}", program, WTERMSIG(status))};
    ChildProcess child{output.content()};
    if (WEXITSTATUS(status) != 0) {
        const std::string said = last_line(errors.content());
        child.problem = fmt::format("{} failed: {}", program, said.empty() ? "it has said nothing" : said);
    }
    return child;
}

}  // namespace bellwether
