// How a stored study finds its paper.
#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "analysis/paper.hpp"
#include "plan/study_text.hpp"
#include "store/store.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

class StoredPaper : public testing::Test {
protected:
    StoredPaper() : directory_(fs::path(testing::TempDir()) / ("stored-paper-" + std::to_string(::getpid()))) {
        fs::remove_all(directory_);
    }
    ~StoredPaper() override {
        ::unsetenv("BELLWETHER_STUDIES");
        fs::remove_all(directory_);
    }

    Store store() const { return Store::create(directory_, {"s", "text", "identity", "1"}); }
    static Study study(const std::string& paper) {
        return study_of(paper + small_study("domain = 'baird'", "['rmsve']"));
    }

    fs::path directory_;
};

TEST_F(StoredPaper, IsNoneForAStudyOfNone) {
    ::setenv("BELLWETHER_STUDIES", BELLWETHER_SOURCE "/studies", 1);
    const Paper paper = stored_paper(store(), study(""));
    EXPECT_TRUE(paper.claims.empty());
    EXPECT_FALSE(paper.published.runtimes);
}

// As in stores that were made before papers were kept in them.
TEST_F(StoredPaper, IsTheInstalledOneThatTheStudyNames) {
    ::setenv("BELLWETHER_STUDIES", BELLWETHER_SOURCE "/studies", 1);
    const Paper paper = stored_paper(store(), study("paper = 'white2016'\n"));
    EXPECT_EQ(paper.claims.size(), 23U);
    EXPECT_EQ(paper.recommendations.size(), 3U);
    ASSERT_TRUE(paper.published.real_time);
}

TEST_F(StoredPaper, IsNoneWhereThePaperIsNotInstalled) {
    EXPECT_TRUE(stored_paper(store(), study("paper = 'doe2020'\n")).claims.empty());
}

TEST_F(StoredPaper, IsWhatTheStoreKeeps) {
    const PaperTexts texts = read_paper_texts(BELLWETHER_SOURCE "/tests/data/small-paper");
    ASSERT_EQ(texts.size(), 2U);
    {
        Store kept = store();
        kept.set_files(texts);
        EXPECT_EQ(kept.files(), texts);
        EXPECT_EQ(kept.study(), (StudyRecord{"s", "text", "identity", "1"}));
    }
    const Store later = Store::open(directory_);
    EXPECT_EQ(later.files(), texts);
    ::setenv("BELLWETHER_STUDIES", BELLWETHER_SOURCE "/studies", 1);
    const Paper paper = stored_paper(later, study("paper = 'white2016'\n"));  // an installed one comes after it
    ASSERT_EQ(paper.claims.size(), 2U);
    EXPECT_EQ(paper.claims[0].id, "traces-pay");
    EXPECT_EQ(paper.published.runtimes->reference, "td");
}

TEST_F(StoredPaper, IsForgottenWithItsFiles) {
    Store kept = store();
    kept.set_files({{"claims.toml", "x"}, {"published.toml", "y"}});
    kept.set_files({{"claims.toml", "z"}});
    EXPECT_EQ(kept.files(), (PaperTexts{{"claims.toml", "z"}}));
    kept.set_files({});
    EXPECT_TRUE(kept.files().empty());
}

}  // namespace
}  // namespace bellwether::test
