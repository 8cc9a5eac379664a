// The whole exchange between processes, played by threads of one: sanitizers see through it, and it can be disturbed.
#include <atomic>
#include <csignal>
#include <deque>
#include <latch>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "run/worker.hpp"
#include "study_to_share.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

class Mailboxes {
public:
    explicit Mailboxes(std::size_t ranks) : boxes_(ranks) {}
    std::size_t size() const { return boxes_.size(); }
    void put(std::size_t to, Message message) {
        const std::lock_guard lock(mutex_);
        boxes_[to].push_back(std::move(message));
    }
    std::optional<Message> get(std::size_t rank) {
        const std::lock_guard lock(mutex_);
        if (boxes_[rank].empty()) return std::nullopt;
        Message message = std::move(boxes_[rank].front());
        boxes_[rank].pop_front();
        return message;
    }

private:
    std::mutex mutex_;
    std::vector<std::deque<Message>> boxes_;
};

class LocalRank : public Communicator {
public:
    LocalRank(Mailboxes& boxes, std::size_t rank) : boxes_(boxes), rank_(rank) {}
    std::size_t rank() const override { return rank_; }
    std::size_t ranks() const override { return boxes_.size(); }
    std::size_t sharers_of_cores() const override { return 1; }
    void send(std::size_t to, Bytes content) override {
        count(content.size());
        boxes_.put(to, {rank_, std::move(content)});
    }
    std::optional<Message> receive() override { return boxes_.get(rank_); }
    Bytes broadcast(Bytes content) override { return content; }  // the assignment is known
    void end() override { ended = true; }

    bool ended = false;

private:
    Mailboxes& boxes_;
    std::size_t rank_;
};

class LocalRanksTest : public SharedStudyTest {
protected:
    Assignment assignment() const {
        return {.version = "0",
                .identity = study.identity(),
                .file = "s.toml",
                .text = text_to_share,
                .settings = {0, 1},
                .agent_steps_between_writes = 100'000};
    }
    // The other ranks, each with `threads`; rank 1 is interrupted when `signal` is set.
    RunReport run_with(std::size_t ranks, std::size_t threads, Store& store, const Study& sized, RunOptions how,
                       const std::atomic<int>& signal) {
        Mailboxes boxes(ranks);
        std::vector<std::jthread> others;
        for (std::size_t rank = 1; rank < ranks; ++rank)
            others.emplace_back([&, rank] {
                LocalRank here(boxes, rank);
                WorkerOptions options{.threads = threads, .backend = &best_instruction_set()};
                if (rank == 1) options.interrupted = [&] { return signal.load(); };
                run_worker(sized, assignment(), here, options);
                EXPECT_TRUE(here.ended);
            });
        LocalRank zero(boxes, 0);
        how.ranks = &zero;
        RunObserver nobody;
        const RunReport report = run_study(sized, store, how, nobody);
        EXPECT_TRUE(zero.ended);
        return report;
    }
    RunReport run_with(std::size_t ranks, std::size_t threads, Store& store) {
        const std::atomic<int> no_signal = 0;
        return run_with(ranks, threads, store, study, options(), no_signal);
    }
};

TEST_F(LocalRanksTest, GiveTheSameResults) {
    const std::string alone = expected();
    for (const std::size_t ranks : {2U, 3U, 5U})
        for (const std::size_t threads : {1U, 3U}) {
            Store store = make_store(std::to_string(ranks) + "-" + std::to_string(threads));
            const RunReport report = run_with(ranks, threads, store);
            EXPECT_EQ(report.tasks_done, report.tasks);
            EXPECT_FALSE(report.stopped);
            EXPECT_TRUE(all_of(store) == alone) << ranks << " ranks, " << threads << " threads";
            EXPECT_GT(report.messages, 0U);
        }
}

TEST_F(LocalRanksTest, CountEveryStep) {
    Store alone = make_store("alone"), together = make_store("together");
    EXPECT_EQ(run_with(3, 2, together).agent_steps, run(alone, options()).agent_steps);
}

TEST_F(LocalRanksTest, GrowWhatIsThere) {
    Study smaller = study;
    for (Setting& setting : smaller.settings) setting.resize(2, 1);
    Store store = make_store("grown");
    const std::atomic<int> no_signal = 0;
    run_with(3, 1, store, smaller, options(), no_signal);
    run_with(2, 2, store);
    EXPECT_TRUE(all_of(store) == expected());
}

TEST_F(LocalRanksTest, StopWhereOneIsInterrupted) {
    Study larger = study;
    larger.settings[0].resize(4000, {});
    Store store = make_store("stopped");
    std::atomic<int> signal = 0;
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        signal = SIGTERM;
    });
    const RunReport report = run_with(3, 1, store, larger, options(), signal);
    EXPECT_TRUE(report.stopped);
    EXPECT_EQ(report.signal, SIGTERM);
    EXPECT_LT(report.tasks_done, report.tasks);
    run_with(2, 1, store);
    const auto stored = all_of(store);
    EXPECT_GT(stored.size(), expected().size()) << "it has instances that the smaller study lacks";
}

TEST_F(LocalRanksTest, EndWhereOneFails) {
    Study larger = study;
    larger.settings[0].resize(1000, {});
    Mailboxes boxes(3);
    std::vector<std::jthread> others;
    others.emplace_back([&] {
        LocalRank here(boxes, 1);
        run_worker(larger, assignment(), here, {.threads = 1, .backend = &best_instruction_set()});
    });
    others.emplace_back([&] {
        LocalRank here(boxes, 2);
        fail_worker(here, true, "no such thing here");
        EXPECT_TRUE(here.ended);
    });
    LocalRank zero(boxes, 0);
    RunOptions how = options();
    how.ranks = &zero;
    Store store = make_store("failed");
    RunObserver nobody;
    try {
        run_study(larger, store, how, nobody);
        FAIL() << "it went on";
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "rank 2: no such thing here");
    }
    EXPECT_TRUE(zero.ended);
    EXPECT_LT(store.units().size(), pending_units(larger, nullptr, {0, 1}).size()) << "it did not end at once";
}

// A message that was garbled on its way ends the run in one line, whoever got it.
TEST_F(LocalRanksTest, EndWhereAMessageIsGarbled) {
    Study larger = study;
    larger.settings[0].resize(1000, {});
    const auto run_garbled = [&](const std::string& name, std::size_t to) {
        Mailboxes boxes(2);
        std::jthread other([&] {
            LocalRank here(boxes, 1);
            run_worker(larger, assignment(), here, {.threads = 1, .backend = &best_instruction_set()});
            EXPECT_TRUE(here.ended);
        });
        LocalRank zero(boxes, 0);
        const Unit of_no_setting{7, 0, 0, 0, 0, 2'000'000'000};
        boxes.put(to, to == 0 ? Message{1, encode(MessageToCoordinator{0, WorkRequest{std::uint64_t{1} << 40, 1}})}
                              : Message{0, encode(MessageToWorker(NewTasks{{UnitTask{of_no_setting, {}}}}))});
        RunOptions how = options();
        how.ranks = &zero;
        Store store = make_store(name);
        RunObserver nobody;
        std::string said;
        try {
            run_study(larger, store, how, nobody);
        } catch (const WorkError& error) {
            said = error.what();
        }
        return said;
    };
    EXPECT_EQ(run_garbled("to-worker", 1), "rank 1: a message between processes was garbled");
    EXPECT_EQ(run_garbled("to-coordinator", 0), "a message between processes was garbled");
}

}  // namespace
}  // namespace bellwether::test
