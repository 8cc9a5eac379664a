#include "analysis/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "analysis/stored_study.hpp"
#include "plan/readings.hpp"
#include "store/schema.hpp"
#include "store/store.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

namespace fs = std::filesystem;

namespace {

std::vector<ClaimPart> parts_of(const std::vector<Claim>& claims) {
    std::vector<ClaimPart> parts;
    for (const Claim& claim : claims) parts.insert(parts.end(), claim.parts.begin(), claim.parts.end());
    return parts;
}

constexpr const char* study_itself = "study";

// "30 × 10, 1 × 100": instances and runs, as they differ between settings.
std::string size_of(const Findings& findings) {
    std::vector<std::string> sizes;
    for (const MetricFindings& metric : findings.metrics) {
        const std::string size = fmt::format("{} × {}", metric.instances, metric.runs);
        if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    }
    return fmt::format("{}", fmt::join(sizes, ", "));
}

std::vector<std::string> settings_of(const Findings& findings) {
    std::vector<std::string> ids;
    for (const MetricFindings& metric : findings.metrics)
        if (ids.empty() || ids.back() != metric.setting->id) ids.push_back(metric.setting->id);
    return ids;
}

// The settings that are not among the reading's own, as the study has them.
void add_missing(const Findings& of_study, const Study& of_reading, Findings& findings) {
    for (const MetricFindings& metric : of_study.metrics) {
        const auto has = [&](const Setting& setting) { return setting.id == metric.setting->id; };
        if (std::none_of(of_reading.settings.begin(), of_reading.settings.end(), has))
            findings.metrics.push_back(metric);
    }
}

class ReadingJudge {
public:
    ReadingJudge(const ReadingsRequest& request, const Paper& paper, const Findings& of_study,
                 const RuntimeTable* runtimes)
        : request_(request), paper_(paper), of_study_(of_study), runtimes_(runtimes) {}

    // UsageError where its results are not those of the reading.
    JudgedReading judge(const ReadingsFile& file, const Reading& reading) const {
        const fs::path directory = reading_directory(request_.directory, reading.id);
        const Store store = Store::open(directory);
        const Study study = stored_study(store);
        check_is_current(file, reading, directory, store);
        Findings findings = find_all(store, study);
        if (!findings.left_out.empty())
            throw UsageError(fmt::format("{}: setting {} has no results of some configurations yet", directory.string(),
                                         findings.left_out.front()));
        JudgedReading column{.id = reading.id,
                             .statement = reading.statement,
                             .settings = settings_of(findings),
                             .size = size_of(findings)};
        column.numbers = compare_numbers(paper_.numbers, findings);
        std::erase_if(column.numbers, [](const ComparedNumber& number) { return number.reading.empty(); });
        add_missing(of_study_, study, findings);
        column.parts = parts_of(judge_claims(paper_, findings, runtimes_));
        return column;
    }

private:
    void check_is_current(const ReadingsFile& file, const Reading& reading, const fs::path& directory,
                          const Store& store) const {
        const Study wanted = file.apply(reading, request_.study_file, of_study_.study->text);
        const std::string stored = store.study().identity, given = wanted.identity();
        if (stored != given)
            throw UsageError(
                fmt::format("{} holds another reading: {}; run it again into another folder, or remove this one",
                            directory.string(), first_difference(stored, given, "the reading")));
    }

    const ReadingsRequest& request_;
    const Paper& paper_;
    const Findings& of_study_;
    const RuntimeTable* runtimes_;
};

}  // namespace

bool JudgedReadings::is_untouched(std::size_t column, std::size_t part) const {
    return numbers_of(columns[column].parts[part].evidence) == numbers_of(columns.front().parts[part].evidence);
}

std::vector<ComparedNumber> JudgedReadings::numbers_with(std::vector<ComparedNumber> of_study) const {
    for (const JudgedReading& column : columns)
        of_study.insert(of_study.end(), column.numbers.begin(), column.numbers.end());
    std::sort(of_study.begin(), of_study.end(),
              [](const ComparedNumber& one, const ComparedNumber& other) { return one.place < other.place; });
    return of_study;
}

fs::path reading_directory(const fs::path& of_study, std::string_view reading) {
    fs::path whole = fs::absolute(of_study).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();  // "results/NAME/"
    return whole.string() + "-" + std::string(reading);
}

JudgedReadings judge_readings(const ReadingsRequest& request, const Paper& paper, const Findings& of_study,
                              const std::vector<Claim>& claims_of_study, const RuntimeTable* runtimes) {
    JudgedReadings judged;
    if (request.text.empty() || claims_of_study.empty() || of_study.study->reading) return judged;
    const ReadingsFile file(std::string(readings_of_folder), request.text);
    const ReadingJudge judge(request, paper, of_study, runtimes);
    std::vector<const Reading*> with_results;
    std::vector<std::string> missing;
    for (const Reading& reading : file.readings())
        if (fs::exists(reading_directory(request.directory, reading.id) / "results.db"))
            with_results.push_back(&reading);
        else
            missing.push_back(reading.id);

    // Each on a thread of its own; what comes of them has the order of the file.
    std::vector<std::optional<JudgedReading>> columns(with_results.size());
    std::vector<std::string> refusals(with_results.size());
    std::atomic<bool> stop = false;
    parallel_for(
        usable_cores(), with_results.size(), stop,
        [&](std::size_t, std::size_t k) {
            try {
                columns[k] = judge.judge(file, *with_results[k]);
            } catch (const UsageError& error) {
                refusals[k] = fmt::format("reading {}: {}", with_results[k]->id, error.what());
            }
        },
        request.watch);
    for (std::optional<JudgedReading>& column : columns)
        if (column) judged.columns.push_back(std::move(*column));
    for (std::string& refusal : refusals)
        if (!refusal.empty()) judged.left_out.push_back(std::move(refusal));
    if (judged.columns.empty()) return judged;
    if (!missing.empty())
        judged.left_out.push_back(fmt::format("readings that were not run: {}", fmt::join(missing, ", ")));
    judged.columns.insert(judged.columns.begin(), {.id = study_itself,
                                                   .statement = "The study itself.",
                                                   .settings = settings_of(of_study),
                                                   .size = size_of(of_study),
                                                   .parts = parts_of(claims_of_study)});
    return judged;
}

}  // namespace bellwether
