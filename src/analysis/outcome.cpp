#include "analysis/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/stored_study.hpp"
#include "plan/installed_studies.hpp"
#include "support/document.hpp"

namespace bellwether {

namespace {

constexpr std::array<std::string_view, 7> outcome_keys{"study",       "description", "program", "whole",
                                                       "agent-steps", "claims",      "numbers"};
constexpr std::array<std::string_view, 4> judged_claim_keys{"id", "statement", "verdict", "parts"};
constexpr std::array<std::string_view, 8> number_keys{"title", "setting", "label", "theirs",
                                                      "error", "ours",    "low",   "high"};
constexpr std::array all_verdicts{Verdict::held, Verdict::not_held, Verdict::mixed, Verdict::undecided};

std::string toml_string(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return result + '"';
}

// Five digits are as many as anybody compares.
std::string brief(double value) {
    return std::isfinite(value) ? fmt::format("{:.5g}", value) : value > 0 ? "inf" : "-inf";
}

class OutcomeReader {
public:
    OutcomeReader(const std::string& name, const std::string& text) : file_(name, text, "the outcome") {}

    StudyOutcome read() const {
        const DocumentNode& root = file_.root();
        file_.check_keys(root, outcome_keys);
        StudyOutcome outcome{.study = text(root, "study"),
                             .description = text(root, "description"),
                             .program = text(root, "program"),
                             .is_whole = file_.boolean(file_.require(root, "whole")),
                             .agent_steps = number(root, "agent-steps")};
        if (const auto* claims = root.find("claims"))
            for (const DocumentNode& node : file_.list(*claims)) outcome.claims.push_back(read_claim(node));
        if (const auto* numbers = root.find("numbers"))
            for (const DocumentNode& node : file_.list(*numbers)) outcome.numbers.push_back(read_number(node));
        return outcome;
    }

private:
    std::string text(const DocumentNode& table, std::string_view key) const {
        return file_.text(file_.require(table, key));
    }
    // A score may be infinite.
    double number(const DocumentNode& table, std::string_view key) const {
        const DocumentNode& node = file_.require(table, key);
        return node.kind == DocumentNode::Kind::number ? node.number : file_.number(node);
    }

    Verdict verdict(const DocumentNode& node) const {
        std::vector<std::string_view> names;
        for (const Verdict one : all_verdicts) names.push_back(name_of(one));
        return all_verdicts[file_.choose(node, "verdict", names)];
    }

    OutcomeClaim read_claim(const DocumentNode& node) const {
        file_.check_keys(node, judged_claim_keys);
        OutcomeClaim claim{.id = text(node, "id"),
                           .statement = text(node, "statement"),
                           .verdict = verdict(file_.require(node, "verdict"))};
        if (const auto* parts = node.find("parts"))
            for (const DocumentNode& part : parts->children) claim.parts.emplace_back(part.key, verdict(part));
        return claim;
    }

    ComparedNumber read_number(const DocumentNode& node) const {
        file_.check_keys(node, number_keys);
        return {.title = text(node, "title"),
                .setting = text(node, "setting"),
                .label = text(node, "label"),
                .theirs = number(node, "theirs"),
                .error = number(node, "error"),
                .ours = number(node, "ours"),
                .interval = {number(node, "low"), number(node, "high")}};
    }

    Document file_;
};

}  // namespace

std::map<Verdict, std::size_t> StudyOutcome::verdicts() const {
    std::map<Verdict, std::size_t> counts;
    for (const OutcomeClaim& claim : claims) ++counts[claim.verdict];
    return counts;
}

std::size_t StudyOutcome::agreements() const {
    return static_cast<std::size_t>(
        std::count_if(numbers.begin(), numbers.end(), [](const ComparedNumber& number) { return number.agrees(); }));
}

StudyOutcome make_outcome(const Store& store, const Findings& findings, const std::vector<Claim>& claims,
                          std::vector<ComparedNumber> numbers, std::string program) {
    const Study& study = *findings.study;
    StudyOutcome outcome{.study = study.name,
                         .description = study.description,
                         .program = std::move(program),
                         .is_whole = is_whole(store, study),
                         .agent_steps = agent_steps_of(findings),
                         .numbers = std::move(numbers)};
    for (const Claim& claim : claims) {
        OutcomeClaim& to = outcome.claims.emplace_back(
            OutcomeClaim{.id = claim.id, .statement = claim.statement, .verdict = claim.verdict});
        if (claim.is_in_parts())
            for (const ClaimPart& part : claim.parts) to.parts.emplace_back(part.id, part.verdict);
    }
    return outcome;
}

std::string text_of(const StudyOutcome& outcome) {
    std::string text =
        "# What became of the paper in this study, as 'bellwether report' found it: docs/paper-folder.md\n";
    text += fmt::format("study = {}\ndescription = {}\nprogram = {}\nwhole = {}\nagent-steps = {}\n",
                        toml_string(outcome.study), toml_string(outcome.description), toml_string(outcome.program),
                        outcome.is_whole, brief(outcome.agent_steps));
    for (const OutcomeClaim& claim : outcome.claims) {
        text += fmt::format("\n[[claims]]\nid = {}\nstatement = {}\nverdict = {}\n", toml_string(claim.id),
                            toml_string(claim.statement), toml_string(name_of(claim.verdict)));
        std::vector<std::string> parts;
        for (const auto& [id, verdict] : claim.parts)
            parts.push_back(fmt::format("{} = {}", toml_string(id), toml_string(name_of(verdict))));
        if (!parts.empty()) text += fmt::format("parts = {{ {} }}\n", fmt::join(parts, ", "));
    }
    for (const ComparedNumber& one : outcome.numbers)
        text += fmt::format(
            "\n[[numbers]]\ntitle = {}\nsetting = {}\nlabel = {}\ntheirs = {}\nerror = {}\nours = {}\nlow = {}\nhigh = "
            "{}\n",
            toml_string(one.title), toml_string(one.setting), toml_string(one.label), brief(one.theirs),
            brief(one.error), brief(one.ours), brief(one.interval.low), brief(one.interval.high));
    return text;
}

StudyOutcome parse_outcome(const std::string& name, const std::string& text) {
    return OutcomeReader(name, text).read();
}

std::optional<StudyOutcome> read_outcome(const std::filesystem::path& directory) {
    const std::filesystem::path file = directory / outcome_of_folder;
    if (!std::filesystem::exists(file)) return std::nullopt;
    return parse_outcome(file.string(), read_text_file(file.string()));
}

std::string verdicts_text(const StudyOutcome& outcome) {
    const std::map<Verdict, std::size_t> counts = outcome.verdicts();
    std::vector<std::string> all;
    for (const Verdict verdict : all_verdicts)
        if (const auto found = counts.find(verdict); found != counts.end())
            all.push_back(fmt::format("{} {}", found->second, name_of(verdict)));
    return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace bellwether
