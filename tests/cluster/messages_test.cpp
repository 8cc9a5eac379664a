// What one process encodes another one decodes, bit for bit; and how much is handed out at once.
#include "run/messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "cluster/launch.hpp"
#include "plan/stored_scores.hpp"
#include "run/task_check.hpp"
#include "study_to_share.hpp"
#include "support/error.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

UnitResult some_result() {
    return {{1, 2, 512}, 2, 7, {{7, 1, 2, 0.1, 1e-310}, {7, 7, 7, 0, -0.0}, {3, 0, 0, infinity, std::nan("")}, {}}};
}

std::uint64_t bits(double value) {
    return std::bit_cast<std::uint64_t>(value);
}

TEST(Messages, KeepUnitResults) {
    const MessageToCoordinator message =
        decode_message_to_coordinator(encode(MessageToCoordinator{99, Delivery{{some_result(), 1, true, 123}}}));
    EXPECT_EQ(message.agent_steps, 99U);
    const TaskOutcome& outcome = std::get<Delivery>(message.event).outcome;
    EXPECT_TRUE(outcome.done);
    EXPECT_EQ(outcome.nanoseconds, 123U);
    const auto& result = std::get<UnitResult>(outcome.result);
    EXPECT_EQ(result.key, some_result().key);
    EXPECT_EQ(result.runs, 7U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(result.summaries[i].worse, some_result().summaries[i].worse);
        EXPECT_EQ(bits(result.summaries[i].mean), bits(some_result().summaries[i].mean));
        EXPECT_EQ(bits(result.summaries[i].m2), bits(some_result().summaries[i].m2));
    }
}

TEST(Messages, KeepTasks) {
    const Unit unit{1, 2, 3, 512, 1024, 2};
    const PlannedRecording planned{{1, 0, 3, 700, Stage::fresh}, 2, 188, 50};
    const Recording recording{3, {1, 0.5}, {0, infinity}, {0.1, 0.2, 0.3}};
    NewTasks given;
    given.tasks.emplace_back(UnitTask{unit, {}});
    given.tasks.emplace_back(UnitTask{unit, some_result()});
    given.tasks.emplace_back(RecordingTask{planned, {}});
    given.tasks.emplace_back(RecordingTask{planned, recording});
    const MessageToWorker message = decode_message_to_worker(encode(MessageToWorker(given)));
    const std::vector<Task>& tasks = std::get<NewTasks>(message).tasks;
    ASSERT_EQ(tasks.size(), 4U);
    EXPECT_FALSE(std::get<UnitTask>(tasks[0]).so_far.has_value());
    EXPECT_EQ(std::get<UnitTask>(tasks[0]).unit.first_configuration, 1024U);
    EXPECT_EQ(std::get<UnitTask>(tasks[1]).so_far.value().runs, 7U);
    EXPECT_FALSE(std::get<RecordingTask>(tasks[2]).so_far);
    EXPECT_EQ(std::get<RecordingTask>(tasks[3]).planned.runs, 50U);
    EXPECT_EQ(*std::get<RecordingTask>(tasks[3]).so_far, recording);
}

TEST(Messages, KeepAssignments) {
    const Study study = parse_study("s.toml", text_to_share);
    Assignment assignment{.version = "1",
                          .identity = study.identity(),
                          .file = "somewhere/s.toml",
                          .text = text_to_share,
                          .models = {{"a.toml", "text of a"}},
                          .settings = {1},
                          .instances = 3,
                          .runs = {},
                          .cut = true,
                          .agent_steps_between_writes = 5};
    const Assignment copy = decode_assignment(encode(assignment));
    EXPECT_EQ(copy.models, assignment.models);
    EXPECT_EQ(copy.settings, assignment.settings);
    EXPECT_EQ(copy.instances, assignment.instances);
    EXPECT_EQ(copy.runs, assignment.runs);
    EXPECT_TRUE(copy.cut);
    EXPECT_EQ(copy.agent_steps_between_writes, 5U);
    EXPECT_EQ(study_of(copy, "1").settings[1].instances, 3U);
    EXPECT_EQ(study_of(copy, "1").settings[0].instances, 4U);
    EXPECT_THROW(study_of(copy, "2"), UsageError);
    assignment.identity += "more";
    EXPECT_THROW(study_of(assignment, "1"), UsageError);
}

