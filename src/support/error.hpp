// The two ways a command can fail. The program turns them into one line on standard error and an exit status.
#pragma once

#include <stdexcept>

namespace bellwether {

// The request was wrong: a bad option, a bad file. Exit status 2.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The request was right and the work failed: a full disk, no memory. Exit status 1.
class WorkError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace bellwether
