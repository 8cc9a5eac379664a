#include "stream/line_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "support/error.hpp"
#include "support/interrupt.hpp"

namespace bellwether {

namespace {
constexpr std::size_t initial_buffer = 1 << 20;
constexpr std::size_t longest_line = std::size_t{1} << 30;
}  // namespace

LineReader::LineReader(const std::string& path)
    : name_(path == "-" ? "standard input" : path), buffer_(initial_buffer) {
    file_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) throw UsageError(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    struct stat status {};
    if (::fstat(file_, &status) != 0) return;
    if (S_ISDIR(status.st_mode)) {
        if (file_ != STDIN_FILENO) ::close(file_);
        throw UsageError(fmt::format("{}: cannot read: it is a directory", name_));
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
}

LineReader::~LineReader() {
    if (file_ > STDIN_FILENO) ::close(file_);
}

bool LineReader::next(std::string_view& line) {
    std::size_t searched = begin_;
    for (;;) {
        const char* found =
            searched < end_ ? static_cast<const char*>(std::memchr(buffer_.data() + searched, '\n', end_ - searched))
                            : nullptr;
        if (found || (at_end_ && begin_ < end_)) {
            const std::size_t stop = found ? static_cast<std::size_t>(found - buffer_.data()) : end_;
            line = {buffer_.data() + begin_, stop - begin_};
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            begin_ = found ? stop + 1 : end_;
            ++line_number_;
            return true;
        }
        if (at_end_) return false;
        const std::size_t kept = end_ - begin_;
        at_end_ = !fill();
        searched = begin_ + kept;
    }
}

// Moves what is left to the front and reads on. False at the end of the input.
bool LineReader::fill() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) {
        if (buffer_.size() >= longest_line)
            throw UsageError(
                fmt::format("{}:{}: the line is longer than {} bytes", name_, line_number_ + 1, longest_line));
        buffer_.resize(2 * buffer_.size());
    }
    for (;;) {
        stop_if_interrupted();
        const ssize_t got = ::read(file_, buffer_.data() + end_, buffer_.size() - end_);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw UsageError(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
        end_ += static_cast<std::size_t>(got);
        bytes_read_ += static_cast<std::uint64_t>(got);
        return got > 0;
    }
}

}  // namespace bellwether
