// Another program that is run to its end.
#pragma once

#include <string>
#include <vector>

namespace bellwether {

struct ChildProcess {
    std::string output;       // its standard output
    std::string problem{};    // one line; empty where it ended with status 0
    bool is_missing = false;  // the problem is that it could not be started
};

// Runs the program of the first word, found as a shell would, with that text as its standard input. Where it fails, the
// problem has the last line of its standard error.
ChildProcess run_child(std::vector<std::string> words, const std::string& input);

}  // namespace bellwether
