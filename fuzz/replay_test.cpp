// The corpus of the fuzzers, seeds and finds, through the same targets: none of it may do again what it was kept for.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "files.hpp"
#include "harness.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

// By its name: the bytes of a target are other ones in every run.
class FuzzCorpus : public testing::TestWithParam<std::string_view> {};

std::vector<std::string_view> names_of_targets() {
    std::vector<std::string_view> names;
    for (const fuzz::Target& target : fuzz::targets()) names.push_back(target.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus, testing::ValuesIn(names_of_targets()),
                         [](const auto& target) { return std::string(target.param); });

TEST_P(FuzzCorpus, IsReadOrRefused) {
    const fs::path folder = fs::path(BELLWETHER_FUZZ_CORPUS) / GetParam();
    const fuzz::Target& target = *fuzz::find_target(GetParam());
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        SCOPED_TRACE(entry.path().filename());
        const std::string content = content_of(entry.path());
        const fuzz::Bytes bytes(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
        EXPECT_NO_THROW(target.run(bytes));
        EXPECT_NO_THROW(target.run(bytes.first(bytes.size() / 2)));
        ++files;
    }
    EXPECT_GT(files, 0U) << folder;
}

// Every folder of the corpus is one of a target.
TEST(FuzzTargets, HaveTheCorpus) {
    for (const fs::directory_entry& entry : fs::directory_iterator(BELLWETHER_FUZZ_CORPUS))
        EXPECT_NE(fuzz::find_target(entry.path().filename().string()), nullptr) << entry.path();
}

}  // namespace
}  // namespace bellwether::test
