// Runs the transcripts beside this file: what a person types at a shell, and what comes back, word for word.
//
//     $ COMMAND          run by sh in a fresh directory that holds the files of tests/data and examples/models
//     text               its standard output
//     ! text             its standard error
//     ? 2                its exit status, where that is not 0
//     # text             a comment
//
// With BELLWETHER_UPDATE_TRANSCRIPTS=1 in the environment the files are rewritten as the program now answers: read the
// difference before committing it.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace bellwether::test {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

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
    for (const std::string& line : lines_of(read_file(out))) transcript += line + "\n";
    for (const std::string& line : lines_of(read_file(err))) transcript += "! " + line + "\n";
    if (const int code = WEXITSTATUS(status); code != 0) transcript += "? " + std::to_string(code) + "\n";
    return transcript;
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
    const fs::path directory =
        fs::temp_directory_path() / ("bellwether-" + GetParam().stem().string() + "-" + std::to_string(::getpid()));
    fs::remove_all(directory);
    fs::create_directory(directory);
    for (const char* files : {BELLWETHER_TEST_DATA, BELLWETHER_SOURCE "/examples/models"})
        fs::copy(files, directory, fs::copy_options::recursive);
    std::string expected, actual;
    for (const std::string& line : lines_of(read_file(GetParam()))) {
        expected += line + "\n";
        if (line.starts_with("$ ")) {
            actual += run(line.substr(2), directory);
        } else if (line.starts_with("#")) {
            actual += line + "\n";
        }
    }
    fs::remove_all(directory);
    if (std::getenv("BELLWETHER_UPDATE_TRANSCRIPTS")) {
        std::ofstream(GetParam(), std::ios::binary) << actual;
    } else {
        EXPECT_EQ(actual, expected);
    }
}

TEST(Documentation, AlgorithmTableIsCurrent) {
    const fs::path directory = fs::path(testing::TempDir());
    const std::string output = run("bellwether list algorithms --markdown", directory);
    EXPECT_EQ(output.substr(output.find('\n') + 1), read_file(BELLWETHER_SOURCE "/docs/algorithms.md"))
        << "write it anew: bellwether list algorithms --markdown > docs/algorithms.md";
}

TEST(Documentation, TableOfChecksIsCurrent) {
    const fs::path directory = fs::path(testing::TempDir());
    const std::string output = run("bellwether list checks --markdown", directory);
    EXPECT_EQ(output.substr(output.find('\n') + 1), read_file(BELLWETHER_SOURCE "/docs/checks.md"))
        << "write it anew: bellwether list checks --markdown > docs/checks.md";
}

// The README groups the algorithms by hand: none may be missing there.
TEST(Documentation, ReadmeNamesEveryAlgorithm) {
    const std::string readme = read_file(BELLWETHER_SOURCE "/README.md");
    std::size_t ids = 0;
    for (const std::string& line : lines_of(read_file(BELLWETHER_SOURCE "/docs/algorithms.md"))) {
        if (line == "## Parameters") break;
        if (!line.starts_with("| `")) continue;
        const std::string id = line.substr(2, line.find('`', 3) - 1);
        EXPECT_NE(readme.find(id), std::string::npos) << id;
        ++ids;
    }
    EXPECT_GT(ids, 20U);
}

}  // namespace
}  // namespace bellwether::test
