// A paper as its folder has it (docs/paper-folder.md): what it claims and recommends, with the checks that decide, and
// the numbers that it publishes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/atlas_rule.hpp"
#include "analysis/checks.hpp"
#include "analysis/published_numbers.hpp"
#include "plan/installed_studies.hpp"
#include "plan/study.hpp"
#include "runtime/published.hpp"
#include "store/store.hpp"

namespace bellwether {

struct PaperClaimPart {
    std::string id;
    std::string statement;  // what the paper says
    std::string rule;       // what decides, in words
    std::vector<Check> checks;
};

struct PaperClaim {
    std::string id;
    std::string statement;
    std::vector<PaperClaimPart> parts;  // one, with the claim's id and statement, where it is not in parts
};

struct PaperRecommendation {
    std::string situation;
    std::string advice;
    std::vector<Check> checks;
    std::vector<AtlasRule> atlas{};  // how it is judged on all evidence; none where it is not
};

struct Paper {
    std::vector<PaperClaim> claims{};
    std::vector<PaperRecommendation> recommendations{};
    Published published{};
    std::vector<PublishedNumber> numbers{};  // of its results
};

// From the texts of its files. `folder` stands for where they are in errors: UsageError names the file, line and column
// of what is wrong, and the nearest valid name. Where the study is given, settings, metrics and algorithms must be
// among its own.
Paper parse_paper(const std::filesystem::path& folder, const PaperTexts& texts, const Study* study);

// From its folder, held against the study that lies there.
Paper read_paper(const std::filesystem::path& folder);

// Its published numbers alone.
Published read_published(const std::filesystem::path& folder);

// The paper of a stored study: as it was when the study was run, or else the installed one that the study names. Empty
// for a study of none.
Paper stored_paper(const Store& store, const Study& study);

}  // namespace bellwether
