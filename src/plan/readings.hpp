// Readings of a study: named sets of changes to it, for what a paper leaves open (docs/readings.md). A paper's folder
// lists them in readings.toml.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/study.hpp"
#include "support/document.hpp"

namespace bellwether {

struct Reading {
    std::string id;
    std::string statement;                  // what it reads in another way, in a sentence
    const DocumentNode* changes = nullptr;  // its table in the file
};

class ReadingsFile {
public:
    // UsageError names the file, line and column of what is wrong, and the nearest valid name. What depends on the
    // study is checked when a reading is applied to it.
    ReadingsFile(const std::string& name, const std::string& text);

    std::span<const Reading> readings() const { return readings_; }
    // UsageError with the nearest name where there is none of that id.
    const Reading& require(std::string_view id) const;

    // The study in that file, of that text, as the reading has it: with the settings that the reading is about, and a
    // text of its own. Errors in the reading's changes name the readings file.
    Study apply(const Reading& reading, const std::string& study_file, const std::string& study_text) const;

private:
    Document file_;
    std::vector<Reading> readings_;
};

// The file of the readings of a study: none where the study is not a paper's study.toml with a readings.toml beside it.
std::optional<std::filesystem::path> readings_file_of(const std::filesystem::path& study_file);

// The study in that file as the reading of that id has it; UsageError where the study has no such reading.
Study read_reading(const std::string& study_file, std::string_view id);

}  // namespace bellwether
