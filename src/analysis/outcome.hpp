// What became of a paper in a study: verdicts and compared numbers, as a short file. A report writes it beside its
// page; a paper's folder keeps that of the whole study (docs/paper-folder.md); the index of reports is made of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "analysis/published_numbers.hpp"
#include "store/store.hpp"

namespace bellwether {

struct OutcomeClaim {
    std::string id, statement;
    Verdict verdict = Verdict::undecided;
    std::vector<std::pair<std::string, Verdict>> parts{};  // by id; none where it is not in parts
};

struct StudyOutcome {
    std::string study, description;
    std::string program;     // that judged it
    bool is_whole = false;   // or fewer instances or runs than the study has
    double agent_steps = 0;  // of the sweep
    std::vector<OutcomeClaim> claims{};
    std::vector<ComparedNumber> numbers{};

    bool is_empty() const { return claims.empty() && numbers.empty(); }
    std::map<Verdict, std::size_t> verdicts() const;  // how many claims have each
    std::size_t agreements() const;                   // of the numbers
};

StudyOutcome make_outcome(const Store& store, const Findings& findings, const std::vector<Claim>& claims,
                          std::vector<ComparedNumber> numbers, std::string program);

std::string text_of(const StudyOutcome& outcome);
// UsageError names the file, line and column of what is wrong.
StudyOutcome parse_outcome(const std::string& name, const std::string& text);
// What a directory of results or a paper's folder has of it; none where it has nothing.
std::optional<StudyOutcome> read_outcome(const std::filesystem::path& directory);

// "19 held, 2 not held, 2 undecided"
std::string verdicts_text(const StudyOutcome& outcome);

}  // namespace bellwether
