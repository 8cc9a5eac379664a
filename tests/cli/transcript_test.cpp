// Runs the transcripts beside this file: what a person types at a shell, and what comes back, word for word.
//
//     $ COMMAND          run by sh in a fresh directory that holds the files of tests/data and examples/models
//     text               its standard output
//     ! text             its standard error
//     ? 2                its exit status, where that is not 0
//     # text             a comment
//     ...                any lines, and {...} within a line any words: what is listed there may grow
//
// With BELLWETHER_UPDATE_TRANSCRIPTS=1 in the environment the files are rewritten as the program now answers: read the
// difference before committing it.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/registry.hpp"
#include "files.hpp"
#include "problems/domain.hpp"

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string run(const std::string& command, const fs::path& directory) {
    const fs::path out = directory / ".stdout", err = directory / ".stderr";
    std::ofstream(directory / ".command") << command << "\n";
    const std::string shell = "cd '" + directory.string() +
                              "' && PATH='" BELLWETHER_PROGRAM_DIR "':\"$PATH\" LC_ALL=C sh ./.command >'" +
                              out.string() + "' 2>'" + err.string() + "' </dev/null";
    const int status = std::system(shell.c_str());
    std::string transcript = "$ " + command + "\n";
    for (const std::string& line : lines_of(content_of(out))) transcript += line + "\n";
    for (const std::string& line : lines_of(content_of(err))) transcript += "! " + line + "\n";
    if (const int code = WEXITSTATUS(status); code != 0) transcript += "? " + std::to_string(code) + "\n";
    return transcript;
}

// What it answers on standard output, and what comes with it.
std::string output_of(const std::string& command) {
    const TemporaryFolder folder;
    const std::string transcript = run(command, folder.path());
    return transcript.substr(transcript.find('\n') + 1);
}

bool match(std::string_view pattern, std::string_view line) {
    constexpr std::string_view any_words = "{...}";
    const std::size_t place = pattern.find(any_words);
    if (place == std::string_view::npos) return line == pattern;
    const std::string_view before = pattern.substr(0, place), after = pattern.substr(place + any_words.size());
    return line.size() >= before.size() + after.size() && line.starts_with(before) && line.ends_with(after);
}

// Whether the lines are those of the pattern, in which "..." stands for any number of them.
using Lines = std::span<const std::string>;
bool match(Lines pattern, Lines lines) {
    if (pattern.empty()) return lines.empty();
    if (pattern.front() != "...")
        return !lines.empty() && match(pattern.front(), lines.front()) && match(pattern.subspan(1), lines.subspan(1));
    return match(pattern.subspan(1), lines) || (!lines.empty() && match(pattern, lines.subspan(1)));
}

// A comment, or a command with what comes back.
std::vector<std::vector<std::string>> parts_of(const std::vector<std::string>& lines) {
    std::vector<std::vector<std::string>> parts;
    for (const std::string& line : lines) {
        if (parts.empty() || line.starts_with("$ ") || line.starts_with("#")) parts.emplace_back();
        parts.back().push_back(line);
    }
    return parts;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

bool rewrites() {
    return std::getenv("BELLWETHER_UPDATE_TRANSCRIPTS") != nullptr;
}

class Transcript : public testing::TestWithParam<fs::path> {};

std::vector<fs::path> transcripts() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(BELLWETHER_TRANSCRIPTS))
        if (entry.path().extension() == ".transcript") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

