// The includes of src/ are those that the table in docs/architecture.md allows, no more and no fewer.
#include <gtest/gtest.h>

#include "files.hpp"
#include "rooms.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

const fs::path source = BELLWETHER_SOURCE;

std::vector<Room> table() {
    return read_table(content_of(source / "docs/architecture.md"));
}

std::vector<Room> rooms() {
    std::vector<Room> all{read_room("core", source / "include/bellwether")};
    for (const fs::directory_entry& entry : fs::directory_iterator(source / "src"))
        if (entry.is_directory()) all.push_back(read_room(entry.path().filename().string(), entry.path()));
    return all;
}

std::string joined(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems) text += problem + "\n";
    return text;
}

TEST(Architecture, IsWhatItsTableSays) {
    ASSERT_GE(table().size(), 10U);
    EXPECT_EQ(joined(compare(table(), rooms())), "");
}

// What a room may include is what it finds: the lists that CMake makes the include paths from are the table's.
TEST(Architecture, IsWhatCMakeBuilds) {
    for (const Room& row : table()) {
        if (row.name == "core") continue;
        std::set<std::string> allowed;
        for (const auto& [used, place] : row.rooms)
            if (used != "core") allowed.insert(used);
        EXPECT_EQ(read_cmake_lists(content_of(source / "src" / row.name / "CMakeLists.txt")), allowed) << row.name;
    }
}

// The time of day may jump; nothing asks for it. What is timed is timed by a clock that only goes on.
TEST(Architecture, NothingReadsTheTimeOfDay) {
    for (const char* folder : {"include", "src", "python/src"})
        for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
            if (!entry.is_regular_file()) continue;
            const std::string text = content_of(entry.path());
            for (const char* clock :
                 {"system_clock", "high_resolution_clock", "gettimeofday", "std::time(", "CLOCK_REALTIME"})
                EXPECT_EQ(text.find(clock), std::string::npos) << entry.path() << ": " << clock;
        }
}

// ---- That the comparison sees what it is for.

Room including(const std::string& name, const std::string& text) {
    Room room{.name = name};
    read_includes(text, name + "/file.cpp", room);
    return room;
}

const std::string small_table =
    "| room | what lives there | may use | libraries |\n"
    "|---|---|---|---|\n"
    "| `core` | the `Learner` | | |\n"
    "| `store` | results | `core` | `sqlite3` |\n"
    "| `run` | work | `core`, `store` | |\n"
    "\n"
    "| `other` | another table | | |\n";

std::vector<Room> small_tree(const std::string& more_of_store = "", const std::string& more_of_run = "") {
    return {including("core", "#include \"bellwether/pack.hpp\"\n#include <vector>\n"),
            including("store", "#include \"bellwether/info.hpp\"\n#include <sqlite3.h>\n" + more_of_store),
            including("run", "#include \"bellwether/info.hpp\"\n#include \"run/run.hpp\"\n" + more_of_run)};
}

const std::string of_store = "#include \"store/store.hpp\"\n";

TEST(Comparison, IsContentWhereAllIsAsItShouldBe) {
    EXPECT_EQ(joined(compare(read_table(small_table), small_tree("", of_store))), "");
}

TEST(Comparison, SeesAnIncludeThatIsNotAllowed) {
    EXPECT_EQ(joined(compare(read_table(small_table), small_tree("", of_store + "#include <sqlite3.h>\n"))),
              "run/file.cpp:4: run may not use sqlite3\n");
    EXPECT_EQ(joined(compare(read_table(small_table), small_tree("  # include  \"run/run.hpp\"  // why\n", of_store))),
              "store/file.cpp:3: store may not use run\n");
    EXPECT_EQ(joined(compare(read_table(small_table), small_tree("#include <sys/stat.h>\n", of_store))),
              "store/file.cpp:3: store may not use posix\n");
}

TEST(Comparison, SeesAWayAround) {
    EXPECT_EQ(joined(compare(read_table(small_table), small_tree("#include \"../run/run.hpp\"\n", of_store))),
              "store/file.cpp:3: store may not use ..\n");
}

TEST(Comparison, SeesARoomThatIsMissing) {
    std::vector<Room> tree = small_tree("", of_store);
    tree.push_back(including("report", ""));
    EXPECT_EQ(joined(compare(read_table(small_table), tree)), "the room report is not in the table\n");
    tree.pop_back();
    tree.erase(tree.begin());
    EXPECT_EQ(joined(compare(read_table(small_table), tree)), "the table has the room core, which does not exist\n");
}

TEST(Comparison, SeesWhatNobodyUsesAnyMore) {
    EXPECT_EQ(joined(compare(read_table(small_table), small_tree())), "run may use store, and does not any more\n");
}

TEST(Comparison, SeesACycle) {
    std::string table = small_table;
    table.replace(table.find("`core` | `sqlite3`"), 6, "`core`, `run`");
    EXPECT_EQ(joined(compare(read_table(table), small_tree("#include \"run/run.hpp\"\n", of_store))),
              "store may use run, which is not above it in the table\n");
}

TEST(CMakeLists, AreRead) {
    EXPECT_EQ(
        read_cmake_lists("# A room. USES nothing.\nbellwether_room(\n  run\n  SOURCES a.cpp\n  USES plan store\n  SEES "
                         "cluster\n  PRIVATE x::y)\ntarget(run PRIVATE z)\nbellwether_room(b USES support)\n"),
        (std::set<std::string>{"plan", "store", "cluster", "support"}));
}

}  // namespace
}  // namespace bellwether::test
