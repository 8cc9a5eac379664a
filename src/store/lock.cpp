#include "store/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "support/error.hpp"

namespace bellwether {

namespace {

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

// is_held() takes the lock for a moment to see whether it can; that must not look like another run.
bool lock_patiently(int file) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    errno = EWOULDBLOCK;
    return false;
}

// "pid 123", "pid 123 on another-host", or "" where the file does not say.
std::string holder(const std::filesystem::path& path) {
    std::string pid, host;
    std::ifstream(path) >> pid >> host;
    if (pid.empty()) return {};
    return fmt::format(" (pid {}{})", pid, host.empty() || host == host_name() ? "" : " on " + host);
}

// For people, and for the message of a second process: the lock is the kernel's, not the text. A full disk is no reason
// to go without the lock.
void write_holder(int file) {
    const std::string text = fmt::format("{} {}\n", ::getpid(), host_name());
    if (::ftruncate(file, 0) != 0) return;
    [[maybe_unused]] const ssize_t written = ::pwrite(file, text.data(), text.size(), 0);
}

}  // namespace

LockFile::LockFile(const std::filesystem::path& path, const std::filesystem::path& subject)
    : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw WorkError(fmt::format("{}: cannot write: {}", path.string(), std::strerror(errno)));
    if (lock_patiently(file_)) {
        write_holder(file_);
        return;
    }
    const int error = errno;
    ::close(file_);
    const bool has_no_locks = error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP;
    if (error != EWOULDBLOCK)
        throw WorkError(
            fmt::format("{}: cannot lock: {}{}", path.string(), std::strerror(error),
                        has_no_locks ? "; results must be on a file system that has locks, say a local disk" : ""));
    throw UsageError(fmt::format("{}: another process{} is running this study; wait for it or stop it",
                                 subject.string(), holder(path)));
}

LockFile::~LockFile() {
    ::close(file_);
}

bool LockFile::is_held(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(file);
    return held;
}

}  // namespace bellwether