INSTANTIATE_TEST_SUITE_P(Cli, Transcript, testing::ValuesIn(transcripts()), [](const auto& file) {
    std::string name = file.param.stem();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST_P(Transcript, IsWhatTheProgramAnswers) {
    const TemporaryFolder folder;
    const fs::path& directory = folder.path();
    for (const char* files : {BELLWETHER_TEST_DATA, BELLWETHER_SOURCE "/examples/models"})
        fs::copy(files, directory, fs::copy_options::recursive);
    std::string expected, actual;
    for (const std::vector<std::string>& part : parts_of(lines_of(content_of(GetParam())))) {
        const std::string& first = part.front();
        const std::string answer = first.starts_with("$ ") ? run(first.substr(2), directory) : joined(part);
        expected += joined(part);
        actual += match(part, lines_of(answer)) ? joined(part) : answer;
    }
    if (rewrites()) {
        std::ofstream(GetParam(), std::ios::binary) << actual;
    } else {
        EXPECT_EQ(actual, expected);
    }
}

TEST(Transcripts, DotsStandForAnyLines) {
    const std::vector<std::string> lines{"one", "two", "three"};
    const auto matches = [&](std::vector<std::string> pattern) { return match(pattern, lines); };
    EXPECT_TRUE(matches({"one", "two", "three"}));
    EXPECT_TRUE(matches({"one", "...", "three"}));
    EXPECT_TRUE(matches({"one", "two", "...", "three"}));
    EXPECT_TRUE(matches({"..."}));
    EXPECT_TRUE(matches({"one", "t{...}o", "three"}));
    EXPECT_FALSE(matches({"one", "...", "two"}));
    EXPECT_FALSE(matches({"one", "tw{...}wo", "three"}));
    EXPECT_FALSE(matches({"one", "three"}));
    EXPECT_FALSE(matches({"one", "two", "three", "four"}));
    EXPECT_FALSE(matches({}));
}

TEST(Documentation, TableOfChecksIsCurrent) {
    EXPECT_EQ(output_of("bellwether list checks --markdown"), content_of(BELLWETHER_SOURCE "/docs/checks.md"))
        << "write it anew: bellwether list checks --markdown > docs/checks.md";
}

// ---- algorithms: what every one of them must have, wherever they are listed

// The words of its declaration, each with the default and the range of every parameter.
TEST(Listing, HasEveryAlgorithmInTheWordsOfItsHeader) {
    const std::vector<std::string> lines = lines_of(output_of("bellwether list algorithms"));
    const auto holds = [&](std::size_t at, std::initializer_list<std::string_view> words) {
        if (at >= lines.size()) return false;
        std::size_t from = 0;
        for (const std::string_view word : words) {
            const std::size_t found = lines[at].find(word, from);
            if (found == std::string::npos) return false;
            from = found + word.size();
        }
        return true;
    };
    std::size_t at = 0;
    for (const AlgorithmInfo& info : algorithm_table) {
        EXPECT_TRUE(at < lines.size() && lines[at].starts_with(std::string(info.id) + " ")) << info.id;
        EXPECT_TRUE(holds(at, {info.id, info.name, ": ", info.summary})) << info.id;
        EXPECT_EQ(holds(at, {"(", "on-policy only", ")"}), info.on_policy_only) << info.id;
        EXPECT_EQ(holds(at, {"(", "needs pi and mu", ")"}), info.needs_policies) << info.id;
        EXPECT_EQ(holds(at, {"(", "uses interest", ")"}), info.uses_interest) << info.id;
        EXPECT_EQ(holds(at, {"(", "O(d²)", ")"}), info.quadratic) << info.id;
        ++at;
        for (const ParameterInfo& p : info.parameters)
            EXPECT_TRUE(holds(at++, {"    --", p.name, p.required() ? "required" : "", p.help, "(", ")"}))
                << info.id << ", " << p.name;
    }
    for (const AlgorithmAlias& alias : algorithm_aliases)
        EXPECT_TRUE(holds(at++, {alias.name, "another name of", alias.id})) << alias.name;
    EXPECT_EQ(at, lines.size());
}

// In the order of the registry; none that has no expected update.
TEST(Listing, SolveShowsEveryAlgorithmThatHasAnExpectedUpdate) {
    const std::string output = output_of("bellwether solve two-state");
    std::size_t at = output.find("\neta ");
    for (const AlgorithmInfo& info : algorithm_table) {
        const std::size_t found = output.find("\n" + std::string(info.id) + " ", at);
        const bool expected = info.mean_update != MeanUpdate::none && !info.on_policy_only;  // it is off-policy
        EXPECT_EQ(found != std::string::npos, expected) << info.id;
        if (found != std::string::npos) at = found;
    }
}

TEST(Listing, HasEveryDomainInTheWordsOfItsFile) {
    const std::string output = output_of("bellwether list domains");
    std::size_t at = 0;
    const auto comes = [&](const std::string& words) {
        const std::size_t found = output.find(words, at);
        if (found == std::string::npos) return false;
        at = found + words.size();
        return true;
    };
    for (const DomainInfo* domain : domains()) {
        EXPECT_TRUE(comes(std::string(domain->id) + " ") && comes(std::string(domain->summary))) << domain->id;
        for (const std::string_view features : domain->features) EXPECT_TRUE(comes(std::string(features))) << features;
        for (const DomainParameter& p : domain->parameters)
            EXPECT_TRUE(comes("--" + std::string(p.name) + " ") && comes(std::string(p.help)))
                << domain->id << ", " << p.name;
    }
}

// Compares a part of a page with what it should be, or writes it anew.
void expect_current(const fs::path& page, const std::string& is, const std::string& should_be) {
    if (is == should_be) return;
    if (rewrites()) {
        std::string text = content_of(page);
        text.replace(text.find(is), is.size(), should_be);
        std::ofstream(page, std::ios::binary) << text;
    } else {
        EXPECT_EQ(is, should_be) << "BELLWETHER_UPDATE_TRANSCRIPTS=1 writes " << page << " anew";
    }
}

TEST(Documentation, AlgorithmTableIsCurrent) {
    const fs::path page = BELLWETHER_SOURCE "/docs/algorithms.md";
    expect_current(page, content_of(page), output_of("bellwether list algorithms --markdown"));
}

// A row per family with its algorithms.
std::string families_as_markdown() {
    std::string table;
    for (std::size_t family = 0; family < std::size(family_names); ++family) {
        table += "| " + std::string(family_names[family]) + " | ";
        std::string separator;
        for (const AlgorithmInfo& info : algorithm_table) {
            if (static_cast<std::size_t>(info.family) != family) continue;
            table += separator + "`" + std::string(info.id) + "`";
            for (const AlgorithmAlias& alias : algorithm_aliases)
                if (alias.id == info.id) table += " (also `" + std::string(alias.name) + "`)";
            separator = ", ";
        }
        table += " |\n";
    }
    return table;
}

TEST(Documentation, ReadmeNamesEveryAlgorithm) {
    const fs::path page = BELLWETHER_SOURCE "/README.md";
    const std::string readme = content_of(page), above = "| family | ids |\n|---|---|\n";
    const std::size_t begin = readme.find(above) + above.size(), end = readme.find("\n\n", begin) + 1;
    ASSERT_GT(begin, above.size());
    expect_current(page, readme.substr(begin, end - begin), families_as_markdown());
}

}  // namespace
}  // namespace bellwether::test
