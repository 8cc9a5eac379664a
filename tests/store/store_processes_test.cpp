// The store among processes: locks, readers beside a writer, processes that are killed, disks that are full.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <random>
#include <thread>
#include <utility>

#include "problems/refusal.hpp"
#include "store_fixture.hpp"

namespace bellwether::test {
namespace {

using StoreProcesses = StoreTest;

// ---- the lock

TEST_F(StoreProcesses, OneProcessWritesAtATime) {
    EXPECT_FALSE(Store::is_locked(directory));
    {
        Store store = Store::create(directory, study());
        EXPECT_TRUE(Store::is_locked(directory));
        EXPECT_EQ(in_child([&] { return refusal([&] { Store::create(directory, study()); }); }),
                  file.string() + ": another process (pid " + std::to_string(::getpid()) +
                      ") is running this study; wait for it or stop it");
        EXPECT_TRUE(Store::is_locked(directory));
        store.write(unit({0, 0, 0}, 1));
    }
    EXPECT_FALSE(Store::is_locked(directory));
    EXPECT_EQ(refusal([&] { Store::create(directory, study()); }), "");
}

TEST_F(StoreProcesses, TheMessageNamesAnotherHost) {
    Store store = Store::create(directory, study());
    write_file(directory / "results.lock", "12 elsewhere\n");
    EXPECT_EQ(refusal([&] { Store::create(directory, study()); }),
              file.string() + ": another process (pid 12 on elsewhere) is running this study; wait for it or stop it");
}

TEST_F(StoreProcesses, ProgramsStartedMeanwhileDoNotInheritTheLock) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    pid_t child = -1;
    {
        Store store = Store::create(directory, study());
        child = ::fork();
        if (child == 0) {
            ::execl("/bin/sleep", "sleep", "60", nullptr);
            ::_exit(1);
        }
        ::close(ends[1]);
        char none = 0;
        EXPECT_EQ(::read(ends[0], &none, 1), 0);  // its end of the pipe is closed: it runs the other program
    }
    EXPECT_FALSE(Store::is_locked(directory));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
}

TEST_F(StoreProcesses, AskingForTheLockDisturbsNobody) {
    std::atomic<bool> stop = false;
    std::thread asks([&] {
        while (!stop) {
            Store::is_locked(directory);
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
    });
    for (int i = 0; i < 20; ++i) EXPECT_EQ(refusal([&] { Store::create(directory, study()); }), "");
    stop = true;
    asks.join();
}

// ---- readers

TEST_F(StoreProcesses, OthersReadWhileOneWrites) {
    Store writer = Store::create(directory, study());
    writer.write(unit({0, 0, 0}, 1));
    const Store reader = Store::open(directory);
    EXPECT_EQ(reader.units().size(), 1u);
    writer.write(unit({0, 1, 0}, 1));
    EXPECT_EQ(reader.units().size(), 2u);
    EXPECT_EQ(reader.summaries(0, 1, 0, 64, 2), unit({0, 1, 0}, 1).summaries);
    EXPECT_EQ(in_child([&] { return std::to_string(Store::open(directory).units().size()); }), "2");
    writer.write(unit({0, 2, 0}, 1));
    EXPECT_EQ(reader.units().size(), 3u);
}

TEST_F(StoreProcesses, AReaderOutlivesWriters) {
    { Store::create(directory, study()).write(unit({0, 0, 0}, 1)); }
    {
        const Store reader = Store::open(directory);
        EXPECT_EQ(reader.units().size(), 1u);
        for (std::uint32_t i = 1; i < 4; ++i) {
            {
                Store writer = Store::create(directory, study());
                writer.write(unit({0, i, 0}, 1));
                EXPECT_EQ(reader.units().size(), i + 1);
            }
            EXPECT_EQ(reader.units().size(), i + 1);
        }
    }
    EXPECT_EQ(Store::open(directory).units().size(), 4u);
    { Store::create(directory, study()); }
    EXPECT_EQ(files(), (std::set<std::string>{"results.db", "results.lock"}));
}

TEST_F(StoreProcesses, ReadingMakesNoFilesAndNeedsNoRights) {
    { Store::create(directory, study()).write(unit({0, 0, 0}, 1)); }
    const auto read = [&] {
        const auto before = files();
        const Store store = Store::open(directory);
        const std::size_t units = store.units().size();
        return std::to_string(units) + (files() == before ? "" : ", and files");
    };
    EXPECT_EQ(in_child(read), "1");
    // The same for a file in WAL mode whose log is gone: a writer was killed while it closed the store.
    for (const bool wal : {false, true}) {
        if (wal) Database(file, Database::Mode::write).execute("PRAGMA journal_mode = WAL");
        EXPECT_EQ(in_child(read), "1");
        fs::permissions(base, fs::perms(0755));
        fs::permissions(directory, fs::perms(0555));
        fs::permissions(file, fs::perms(0444));
        EXPECT_EQ(in_child([&] {
                      give_up_rights();
                      return read();
                  }),
                  "1");
        fs::permissions(directory, fs::perms(0755));
        fs::permissions(file, fs::perms(0644));
    }
}

TEST_F(StoreProcesses, ReadersCannotWrite) {
    { Store::create(directory, study()); }
    Store reader = Store::open(directory);
    EXPECT_EQ(failure([&] { reader.write(unit({0, 0, 0}, 1)); }), file.string() + ": cannot write: it is read-only");
}

// ---- processes that are killed

// Writes number n of an endless sequence: every unit grows by one run each time round.
constexpr std::uint32_t units_in_turn = 16;
UnitResult nth_unit(std::uint64_t n) {
    return unit({0, static_cast<std::uint32_t>(n % units_in_turn), 0}, n / units_in_turn + 1);
}

// How many writes of the sequence the store holds; every unit must be whole.
std::uint64_t count_writes(const Store& store) {
    std::uint64_t writes = 0;
    for (const auto& [key, runs] : store.units()) {
        EXPECT_EQ(store.summaries(0, key.instance, 0, 64, 2), unit(key, runs).summaries);
        writes += runs;
    }
    std::map<UnitKey, std::uint64_t> expected;
    for (std::uint64_t n = writes > units_in_turn ? writes - units_in_turn : 0; n < writes; ++n)
        expected[nth_unit(n).key] = nth_unit(n).runs;
    for (const auto& [key, runs] : store.units()) EXPECT_EQ(expected[key], runs);
    return writes;
}

[[noreturn]] void write_until_killed(const fs::path& directory, int acknowledge) {
    Store store = Store::create(directory, study());
    for (std::uint64_t n = count_writes(store);; ++n) {
        store.write(nth_unit(n));
        const std::uint64_t done = n + 1;
        if (::write(acknowledge, &done, sizeof done) != sizeof done) ::_exit(1);
    }
}

// The last acknowledgement of a process that is killed after a while.
std::uint64_t write_and_be_killed(const fs::path& directory, std::chrono::microseconds after) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = ::fork();
    if (child == 0) write_until_killed(directory, ends[1]);
    ::close(ends[1]);
    std::this_thread::sleep_for(after);
    ::kill(child, SIGKILL);
    std::uint64_t acknowledged = 0, next = 0;
    while (::read(ends[0], &next, sizeof next) == sizeof next) acknowledged = next;
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child process ended before it was killed, with status " << status;
    return acknowledged;
}

// While it opens or closes the store a writer uses SQLite's other journal, which only a writer can play back.
TEST_F(StoreProcesses, AReaderRepairsWhatAKilledProcessLeft) {
    { Store::create(directory, study()).write(unit({0, 0, 0}, 1)); }
    const pid_t child = ::fork();
    if (child == 0) {
        Database database(file, Database::Mode::write);
        database.execute("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM blocks; DELETE FROM units;");
        for (int i = 0; i < 100; ++i) database.execute("INSERT INTO notes VALUES (random(), hex(zeroblob(2000)))");
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    ASSERT_TRUE(fs::exists(file.string() + "-journal"));
    Store reader = Store::open(directory);
    EXPECT_EQ(reader.summaries(0, 0, 0, 64, 2), unit({0, 0, 0}, 1).summaries);
    EXPECT_EQ(reader.units().size(), 1u);
    EXPECT_TRUE(reader.notes().empty());
    EXPECT_EQ(failure([&] { reader.note("a", "b"); }), file.string() + ": cannot write: it is read-only");
}

TEST_F(StoreProcesses, AKilledProcessLosesNothingItHasStored) {
    std::mt19937 random(7);
    std::uint64_t acknowledged = 0;
    // As many rounds as a busy machine needs to have stored something before it is killed, each with more time.
    for (int round = 0; round < 60 || acknowledged <= 100; ++round) {
        // The early ones hit a store that is being made or opened.
        const std::chrono::microseconds after(random() % (round < 20 ? 5000 : 40000 * (1 + round / 60)));
        acknowledged = std::max(acknowledged, write_and_be_killed(directory, after));
        EXPECT_FALSE(Store::is_locked(directory));
        if (!fs::exists(file)) continue;
        // Read beside the log that was left behind in some rounds, and after it was tidied up in others.
        if (round % 2 == 0) Store::create(directory, study());
        const std::uint64_t writes = count_writes(Store::open(directory));
        EXPECT_GE(writes, acknowledged) << "round " << round;
    }
}

// ---- disks that are full

constexpr const char* io_error =
    ": disk I/O error; the disk or a quota may be full; nothing stored before is lost, and the same command resumes";

TEST_F(StoreProcesses, AFullDiskLosesNothingThatWasStored) {
    // No file may grow beyond a limit: a disk that is full, as far as a program can tell.
    EXPECT_EQ(in_child([&]() -> std::string {
                  std::signal(SIGXFSZ, SIG_IGN);
                  Store store = Store::create(directory, study());
                  rlimit limit{};
                  ::getrlimit(RLIMIT_FSIZE, &limit);
                  const rlim_t before = std::exchange(limit.rlim_cur, 400'000);
                  ::setrlimit(RLIMIT_FSIZE, &limit);
                  std::uint64_t n = 0;
                  std::string message;
                  for (; message.empty(); ++n) message = failure([&] { store.write(nth_unit(n)); });
                  if (count_writes(store) != n - 1) return "lost in this process";
                  if (count_writes(Store::open(directory)) != n - 1) return "lost for others";
                  if (failure([&] { store.write(nth_unit(n - 1)); }).empty()) return "the disk is not full";
                  limit.rlim_cur = before;
                  ::setrlimit(RLIMIT_FSIZE, &limit);
                  store.write(nth_unit(n - 1));
                  if (count_writes(store) != n) return "cannot go on";
                  return message;
              }),
              file.string() + io_error);
    EXPECT_GT(count_writes(Store::open(directory)), 5u);
}

TEST_F(StoreProcesses, AStoreThatDoesNotFitIsNotMade) {
    const std::string message = in_child([&]() -> std::string {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        ::getrlimit(RLIMIT_FSIZE, &limit);
        limit.rlim_cur = 5'000;
        ::setrlimit(RLIMIT_FSIZE, &limit);
        return failure([&] { Store::create(directory, study()); });
    });
    EXPECT_EQ(message, file.string() + io_error);
    EXPECT_FALSE(fs::exists(file));
    EXPECT_EQ(refusal([&] { Store::create(directory, study()); }), "");
}

TEST_F(StoreProcesses, SqlitesOwnWordForAFullDisk) {
    Database database(base / "small.db", Database::Mode::create);
    database.execute("PRAGMA max_page_count = 4; CREATE TABLE t (x); CREATE TABLE u (x);");
    EXPECT_EQ(failure([&] { database.execute("INSERT INTO t VALUES (zeroblob(20000))"); }),
              (base / "small.db").string() +
                  ": cannot write: the disk is full; nothing stored before is lost, and the same command resumes");
}

}  // namespace
}  // namespace bellwether::test
