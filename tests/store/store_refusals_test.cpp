// What the store refuses: other studies, other versions, files that are no stores, places where it cannot be.
#include <gtest/gtest.h>

#include <algorithm>

#include "problems/refusal.hpp"
#include "store_fixture.hpp"

namespace bellwether::test {
namespace {

class StoreRefusals : public StoreTest {
protected:
    std::string create(const StudyRecord& record = study()) {
        return refusal([&] { Store::create(directory, record); });
    }
    std::string open() {
        return refusal([&] { Store::open(directory); });
    }
    // The same refusal for writing and for reading; the file stays what it is.
    std::string both() {
        const std::string before = content_of(file), message = create();
        EXPECT_EQ(open(), message);
        EXPECT_EQ(content_of(file), before);
        return message;
    }
    void execute(const std::string& sql) { Database(file, Database::Mode::create).execute(sql); }
    StudyRecord with_identity(std::string identity) {
        StudyRecord record = study();
        record.identity = std::move(identity);
        return record;
    }
};

// ---- studies

TEST_F(StoreRefusals, AnotherStudyByItsFirstDifference) {
    EXPECT_EQ(create(), "");
    const std::string holds = directory.string() + " holds another study: ", choose = "; choose another --out";
    EXPECT_EQ(create(with_identity("seed = 1\nsetting a: steps = 400\nsetting a: metric = rmsve\n")),
              holds + "it has 'setting a: steps = 500', the file has 'setting a: steps = 400'" + choose);
    EXPECT_EQ(create(with_identity("seed = 1\nsetting a: steps = 500\n")),
              holds + "it has 'setting a: metric = mave', which the file lacks" + choose);
    EXPECT_EQ(create(with_identity(study().identity + "setting b: steps = 1\n")),
              holds + "it lacks 'setting b: steps = 1', which the file has" + choose);
    EXPECT_EQ(create(with_identity("")), holds + "it has 'seed = 1', which the file lacks" + choose);
    EXPECT_EQ(create(), "");
}

TEST_F(StoreRefusals, AnotherVersionOfTheProgramForWritingOnly) {
    EXPECT_EQ(create(), "");
    StudyRecord newer = study();
    newer.version = "99.0.0";
    EXPECT_EQ(create(newer),
              directory.string() +
                  " was made by version 0.1.0, and this is version 99.0.0, whose results may differ; use "
                  "the other one, or choose another --out");
    EXPECT_EQ(Store::open(directory).study(), study());
}

TEST_F(StoreRefusals, NoneForAVersionWithTheSameResults) {
    EXPECT_EQ(create(), "");
    StudyRecord later = study();
    later.version = "0.2.0";
    EXPECT_EQ(create(later), "");
    EXPECT_EQ(Store::open(directory).study(), later);
}

TEST_F(StoreRefusals, NoneForATextThatSaysTheSame) {
    EXPECT_EQ(create(), "");
    StudyRecord edited = study();
    edited.text = "# more runs\nruns = 100\n";
    edited.name = "renamed";
    EXPECT_EQ(create(edited), "");
    EXPECT_EQ(Store::open(directory).study(), edited);
}

// ---- files

TEST_F(StoreRefusals, NoStore) {
    EXPECT_EQ(open(), file.string() + ": no results here");
    EXPECT_FALSE(fs::exists(directory));
    EXPECT_FALSE(Store::is_locked(directory));
    fs::create_directory(directory);
    EXPECT_EQ(open(), file.string() + ": no results here");
    EXPECT_TRUE(files().empty());
}

TEST_F(StoreRefusals, FilesThatAreNoStores) {
    fs::create_directory(directory);
    write_file(file, "");
    EXPECT_EQ(both(), file.string() + ": not a results store: it is empty");
    write_file(file, std::string(5000, 'x'));
    EXPECT_EQ(both(), file.string() + ": not a results store");
    write_file(file, "short");
    EXPECT_EQ(both(), file.string() + ": not a results store");
    fs::remove(file);
    execute("CREATE TABLE addresses (name)");
    EXPECT_EQ(both(), file.string() + ": a database of another program, not a results store");
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_EQ(create(), file.string() + ": not a results store: it is a directory");
    EXPECT_EQ(open(), file.string() + ": not a results store: it is a directory");
}

TEST_F(StoreRefusals, OtherSchemas) {
    EXPECT_EQ(create(), "");
    execute("PRAGMA user_version = 7");
    EXPECT_EQ(both(), file.string() + ": a store of schema 7, and this program knows schemas 1 to 2; use a newer one");
    execute("PRAGMA user_version = 0");
    EXPECT_EQ(both(),
              file.string() + ": a store of schema 0, and this program knows schemas 1 to 2; use the one that made it");
}

// Whoever reads a view runs what somebody else has written: it may never end.
TEST_F(StoreRefusals, ViewsInThePlaceOfTables) {
    EXPECT_EQ(create(), "");
    execute("CREATE VIEW mine AS SELECT 1");
    EXPECT_EQ(open(), "");
    const std::string tampered =
        " is a view, and should be a table; put a copy in its place, or remove it and run the study again";
    execute("PRAGMA user_version = 1");  // whose scores were a table
    EXPECT_EQ(both(), file.string() + ": not as bellwether makes them: 'scores'" + tampered);
    execute("PRAGMA user_version = 2; ALTER TABLE units RENAME TO others; CREATE VIEW units AS SELECT * FROM others");
    EXPECT_EQ(both(), file.string() + ": not as bellwether makes them: 'units'" + tampered);
}

TEST_F(StoreRefusals, DamagedFiles) {
    {
        Store store = Store::create(directory, study());
        for (std::uint32_t i = 0; i < 20; ++i) store.write(unit({0, i, 0}, 3));
    }
    std::string bytes = content_of(file);
    constexpr std::size_t page = 4096;  // the first one, with the tables' names, stays
    std::fill(bytes.begin() + page, bytes.end(), '\xa5');
    write_file(file, bytes);
    const std::string damaged = ": the file is damaged; put a copy in its place, or remove it and run the study again";
    EXPECT_EQ(failure([&] { Store::create(directory, study()); }), file.string() + damaged);
    EXPECT_EQ(failure([&] { Store::open(directory).units(); }), file.string() + damaged);
    fs::resize_file(file, page + 100);
    EXPECT_EQ(failure([&] { Store::open(directory).units(); }), file.string() + damaged);
}

// ---- places

TEST_F(StoreRefusals, APathThroughAFile) {
    write_file(base / "file", "x");
    for (const fs::path& path : {base / "file", base / "file" / "out", base / "file" / "out" / "deeper"}) {
        EXPECT_EQ(refusal([&] { Store::create(path, study()); }),
                  path.string() + ": cannot make the directory: a file is in its way");
        EXPECT_EQ(refusal([&] { Store::open(path); }), (path / "results.db").string() + ": no results here");
    }
}

TEST_F(StoreRefusals, AReadOnlyDirectory) {
    fs::create_directory(directory);
    fs::permissions(base, fs::perms(0755));
    fs::permissions(directory, fs::perms(0555));
    const auto try_in = [&](const fs::path& path) {
        return in_child([&] {
            give_up_rights();
            return failure([&] { Store::create(path, study()); });
        });
    };
    EXPECT_EQ(try_in(directory), (directory / "results.lock").string() + ": cannot write: Permission denied");
    EXPECT_EQ(try_in(directory / "sub"),
              (directory / "sub").string() + ": cannot make the directory: Permission denied");
}

TEST_F(StoreRefusals, WhatMayNotBeRead) {
    EXPECT_EQ(create(), "");
    fs::permissions(base, fs::perms(0755));
    const auto try_to_read = [&] {
        return in_child([&] {
            give_up_rights();
            return failure([&] { Store::open(directory); });
        });
    };
    fs::permissions(file, fs::perms(0));
    EXPECT_EQ(try_to_read(), file.string() + ": cannot open: Permission denied");
    fs::permissions(directory, fs::perms(0));
    EXPECT_EQ(try_to_read(), file.string() + ": cannot open: Permission denied");
}

TEST_F(StoreRefusals, AReadOnlyFileInADirectoryThatIsNot) {
    EXPECT_EQ(create(), "");
    fs::permissions(base, fs::perms(0755));
    fs::permissions(directory, fs::perms(0777));
    fs::permissions(directory / "results.lock", fs::perms(0666));
    fs::permissions(file, fs::perms(0444));
    EXPECT_EQ(in_child([&] {
                  give_up_rights();
                  return failure([&] { Store::create(directory, study()); });
              }),
              file.string() + ": cannot write: the file is read-only");
}

}  // namespace
}  // namespace bellwether::test
