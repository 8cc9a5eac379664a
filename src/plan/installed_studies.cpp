#include "plan/installed_studies.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <new>
#include <set>
#include <string_view>

#include "bellwether/suggest.hpp"
#include "support/document.hpp"
#include "support/error.hpp"
#include "support/machine.hpp"

namespace bellwether {

namespace fs = std::filesystem;

namespace {

bool has_ending_of_study(const fs::path& path) {
    return path.extension() == ".toml" || path.extension() == ".json";
}

bool is_paper_file(const fs::path& path) {
    return path.filename() == outcome_of_folder ||
           std::find(paper_files.begin(), paper_files.end(), path.filename().string()) != paper_files.end();
}

// Whether a file beside a paper's study is a study too, or a list of something else. What cannot be read is one:
// running it says why.
bool is_further_study(const fs::path& path) {
    if (!has_ending_of_study(path) || path.filename() == study_of_folder || is_paper_file(path)) return false;
    try {
        return Document(path.string(), read_text_file(path.string()), "the study").root().find("settings") != nullptr;
    } catch (const UsageError&) {
        return true;
    }
}

// Entries in the order of their names; nothing where the folder cannot be read. Not by a directory_iterator: where
// memory runs out, that of libstdc++ ends the program.
std::vector<fs::path> entries_of(const fs::path& folder) {
    std::vector<fs::path> entries;
    errno = 0;
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
    if (!open && errno == ENOMEM) throw std::bad_alloc();
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") entries.push_back(folder / name);
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

void add_folders_near(const fs::path& binary, std::vector<fs::path>& folders) {
    const fs::path place = binary.parent_path();
    folders.push_back(place / "studies");
    folders.push_back((place / ".." / "share" / "bellwether" / "studies").lexically_normal());
}

// The file that holds this code: the Python module, or the program (whose name here is as it was typed).
std::optional<fs::path> module_file() {
    Dl_info info;
    if (::dladdr(reinterpret_cast<const void*>(&study_folders), &info) == 0 || !info.dli_fname) return std::nullopt;
    const fs::path file(info.dli_fname);
    return file.is_absolute() ? std::optional(file) : std::nullopt;
}

void add_studies_of_paper(const fs::path& folder, std::vector<InstalledStudy>& studies) {
    const std::string name = folder.filename().string();
    if (fs::exists(folder / study_of_folder)) studies.push_back({name, folder / study_of_folder});
    for (const fs::path& file : entries_of(folder))
        if (is_further_study(file)) studies.push_back({name + "/" + file.stem().string(), file});
}

std::vector<std::string> names_of_studies() {
    std::vector<std::string> names;
    for (const InstalledStudy& study : installed_studies()) names.push_back(study.name);
    return names;
}

std::string nearest_or_all(std::string_view wanted, const std::vector<std::string>& names) {
    if (names.empty()) return "; " + no_studies_text();
    const std::string nearest = did_you_mean(wanted, names);
    return (nearest.empty() ? fmt::format("; there are {}", fmt::join(names, ", ")) : nearest) + missing_folders_text();
}

// Those of BELLWETHER_STUDIES.
std::vector<fs::path> folders_of_environment() {
    std::vector<fs::path> folders;
    if (const char* given = std::getenv("BELLWETHER_STUDIES")) {
        for (std::string_view rest = given; !rest.empty();) {
            const std::string_view one = rest.substr(0, rest.find(':'));
            if (!one.empty()) folders.emplace_back(one);
            rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        }
    }
    return folders;
}

}  // namespace

std::string missing_folders_text() {
    std::string text;
    std::error_code ignored;
    for (const fs::path& folder : folders_of_environment())
        if (!fs::is_directory(folder, ignored))
            text += fmt::format("{}'{}'", text.empty() ? "" : ", ", folder.string());
    return text.empty() ? "" : fmt::format(" (BELLWETHER_STUDIES: there is no folder {})", text);
}

std::string no_studies_text() {
    return "no studies are installed; BELLWETHER_STUDIES names the folders that have some" + missing_folders_text();
}

std::vector<fs::path> study_folders() {
    std::vector<fs::path> folders = folders_of_environment();
    if (const auto file = module_file()) add_folders_near(*file, folders);
    if (const fs::path program = program_file(); !program.empty()) add_folders_near(program, folders);
    return folders;
}

std::vector<InstalledStudy> installed_studies() {
    std::vector<InstalledStudy> found, studies;
    for (const fs::path& folder : study_folders())
        for (const fs::path& entry : entries_of(folder)) {
            if (fs::is_directory(entry))
                add_studies_of_paper(entry, found);
            else if (has_ending_of_study(entry))
                found.push_back({entry.stem().string(), entry});
        }
    std::set<std::string> names;
    for (InstalledStudy& study : found)
        if (names.insert(study.name).second) studies.push_back(std::move(study));
    std::sort(studies.begin(), studies.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return studies;
}

StudySummary summary_of(const InstalledStudy& study) {
    StudySummary summary;
    const std::string path = study.file.string();
    const Document file(path, read_text_file(path), "the study");
    if (const auto* description = file.root().find("description")) summary.description = file.text(*description);
    const fs::path claims = study.file.parent_path() / claims_of_folder;
    if (study.file.filename() == study_of_folder && fs::exists(claims)) {
        const Document paper(claims.string(), read_text_file(claims.string()), "the claims");
        if (const auto* list = paper.root().find("claims")) summary.claims = paper.list(*list).size();
    }
    return summary;
}

std::string find_study_file(const std::string& wanted) {
    if (fs::is_directory(wanted) && fs::exists(fs::path(wanted) / study_of_folder))
        return (fs::path(wanted) / study_of_folder).string();
    if (fs::exists(wanted) && !fs::is_directory(wanted)) return wanted;
    for (const InstalledStudy& study : installed_studies())
        if (study.name == wanted) return study.file.string();
    // What is written as a file is meant as one, and reading it says why that cannot be done.
    if (has_ending_of_study(wanted) || fs::is_directory(wanted)) return wanted;
    throw UsageError(fmt::format("'{}' is neither a study file nor an installed study{}", wanted,
                                 nearest_or_all(wanted, names_of_studies())));
}

// ---- What a paper's folder has.

bool is_paper_folder(const fs::path& folder) {
    return std::any_of(paper_files.begin(), paper_files.end(),
                       [&](std::string_view name) { return fs::exists(folder / name); });
}

PaperTexts read_paper_texts(const fs::path& folder) {
    PaperTexts texts;
    for (const std::string_view name : paper_files)
        if (fs::exists(folder / name)) texts.emplace(name, read_text_file((folder / name).string()));
    return texts;
}

std::vector<std::string> installed_papers() {
    std::vector<std::string> names;
    for (const InstalledStudy& study : installed_studies())
        if (study.file.filename() == study_of_folder && is_paper_folder(study.file.parent_path()))
            names.push_back(study.name);
    return names;
}

std::optional<fs::path> find_installed_paper(std::string_view name) {
    for (const InstalledStudy& study : installed_studies())
        if (study.name == name && is_paper_folder(study.file.parent_path())) return study.file.parent_path();
    return std::nullopt;
}

fs::path find_paper_folder(const std::string& wanted) {
    if (fs::is_directory(wanted) && is_paper_folder(wanted)) return wanted;
    if (const auto installed = find_installed_paper(wanted)) return *installed;
    throw UsageError(fmt::format("'{}' is neither the folder of a paper nor an installed one{}", wanted,
                                 nearest_or_all(wanted, installed_papers())));
}

std::optional<fs::path> paper_folder_of(const fs::path& file, std::string_view name) {
    if (file.filename() == study_of_folder && is_paper_folder(file.parent_path())) return file.parent_path();
    return name.empty() ? std::nullopt : find_installed_paper(name);
}

}  // namespace bellwether
