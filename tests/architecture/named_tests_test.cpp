// The tests that a page names as its evidence are there.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "files.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

const fs::path source_tree = BELLWETHER_SOURCE;

// "Suite.Name" of every match whose first two groups are a suite and a name.
std::set<std::string> names_in(const std::string& text, const std::regex& pattern) {
    std::set<std::string> names;
    for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
        names.insert((*match)[1].str() + "." + (*match)[2].str());
    return names;
}

std::set<std::string> tests_there_are() {
    const std::regex declared(R"((?:TEST|TEST_P|TEST_F|RC_GTEST_PROP)\((\w+),\s*(\w+))");
    std::set<std::string> all;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_tree / "tests"))
        if (entry.path().extension() == ".cpp") all.merge(names_in(content_of(entry.path()), declared));
    return all;
}

TEST(Documentation, NamesTestsThatThereAre) {
    const std::set<std::string> there_are = tests_there_are();
    const std::regex named(R"(`([A-Z]\w+)\.([A-Z]\w+)`)");
    for (const char* page : {"docs/theory.md", "docs/errata.md", "docs/since-2016.md", "docs/reliability.md"}) {
        const std::set<std::string> names = names_in(content_of(source_tree / page), named);
        EXPECT_GE(names.size(), 10U) << page;
        for (const std::string& name : names) EXPECT_TRUE(there_are.contains(name)) << page << " names " << name;
    }
}

}  // namespace
}  // namespace bellwether::test
