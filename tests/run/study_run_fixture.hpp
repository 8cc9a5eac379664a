// A study that is run into stores of its own.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pending_units.hpp"
#include "analysis/stored_study.hpp"
#include "engine/backend.hpp"
#include "files.hpp"
#include "run/every_export.hpp"
#include "run/run.hpp"

namespace bellwether::test {

class StudyRunTest : public testing::Test {
protected:
    explicit StudyRunTest(const std::string& study_text) : text(study_text), study(parse_study("s.toml", text)) {}

    RunOptions options(std::size_t threads = 1) const {
        std::vector<std::size_t> settings(study.settings.size());
        std::iota(settings.begin(), settings.end(), std::size_t{0});
        return {.threads = threads, .backend = &best_instruction_set(), .settings = settings};
    }
    Store make_store(const std::string& name) const {
        Store store = Store::create(base() / name, {"test", text, study.identity(), "0"});
        store.set_extents(extents_of(study));
        return store;
    }
    RunReport run_sized(Store& store, std::optional<std::size_t> instances, std::optional<std::size_t> runs,
                        const RunOptions& how) const {
        Study sized = study;
        for (Setting& setting : sized.settings) setting.resize(instances, runs);
        RunObserver nobody;
        return run_study(sized, store, how, nobody);
    }
    RunReport run(Store& store, const RunOptions& how) const { return run_sized(store, {}, {}, how); }

    std::string all_of(const Store& store) const { return every_export(store, study); }
    std::string expected() const {
        Store store = make_store("expected");
        run(store, options());
        return all_of(store);
    }

    const std::filesystem::path& base() const { return folder_.path(); }

    std::string text;
    Study study;

private:
    TemporaryFolder folder_;
};

}  // namespace bellwether::test
