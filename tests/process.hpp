// A running program.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

namespace bellwether::test {

// Killed where the test gives up on it.
class Process {
public:
    // words: the program, then its arguments.
    Process(std::vector<std::string> words, const std::filesystem::path& out, const std::filesystem::path& err) {
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        const int flags = O_WRONLY | O_CREAT | O_TRUNC;
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), flags, 0644);
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), flags, 0644);
        if (::posix_spawn(&id_, arguments.front(), &files, nullptr, arguments.data(), environ) != 0) id_ = 0;
        posix_spawn_file_actions_destroy(&files);
        EXPECT_NE(id_, 0) << words.front();
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() {
        signal(SIGKILL);
        wait();
    }

    bool running() {
        if (id_ != 0 && ::waitpid(id_, &status_, WNOHANG) == id_) id_ = 0;
        return id_ != 0;
    }
    void signal(int number) const {
        if (id_ != 0) ::kill(id_, number);
    }
    // The status as the system has it.
    int wait() {
        if (id_ != 0) ::waitpid(id_, &status_, 0);
        id_ = 0;
        return status_;
    }

private:
    pid_t id_ = 0;
    int status_ = 0;
};

}  // namespace bellwether::test
