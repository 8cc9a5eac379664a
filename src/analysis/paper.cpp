#include "analysis/paper.hpp"

#include "analysis/claims_file.hpp"
#include "plan/readings.hpp"
#include "support/document.hpp"

namespace bellwether {

namespace fs = std::filesystem;

namespace {

StudyNames names_of(const Study* study) {
    StudyNames names;
    if (!study) return names;
    for (const Setting& setting : study->settings) {
        names.settings.push_back(setting.id);
        for (const ScoredMetric& scored : setting.metrics) names.metrics.push_back(id_of(scored.metric));
    }
    return names;
}

using Names = std::vector<std::string>;
Names readings_of(const PaperTexts& texts) {
    Names ids;
    const auto text = texts.find(std::string(readings_of_folder));
    if (text == texts.end()) return ids;
    const ReadingsFile file(std::string(readings_of_folder), text->second);
    for (const Reading& reading : file.readings()) ids.push_back(reading.id);
    return ids;
}

}  // namespace

Paper parse_paper(const fs::path& folder, const PaperTexts& texts, const Study* study) {
    Paper paper;
    const auto name_of_file = [&](std::string_view file) { return (folder / file).string(); };
    if (const auto text = texts.find(std::string(published_of_folder)); text != texts.end()) {
        const std::string name = name_of_file(published_of_folder);
        paper.published = parse_published(name, text->second, names_of(study));
        paper.numbers = parse_published_numbers(name, text->second, study, study ? readings_of(texts) : Names{});
    }
    if (const auto text = texts.find(std::string(claims_of_folder)); text != texts.end())
        parse_claims(name_of_file(claims_of_folder), text->second, study, paper);
    return paper;
}

Paper read_paper(const fs::path& folder) {
    const PaperTexts texts = read_paper_texts(folder);
    const fs::path file = folder / study_of_folder;
    if (!fs::exists(file)) return parse_paper(folder, texts, nullptr);
    const Study study = read_study(file.string());
    return parse_paper(folder, texts, &study);
}

Published read_published(const fs::path& folder) {
    if (!fs::exists(folder / published_of_folder)) return {};
    const std::string name = (folder / published_of_folder).string();
    return parse_published(name, read_text_file(name), {});
}

Paper stored_paper(const Store& store, const Study& study) {
    if (const PaperTexts texts = store.files(); !texts.empty()) return parse_paper("results.db", texts, nullptr);
    const auto installed = find_installed_paper(study.paper);
    return installed ? read_paper(*installed) : Paper{};
}

}  // namespace bellwether
