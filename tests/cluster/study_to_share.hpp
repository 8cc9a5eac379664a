// A study of some dozen units and recordings, for tests that have several do it.
#pragma once

#include <gtest/gtest.h>

#include <stdlib.h>
#include <filesystem>
#include <optional>
#include <string>

#include "../run/every_export.hpp"
#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "plan/unit.hpp"
#include "run/run.hpp"

namespace bellwether::test {

inline const std::string text_to_share =
    "name = 'shared'\n"
    "seed = 3\n"
    "[[settings]]\n"
    "id = 'random'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 8 }\n"
    "steps = 50\n"
    "instances = 4\n"
    "runs = 4\n"
    "metrics = ['mave', 'rmspbe']\n"
    "grid = { alpha = { base = 0.1, factor = 2, from = -5, to = 8 }, lambda = [0, 0.5, 0.9, 1], eta = { base = 1, "
    "factor = 2, from = -5, to = 6 } }\n"
    "algorithms = ['td0', 'gtd', 'to-etd']\n"
    "[[settings]]\n"
    "id = 'collision'\n"
    "domain = 'collision'\n"
    "steps = 40\n"
    "instances = 2\n"
    "runs = 4\n"
    "fresh-runs = 3\n"
    "metrics = { rmsve = 4, mspbe = 2 }\n"
    "grid = { alpha = [0.05, 0.5], lambda = [0, 0.9] }\n"
    "algorithms = ['off-policy-td']\n";

class SharedStudyTest : public testing::Test {
protected:
    SharedStudyTest() : study(parse_study("s.toml", text_to_share)) {
        std::string name = (std::filesystem::temp_directory_path() / "bellwether-cluster.XXXXXX").string();
        base = ::mkdtemp(name.data());
    }
    ~SharedStudyTest() override {
        std::error_code ignored;
        std::filesystem::remove_all(base, ignored);
    }

    RunOptions options(std::size_t threads = 1) const {
        return {.threads = threads, .kernel = lane_targets().front().run, .settings = {0, 1}};
    }
    Store make_store(const std::string& name) const {
        Store store = Store::create(base / name, {"shared", text_to_share, study.identity(), "0"});
        store.set_extents(extents_of(study));
        return store;
    }
    RunReport run(Store& store, const RunOptions& how) const {
        RunObserver nobody;
        return run_study(study, store, how, nobody);
    }
    std::string all_of(const Store& store) const { return every_export(store, study); }
    std::string expected() const {
        Store store = make_store("expected");
        run(store, options());
        return all_of(store);
    }

    Study study;
    std::filesystem::path base;
};

}  // namespace bellwether::test
