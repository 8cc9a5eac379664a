// A directory of its own for each test, and results to put there.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "files.hpp"
#include "store/sqlite.hpp"
#include "store/store.hpp"
#include "support/error.hpp"

namespace bellwether::test {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
protected:
    StoreTest() {
        directory = base / "out";
        file = directory / "results.db";
    }
    ~StoreTest() override {
        fs::permissions(directory, fs::perms::owner_all, ignored);  // so that it can be removed
    }

    std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(directory)) names.insert(entry.path().filename());
        return names;
    }

    TemporaryFolder folder;
    fs::path base = folder.path(), directory, file;

private:
    std::error_code ignored;
};

inline StudyRecord study() {
    return {"small", "name = \"small\"\n", "seed = 1\nsetting a: steps = 500\nsetting a: metric = mave\n", "0.1.0"};
}

// A unit whose every number follows from its key and its runs, so that a mix of two writes shows.
inline UnitResult unit(UnitKey key, std::uint64_t runs, std::uint32_t configurations = 64, std::uint32_t metrics = 2) {
    UnitResult result{key, configurations, runs, {}};
    for (std::uint32_t i = 0; i < metrics * configurations; ++i) {
        const double mean = 1.0 / (1.0 + i + key.first_configuration + 0.1 * static_cast<double>(runs));
        result.summaries.push_back({runs, i % 2, i % 3, mean, mean * mean * 1e-3});
    }
    return result;
}

// The message with which work fails; "" where it does not.
template <class Work>
std::string failure(Work work) {
    try {
        work();
    } catch (const WorkError& error) {
        return error.what();
    }
    return {};
}

inline void write_file(const fs::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

// What work says in a process of its own, which may give up its rights or set itself limits; "threw: ..." where it
// throws.
template <class Work>
std::string in_child(Work work) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        std::string said;
        try {
            said = work();
        } catch (const std::exception& error) {
            said = std::string("threw: ") + error.what();
        }
        const bool whole = ::write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
        ::_exit(whole ? 0 : 1);
    }
    ::close(ends[1]);
    std::string said;
    char buffer[512];
    for (ssize_t n = 0; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        said.append(buffer, static_cast<std::size_t>(n));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the child process ended with status " << status;
    return said;
}

// The superuser may write anywhere; nobody may not.
inline void give_up_rights() {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) throw WorkError("cannot become nobody");
}

}  // namespace bellwether::test
