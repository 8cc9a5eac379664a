#include "support/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::size_t buffer_size = 1 << 16;

// What was renamed is in its place after a loss of power only once the folder is synced too. Some file systems cannot
// (EINVAL); there it is as safe as it gets.
void sync_folder_of(const std::string& path) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    ::fsync(file);
    ::close(file);
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
    if (path_ == "-") {
        file_ = STDOUT_FILENO;
        return;
    }
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) throw UsageError(fmt::format("{}: cannot write: it is a directory", path_));
    if (exists && ::access(path_.c_str(), W_OK) != 0)
        throw UsageError(fmt::format("{}: cannot write: {}", path_, std::strerror(errno)));
    if (exists && !S_ISREG(status.st_mode)) {
        file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        do {
            temporary_ = path_ + ".XXXXXX";
            file_ = ::mkstemp(temporary_.data());
        } while (file_ < 0 && errno == EINTR);
        if (file_ < 0) temporary_.clear();
    }
    if (file_ < 0) throw UsageError(fmt::format("{}: cannot write: {}", path_, std::strerror(errno)));
    if (!temporary_.empty()) {
        const mode_t mask = ::umask(0);
        ::umask(mask);
        ::fchmod(file_, exists ? status.st_mode & 07777 : 0666 & ~mask);
    }
}

OutputFile::~OutputFile() {
    if (file_ >= 0 && file_ != STDOUT_FILENO) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= buffer_size) flush();
}

void OutputFile::flush() {
    for (std::size_t done = 0; done < buffer_.size();) {
        const ssize_t written = ::write(file_, buffer_.data() + done, buffer_.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("cannot write", errno);
        done += static_cast<std::size_t>(written);
    }
    buffer_.clear();
}

void OutputFile::commit() {
    flush();
    if (file_ == STDOUT_FILENO) return;
    if (!temporary_.empty() && ::fsync(file_) != 0) fail("cannot write", errno);
    if (::close(std::exchange(file_, -1)) != 0) fail("cannot write", errno);
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot move the finished file here", errno);
    temporary_.clear();
    sync_folder_of(path_);
}

void OutputFile::fail(const char* what, int error) const {
    throw WorkError(fmt::format("{}: {}: {}", path_ == "-" ? "standard output" : path_, what, std::strerror(error)));
}

}  // namespace bellwether
