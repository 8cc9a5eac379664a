// Studies by name: those that are installed with the program, and what a paper's folder has beside its study
// (docs/paper-folder.md).
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

// Where studies are looked for, the first one first: the folders of BELLWETHER_STUDIES (several with ':' between them),
// the folder beside the program or the Python module, and share/bellwether/studies of where it is installed or built.
std::vector<std::filesystem::path> study_folders();

// quick.toml is "quick", white/study.toml is "white" and white/other.toml is "white/other". Of two with one name the
// first is meant.
struct InstalledStudy {
    std::string name;
    std::filesystem::path file;
};
std::vector<InstalledStudy> installed_studies();  // in the order of their names
// What to say of it: " (BELLWETHER_STUDIES: there is no folder 'x')", and nothing where all of its folders are there.
std::string missing_folders_text();
// Where no study is installed, and what to do about it.
std::string no_studies_text();

// What a list says of a study without reading it whole.
struct StudySummary {
    std::string description;
    std::size_t claims = 0;
};
StudySummary summary_of(const InstalledStudy& study);

// The file that a user means: a file, a paper's folder, or the name of an installed study. UsageError where there is
// none, with the nearest name.
std::string find_study_file(const std::string& wanted);

// ---- What a paper's folder has.

inline constexpr std::string_view study_of_folder = "study.toml";
inline constexpr std::string_view claims_of_folder = "claims.toml";
inline constexpr std::string_view published_of_folder = "published.toml";
inline constexpr std::string_view readings_of_folder = "readings.toml";
inline constexpr std::array paper_files{claims_of_folder, published_of_folder, readings_of_folder};
// What became of the paper in the whole study: kept beside it, and no part of what a store keeps.
inline constexpr std::string_view outcome_of_folder = "outcome.toml";

// The texts of these files, by their names. Empty where there is no paper.
using PaperTexts = std::map<std::string, std::string>;

bool is_paper_folder(const std::filesystem::path& folder);
PaperTexts read_paper_texts(const std::filesystem::path& folder);

// The names of the installed studies that are papers' folders, and one of these folders; none where there is none of
// that name.
std::vector<std::string> installed_papers();
std::optional<std::filesystem::path> find_installed_paper(std::string_view name);
// A paper's folder, or the name of an installed one. UsageError where it is neither.
std::filesystem::path find_paper_folder(const std::string& wanted);

// The folder of the paper that the study in that file reproduces: its own, where it is that folder's study.toml, else
// the installed one of the name that it gives ("" where it gives none).
std::optional<std::filesystem::path> paper_folder_of(const std::filesystem::path& file, std::string_view name);

}  // namespace bellwether