TEST(Messages, CutOffAreRefused) {
    const Bytes whole = encode(MessageToCoordinator{99, Delivery{{some_result(), 1, true, 123}}});
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_THROW(decode_message_to_coordinator(std::span(whole).first(length)), WorkError) << length;
}

TEST(Messages, OfNoKindOrWithMoreBehindThemAreRefused) {
    const MessageToWorker tasks{NewTasks{{UnitTask{{0, 0, 0, 0, 0, 2}, {}}}}}, stop{Stop{}}, dismissal{Dismissal{}};
    for (const MessageToWorker& message : {tasks, stop, dismissal}) {
        Bytes whole = encode(message);
        EXPECT_NO_THROW(decode_message_to_worker(whole));
        whole.resize(whole.size() + 8);
        EXPECT_THROW(decode_message_to_worker(whole), WorkError);
    }
    Bytes assignment = encode(Assignment{.version = "1"});
    assignment.push_back(std::byte{0});
    EXPECT_THROW(decode_assignment(assignment), WorkError);
    Bytes event = encode(MessageToCoordinator{0, StillThere{}});
    EXPECT_NO_THROW(decode_message_to_coordinator(event));
    event[8] = std::byte{6};
    EXPECT_THROW(decode_message_to_coordinator(event), WorkError);
    Bytes order = encode(stop);
    order[0] = std::byte{3};
    EXPECT_THROW(decode_message_to_worker(order), WorkError);
}

// What a process does with a task is what the study says: whatever number of it was changed, it is refused, or it is
// another one of the study's.
TEST(Messages, OfOtherTasksThanTheStudysAreRefused) {
    const Study study = parse_study("s.toml", text_to_share);
    const Setting& setting = study.settings[0];
    const std::vector<Unit> units = plan_units(study);
    const auto is_planned = [&](const Unit& unit) {
        return std::any_of(units.begin(), units.end(), [&](const Unit& planned) {
            return std::memcmp(&planned, &unit, sizeof unit) == 0;  // six indices
        });
    };
    const auto unit = std::find_if(units.begin(), units.end(), [](const Unit& u) { return u.first > 0; });
    ASSERT_NE(unit, units.end());
    const UnitResult result{key_of(*unit), unit->count, 1,
                            std::vector<ScoreSummary>(std::size_t{stored_scores(setting)} * unit->count)};
    const std::size_t length = setting.measurements() + 1;
    const PlannedRecording planned{{0, 1, 3, unit->first_configuration, Stage::fresh}, unit->algorithm, unit->first, 4};
    const Recording recording{1, std::vector<double>(length), std::vector<double>(length), {0.5}};

    std::size_t refused = 0, others = 0;
    const auto change_each_number = [&](const Bytes& whole, const auto& take) {
        for (std::size_t at = 0; at + 8 <= std::min<std::size_t>(whole.size(), 176); at += 8)
            for (const std::uint64_t value :
                 {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{513}, std::uint64_t{1} << 31,
                  std::uint64_t{1} << 40, std::uint64_t{1} << 62, UINT64_MAX}) {
                Bytes garbled = whole;
                for (unsigned i = 0; i < 8; ++i) garbled[at + i] = static_cast<std::byte>(value >> (8 * i));
                try {
                    take(garbled);
                    ++others;
                } catch (const WorkError&) {
                    ++refused;
                }
            }
    };
    const auto must_be_of_study = [&](const UnitResult& r) {
        EXPECT_LE(r.configurations, most_configurations_of_unit);
        EXPECT_EQ(r.summaries.size(), std::size_t{stored_scores(study.settings.at(r.key.setting))} * r.configurations);
    };
    const auto take_tasks = [&](const Bytes& bytes) {
        const MessageToWorker message = decode_message_to_worker(bytes);
        const auto* tasks = std::get_if<NewTasks>(&message);
        if (!tasks) return;
        for (const Task& task : tasks->tasks) {
            check(study, task);
            if (const auto* one = std::get_if<UnitTask>(&task)) {
                EXPECT_TRUE(is_planned(one->unit));
                if (one->so_far) must_be_of_study(*one->so_far);
            } else {
                const auto& [what, so_far] = std::get<RecordingTask>(task);
                EXPECT_LT(what.configuration,
                          study.settings.at(what.key.setting).algorithms.at(what.algorithm).configurations());
                EXPECT_LE(what.runs, 4U);
                EXPECT_TRUE(!so_far || so_far->curve_m2.size() == length);
            }
        }
    };
    const auto take_outcome = [&](const Bytes& bytes) {
        const MessageToCoordinator message = decode_message_to_coordinator(bytes);
        const auto* delivery = std::get_if<Delivery>(&message.event);
        if (!delivery) return;
        check(study, delivery->outcome);
        EXPECT_LT(delivery->outcome.setting, study.settings.size());
        if (const auto* one = std::get_if<UnitResult>(&delivery->outcome.result)) must_be_of_study(*one);
    };
    const auto task = [](auto one) { return encode(MessageToWorker(NewTasks{{Task(std::move(one))}})); };
    const auto outcome = [](auto one) {
        return encode(MessageToCoordinator{0, Delivery{{std::move(one), 0, true, 0}}});
    };
    for (const Bytes& whole : {task(UnitTask{*unit, {}}), task(UnitTask{*unit, result}),
                               task(RecordingTask{planned, {}}), task(RecordingTask{planned, recording})}) {
        take_tasks(whole);
        change_each_number(whole, take_tasks);
    }
    for (const Bytes& whole : {outcome(result), outcome(RecordingResult{planned.key, recording})}) {
        take_outcome(whole);
        change_each_number(whole, take_outcome);
    }
    EXPECT_GT(refused, 300U);
    EXPECT_GT(others, 50U);
}

