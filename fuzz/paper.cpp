// What lies beside a study in a paper's folder: claims, readings, published numbers, and what became of it.
#include "analysis/claims_file.hpp"
#include "analysis/outcome.hpp"
#include "analysis/published_numbers.hpp"
#include "harness.hpp"
#include "plan/readings.hpp"
#include "small_files.hpp"

namespace bellwether::fuzz {
namespace {

const Study& small() {
    static const Study study = parse_study("study.toml", std::string(small_study));
    return study;
}

void claims(Bytes bytes) {
    const std::string text(text_of(bytes));
    const std::string name = document_name("claims", text);
    for (const Study* study : {static_cast<const Study*>(nullptr), &small()}) {
        Paper paper, again;
        if (const auto problem = refusal([&] { parse_claims(name, text, study, paper); })) {
            must_name_place(*problem, name);
            continue;
        }
        const Document document(name, text, "the claims");
        parse_claims("again.toml", toml_text(document.root()), study, again);
        must(paper.claims.size() == again.claims.size() && paper.recommendations.size() == again.recommendations.size(),
             "the claims are read back");
    }
}

void readings(Bytes bytes) {
    const std::string text(text_of(bytes));
    const std::string name = document_name("readings", text);
    std::optional<ReadingsFile> file;
    if (const auto problem = refusal([&] { file.emplace(name, text); })) return must_name_place(*problem, name);
    for (const Reading& reading : file->readings()) {
        std::optional<Study> study;
        const auto problem = refusal([&] { study = file->apply(reading, "study.toml", std::string(small_study)); });
        if (problem) {
            must_name_place(*problem, problem->starts_with(name) ? name : "study.toml");
            continue;
        }
        must(parse_study("again.toml", study->text).identity() == study->identity(),
             "the study of a reading is what its text says");
    }
}

void published(Bytes bytes) {
    const std::string text(text_of(bytes));
    const std::string name = document_name("published", text);
    if (const auto problem = refusal([&] {
            parse_published(name, text, {});
            parse_published_numbers(name, text, nullptr);
        }))
        must_name_place(*problem, name);
    if (const auto problem = refusal([&] { parse_published_numbers(name, text, &small()); }))
        must_name_place(*problem, name);
}

void outcome(Bytes bytes) {
    const std::string text(text_of(bytes));
    const std::string name = document_name("outcome", text);
    std::optional<StudyOutcome> outcome;
    if (const auto problem = refusal([&] { outcome = parse_outcome(name, text); }))
        return must_name_place(*problem, name);
    const std::string written = bellwether::text_of(*outcome);
    must(bellwether::text_of(parse_outcome("again.toml", written)) == written, "the outcome is read back the same");
}

const Registration registrations[]{
    Registration({"claims", claims, Form::document}), Registration({"readings", readings, Form::document}),
    Registration({"published", published, Form::document}), Registration({"outcome", outcome, Form::document})};

}  // namespace
}  // namespace bellwether::fuzz
