// What the readings of a study (docs/readings.md) say of the paper's claims.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "analysis/paper.hpp"
#include "plan/study.hpp"

namespace bellwether {

// One column of the matrix of claims and readings: the study itself, or a reading.
struct JudgedReading {
    std::string id;
    std::string statement;
    std::vector<std::string> settings{};    // that have results of its own; the others have those of the study
    std::string size;                       // of these results
    std::vector<ClaimPart> parts{};         // of all claims, in their order
    std::vector<ComparedNumber> numbers{};  // that the paper publishes and that are of this reading
};

struct JudgedReadings {
    std::vector<JudgedReading> columns{};  // the study itself first; none where there is no reading with results
    std::vector<std::string> left_out{};   // readings without a column, and why, a line each

    // The published numbers of the study and of all these readings, in the order of the paper.
    std::vector<ComparedNumber> numbers_with(std::vector<ComparedNumber> of_study) const;
    // Whether a part of a claim has the same numbers in that column as in the first: the reading does not touch it.
    bool is_untouched(std::size_t column, std::size_t part) const;
};

// The store of a reading lies beside that of its study: results/NAME-READING beside results/NAME.
std::filesystem::path reading_directory(const std::filesystem::path& of_study, std::string_view reading);

// What a report on a study needs of its readings.
struct ReadingsRequest {
    std::filesystem::path directory;      // of the study's store
    std::string study_file;               // the name that the study's text was read under
    std::string text;                     // of the readings file; empty where there is none
    std::function<void()> watch = [] {};  // called now and then; what it throws ends the work
};

// Judges the claims on every reading that has results. A setting that a reading is not about has the results of the
// study. Results of a reading that is not what the file says any more are left out.
JudgedReadings judge_readings(const ReadingsRequest& request, const Paper& paper, const Findings& of_study,
                              const std::vector<Claim>& claims_of_study, const RuntimeTable* runtimes);

}  // namespace bellwether