TEST(HandOut, IsLargeWhereTasksAreCheap) {
    const std::vector<double> cheap(10'000, 1e5), dear(10'000, 1e9);
    EXPECT_EQ(tasks_of_message(cheap, {1, 1}, 4), 200U);
    EXPECT_EQ(tasks_of_message(cheap, {2, 0}, 4), 400U);
    EXPECT_EQ(tasks_of_message(dear, {1, 1}, 4), 1U);
    EXPECT_EQ(tasks_of_message(dear, {4, 4}, 4), 4U);
}

TEST(HandOut, IsSmallAtTheEnd) {
    const std::vector<double> cheap(12, 1e5);
    EXPECT_EQ(tasks_of_message(cheap, {1, 1}, 3), 2U);
    EXPECT_EQ(tasks_of_message(cheap, {1, 1}, 100), 1U);
    EXPECT_EQ(tasks_of_message(cheap, {1, 0}, 100), 0U) << "nobody is idle there";
    EXPECT_EQ(tasks_of_message(cheap, {64, 64}, 100), 12U);
    EXPECT_EQ(tasks_of_message({}, {1, 1}, 1), 0U);
}

// What launchers put into the environment, and nothing of this process's own.
class LaunchTest : public testing::Test {
protected:
    LaunchTest() { clear(); }
    ~LaunchTest() override { clear(); }
    static void clear() {
        for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "PMIX_RANK",
                                 "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_PROCID"})
            ::unsetenv(name);
    }
    static void expect(std::size_t rank, std::size_t ranks, bool has_mpi) {
        EXPECT_EQ(launched().rank, rank);
        EXPECT_EQ(launched().ranks, ranks);
        EXPECT_EQ(launched().has_mpi, has_mpi);
    }
};

TEST_F(LaunchTest, IsReadFromTheEnvironment) {
    expect(0, 1, false);
    ::setenv("SLURM_NTASKS", "8", 1);  // a batch script of eight tasks, itself not one of them
    ::setenv("SLURM_PROCID", "0", 1);
    expect(0, 1, false);
    ::setenv("SLURM_STEP_NUM_TASKS", "8", 1);  // srun --mpi=none
    ::setenv("SLURM_PROCID", "3", 1);
    expect(3, 8, false);
    ::setenv("PMIX_RANK", "3", 1);  // srun --mpi=pmix
    expect(3, 8, true);
    clear();
    ::setenv("PMI_RANK", "1", 1);
    ::setenv("PMI_SIZE", "4", 1);
    expect(1, 4, true);
    clear();
    ::setenv("OMPI_COMM_WORLD_RANK", "2", 1);
    ::setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
    expect(2, 3, true);
}

}  // namespace
}  // namespace bellwether::test
