// Results of a study with a model file, read where that file is not any more.
#include <gtest/gtest.h>

#include <stdlib.h>
#include <filesystem>
#include <fstream>
#include <string>

#include "analysis/findings.hpp"
#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "files.hpp"
#include "plan/study_text.hpp"
#include "problems/exact.hpp"
#include "problems/refusal.hpp"
#include "run/every_export.hpp"
#include "run/prepared_study.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

class StoredModel : public testing::Test {
protected:
    StoredModel() {
        fs::create_directories(base / "models");
        std::ofstream(model()) << "states = 2\ndiscount = 0.9\n"
                                  "[[transitions]]\nstate = 0\nnext = 1\nprobability = 1\nreward = 1\n"
                                  "[[transitions]]\nstate = 1\nnext = 0\nprobability = 0.25\nreward = 0.5\n"
                                  "[[transitions]]\nstate = 1\nnext = 1\nprobability = 0.75\n";
        std::ofstream(base / "s.toml") << small_study("model = 'models/m.toml'", "['rmsve', 'mspbe']");
    }

    fs::path model() const { return base / "models/m.toml"; }
    PreparedStudy prepare() const {
        return prepare_study({.file = (base / "s.toml").string(), .directory = (base / "out").string()}, "--setting");
    }
    void run(const PreparedStudy& prepared) const {
        Store store = create_store(prepared);
        RunObserver nobody;
        run_prepared(prepared, store, {.instruction_set = &best_instruction_set()}, nobody);
    }
    // As it was written before stores had the texts of models.
    void run_as_before() const {
        PreparedStudy prepared = prepare();
        prepared.record.models.clear();
        run(prepared);
    }
    std::string exported() const {
        const Store store = Store::open(base / "out");
        return every_export(store, stored_study(store));
    }

    TemporaryFolder folder;
    fs::path base = folder.path();
};

TEST_F(StoredModel, IsNotReadFromItsFile) {
    run(prepare());
    const std::string before = exported();
    fs::rename(model(), base / "moved.toml");
    EXPECT_GT(before.size(), 500U);
    EXPECT_EQ(exported(), before);

    const Store store = Store::open(base / "out");
    const Study study = stored_study(store);
    EXPECT_EQ(study.identity(), store.study().identity);
    EXPECT_TRUE(pending_units(study, &store, all_settings(study)).empty());
    // The error of w_0 is that of the model itself.
    const Findings findings = find_all(store, study);
    ASSERT_EQ(findings.metrics.size(), 2U);
    const FiniteMdp mdp = study.settings[0].problem.make(study.seed, 0, 0);
    const ExactSolution solution(mdp, 0);
    EXPECT_DOUBLE_EQ(findings.metrics[0].initial_error, solution.rmsve(Eigen::VectorXd::Zero(solution.X.cols())));
}

TEST_F(StoredModel, IsNotConfusedByAnotherFileInItsPlace) {
    run(prepare());
    const std::string identity = prepare().study.identity(), before = exported();
    std::ofstream(model()) << "states = 1\ndiscount = 0.5\n"
                              "[[transitions]]\nstate = 0\nnext = 0\nprobability = 1\nreward = 1\n";
    EXPECT_EQ(exported(), before);
    EXPECT_EQ(stored_study(Store::open(base / "out")).identity(), identity);
    EXPECT_NE(refusal([&] { run(prepare()); }).find("holds another study"), std::string::npos);
}

TEST_F(StoredModel, IsFoundFromAnOlderStore) {
    run_as_before();
    const std::string before = exported();
    EXPECT_TRUE(Store::open(base / "out").study().models.empty());
    fs::rename(model(), base / "moved.toml");
    EXPECT_NE(refusal([&] { exported(); }).find("models/m.toml: cannot read"), std::string::npos);
    fs::rename(base / "moved.toml", model());
    EXPECT_EQ(exported(), before);
}

TEST_F(StoredModel, ComesIntoAnOlderStoreWhereItIsResumed) {
    run_as_before();
    const std::string before = exported();
    run(prepare());
    EXPECT_EQ(Store::open(base / "out").study().models.size(), 1U);
    fs::remove(model());
    EXPECT_EQ(exported(), before);
}

}  // namespace
}  // namespace bellwether::test
