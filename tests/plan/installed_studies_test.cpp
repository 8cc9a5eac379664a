// Studies by name, and the folders of papers.
#include "plan/installed_studies.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "plan/study.hpp"
#include "problems/refusal.hpp"
#include "study_text.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

// A folder of studies that is the first to be looked at.
class InstalledStudies : public testing::Test {
protected:
    InstalledStudies() : directory_(fs::path(testing::TempDir()) / ("studies-" + std::to_string(::getpid()))) {
        fs::remove_all(directory_);
        write("mine.toml", "description = 'My own'\n" + small_study("domain = 'baird'", "['rmsve']"));
        write("doe2020/study.toml", "description = 'A paper'\n" + small_study("domain = 'baird'", "['rmsve']"));
        write("doe2020/claims.toml", "[[claims]]\n[[claims]]\n");
        write("doe2020/other.toml", small_study("domain = 'baird'", "['rmsve']"));
        write("doe2020/sizes.toml", "[[sizes]]\nstates = 4\n");  // a list of the paper's, and no study
        write("notes.txt", "no study\n");
        ::setenv("BELLWETHER_STUDIES", directory_.c_str(), 1);
    }
    ~InstalledStudies() override {
        ::unsetenv("BELLWETHER_STUDIES");
        fs::remove_all(directory_);
    }

    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((directory_ / name).parent_path());
        std::ofstream(directory_ / name) << text;
    }
    std::string path(const std::string& name) const { return (directory_ / name).string(); }

    static std::vector<std::string> names() {
        std::vector<std::string> all;
        for (const InstalledStudy& study : installed_studies()) all.push_back(study.name);
        return all;
    }

    fs::path directory_;
};

TEST_F(InstalledStudies, HaveTheNamesOfFilesAndFolders) {
    EXPECT_EQ(names(), (std::vector<std::string>{"doe2020", "doe2020/other", "mine"}));
    EXPECT_EQ(installed_papers(), std::vector<std::string>{"doe2020"});
}

// What cannot be read is listed, so that running it says why.
TEST_F(InstalledStudies, OfAPaperHaveSettings) {
    write("doe2020/broken.toml", "settings = \n");
    EXPECT_EQ(names(), (std::vector<std::string>{"doe2020", "doe2020/broken", "doe2020/other", "mine"}));
}

TEST_F(InstalledStudies, AreSummedUp) {
    const std::vector<InstalledStudy> all = installed_studies();
    EXPECT_EQ(summary_of(all[0]).description, "A paper");
    EXPECT_EQ(summary_of(all[0]).claims, 2U);
    EXPECT_EQ(summary_of(all[1]).claims, 0U);  // the claims are about study.toml
    EXPECT_EQ(summary_of(all[2]).description, "My own");
}

TEST_F(InstalledStudies, AreFoundByName) {
    EXPECT_EQ(find_study_file("mine"), path("mine.toml"));
    EXPECT_EQ(find_study_file("doe2020"), path("doe2020/study.toml"));
    EXPECT_EQ(find_study_file("doe2020/other"), path("doe2020/other.toml"));
}

TEST_F(InstalledStudies, ComeAfterFilesAndFolders) {
    EXPECT_EQ(find_study_file(path("doe2020/other.toml")), path("doe2020/other.toml"));
    EXPECT_EQ(find_study_file(path("doe2020")), path("doe2020/study.toml"));
    const fs::path before = fs::current_path();
    write("here/mine", "");
    fs::current_path(directory_ / "here");
    EXPECT_EQ(find_study_file("mine"), "mine");
    fs::current_path(before);
}

TEST_F(InstalledStudies, OfOneNameAreTheFirst) {
    write("second/mine.toml", "");
    write("second/late.toml", "");
    ::setenv("BELLWETHER_STUDIES", (path("nowhere") + ":" + directory_.string() + ":" + path("second")).c_str(), 1);
    EXPECT_EQ(find_study_file("mine"), path("mine.toml"));
    EXPECT_EQ(find_study_file("late"), path("second/late.toml"));
}

TEST_F(InstalledStudies, OfFoldersThatAreNotThereAreMissed) {
    EXPECT_EQ(missing_folders_text(), "");
    ::setenv("BELLWETHER_STUDIES", (path("nowhere") + ":" + directory_.string()).c_str(), 1);
    const std::string missing = " (BELLWETHER_STUDIES: there is no folder '" + path("nowhere") + "')";
    EXPECT_EQ(missing_folders_text(), missing);
    EXPECT_EQ(refusal([] { find_study_file("deo2020"); }),
              "'deo2020' is neither a study file nor an installed study; did you mean 'doe2020'?" + missing);
    EXPECT_EQ(no_studies_text(),
              "no studies are installed; BELLWETHER_STUDIES names the folders that have some" + missing);
}

TEST_F(InstalledStudies, AreRefusedWithTheNearestName) {
    EXPECT_EQ(refusal([] { find_study_file("deo2020"); }),
              "'deo2020' is neither a study file nor an installed study; did you mean 'doe2020'?");
    EXPECT_EQ(refusal([] { find_study_file("elsewhere"); }),
              "'elsewhere' is neither a study file nor an installed study; there are doe2020, doe2020/other, mine");
    EXPECT_EQ(find_study_file("missing.toml"), "missing.toml");  // which cannot be read
    EXPECT_EQ(refusal([] { find_paper_folder("mine"); }),
              "'mine' is neither the folder of a paper nor an installed one; there are doe2020");
}

TEST_F(InstalledStudies, AreNamedByTheirFolders) {
    EXPECT_EQ(read_study(path("doe2020/study.toml")).name, "doe2020");
    EXPECT_EQ(read_study(path("doe2020/other.toml")).name, "other");
}

// ---- papers

TEST_F(InstalledStudies, HaveThePaperOfTheirFolderOrTheOneTheyName) {
    EXPECT_EQ(paper_folder_of(path("doe2020/study.toml"), ""), fs::path(path("doe2020")));
    EXPECT_EQ(paper_folder_of(path("doe2020/other.toml"), ""), std::nullopt);
    EXPECT_EQ(paper_folder_of(path("mine.toml"), "doe2020"), fs::path(path("doe2020")));
    EXPECT_EQ(paper_folder_of(path("mine.toml"), "mine"), std::nullopt);
    EXPECT_EQ(read_paper_texts(path("doe2020")), (PaperTexts{{"claims.toml", "[[claims]]\n[[claims]]\n"}}));
}

TEST_F(InstalledStudies, OfAnUnknownPaperAreRefusedWithLineAndColumn) {
    write("other.toml", "paper = 'deo2020'\n" + small_study("domain = 'baird'", "['rmsve']"));
    EXPECT_EQ(refusal([&] { read_study(path("other.toml")); }),
              path("other.toml") + ":1:9: paper is 'deo2020', an unknown paper; did you mean 'doe2020'?");
    write("other.toml", "paper = 'doe2020'\n" + small_study("domain = 'baird'", "['rmsve']"));
    EXPECT_EQ(read_study(path("other.toml")).paper, "doe2020");
}

}  // namespace
}  // namespace bellwether::test
