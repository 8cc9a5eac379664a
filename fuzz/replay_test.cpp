// The corpus of the fuzzers, seeds and finds, through the same targets: none of it may do again what it was kept for.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "files.hpp"
#include "harness.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

class FuzzCorpus : public testing::TestWithParam<fuzz::Target> {};

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus, testing::ValuesIn(fuzz::targets().begin(), fuzz::targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

TEST_P(FuzzCorpus, IsReadOrRefused) {
    const fs::path folder = fs::path(BELLWETHER_FUZZ_CORPUS) / GetParam().name;
    std::size_t files = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        SCOPED_TRACE(entry.path().filename());
        const std::string content = content_of(entry.path());
        const fuzz::Bytes bytes(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
        EXPECT_NO_THROW(GetParam().run(bytes));
        EXPECT_NO_THROW(GetParam().run(bytes.first(bytes.size() / 2)));
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
