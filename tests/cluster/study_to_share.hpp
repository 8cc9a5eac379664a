// The study that several share, with stores of its own.
#pragma once

#include <gtest/gtest.h>

#include <stdlib.h>
#include <filesystem>
#include <optional>
#include <string>

#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "plan/text_to_share.hpp"
#include "run/every_export.hpp"
#include "run/run.hpp"

namespace bellwether::test {

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
        return {.threads = threads, .backend = &best_instruction_set(), .settings = {0, 1}};
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
