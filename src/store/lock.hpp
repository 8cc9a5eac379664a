// The lock that keeps two processes from running the same study.
#pragma once

#include <filesystem>

namespace bellwether {

// Held from construction to destruction; the kernel lets go of it when the process ends, however it ends. The file
// stays: removing it would let a third process lock a new one while a second one waits on the old.
class LockFile {
public:
    // UsageError where another process has it, with `subject` at the front; WorkError where the file cannot be written.
    LockFile(const std::filesystem::path& path, const std::filesystem::path& subject);
    LockFile(const LockFile&) = delete;
    LockFile& operator=(const LockFile&) = delete;
    ~LockFile();

    static bool is_held(const std::filesystem::path& path);

private:
    int file_;
};

}  // namespace bellwether
