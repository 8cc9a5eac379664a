#include "stream/line_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "support/error.hpp"
#include "support/interrupt.hpp"

namespace bellwether {

namespace {
constexpr std::size_t smallest_buffer = 1 << 12, usual_buffer = 1 << 20;
constexpr std::size_t longest_line = std::size_t{1} << 30;
}  // namespace

LineReader::LineReader(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    file_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) throw UsageError(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
    struct stat status {};
    if (::fstat(file_, &status) != 0) status = {};
    if (S_ISDIR(status.st_mode)) {
        if (file_ != STDIN_FILENO) ::close(file_);
        throw UsageError(fmt::format("{}: cannot read: it is a directory", name_));
    }
    if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
    // A small file is read at once, with a byte more than it has: that one shows its end.
    buffer_.resize(S_ISREG(status.st_mode) ? std::clamp(size_ + 1, smallest_buffer, usual_buffer) : usual_buffer);
    look_at_beginning();
}

// What is packed, and zlib's state.
struct LineReader::Unpacking {
    explicit Unpacking(std::size_t room) : packed(room) {
        if (::inflateInit2(&stream, 15 + 16) != Z_OK) throw std::bad_alloc();  // the format of gzip
    }
    Unpacking(const Unpacking&) = delete;
    Unpacking& operator=(const Unpacking&) = delete;
    ~Unpacking() { ::inflateEnd(&stream); }

    z_stream stream{};
    std::vector<char> packed;
    bool member_is_open = true;  // a file may be several packed ones, one after the other
};

// A file that gzip wrote begins with two bytes that no text begins with.
void LineReader::look_at_beginning() {
    while (end_ < 2) {
        const std::size_t got = read_some(buffer_.data() + end_, buffer_.size() - end_);
        if (got == 0) return;
        end_ += got;
    }
    if (buffer_[0] != '\x1f' || buffer_[1] != '\x8b') return;
    unpacking_ = std::make_unique<Unpacking>(buffer_.size());
    std::memcpy(unpacking_->packed.data(), buffer_.data(), end_);
    unpacking_->stream.next_in = reinterpret_cast<Bytef*>(unpacking_->packed.data());
    unpacking_->stream.avail_in = static_cast<uInt>(end_);
    end_ = 0;
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
    char* const to = buffer_.data() + end_;
    const std::size_t got = unpacking_ ? unpack_some(to, buffer_.size() - end_) : read_some(to, buffer_.size() - end_);
    end_ += got;
    return got > 0;
}

// Up to `room` bytes of the file; 0 at its end.
std::size_t LineReader::read_some(char* to, std::size_t room) {
    for (;;) {
        stop_if_interrupted();
        const ssize_t got = ::read(file_, to, room);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw UsageError(fmt::format("{}: cannot read: {}", name_, std::strerror(errno)));
        bytes_read_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
    }
}

// The same of what is packed in it.
std::size_t LineReader::unpack_some(char* to, std::size_t room) {
    z_stream& stream = unpacking_->stream;
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = static_cast<uInt>(std::min(room, longest_line));
    const uInt before = stream.avail_out;
    while (stream.avail_out == before) {
        if (stream.avail_in == 0) {
            const std::size_t got = read_some(unpacking_->packed.data(), unpacking_->packed.size());
            if (got == 0 && unpacking_->member_is_open)
                throw UsageError(fmt::format("{}: cannot unpack: the file ends too early", name_));
            if (got == 0) return 0;
            stream.next_in = reinterpret_cast<Bytef*>(unpacking_->packed.data());
            stream.avail_in = static_cast<uInt>(got);
        }
        if (!unpacking_->member_is_open) ::inflateReset(&stream);
        const int status = ::inflate(&stream, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END)
            throw UsageError(fmt::format("{}: cannot unpack: {}", name_, stream.msg ? stream.msg : "it is damaged"));
        unpacking_->member_is_open = status != Z_STREAM_END;
    }
    return before - stream.avail_out;
}

}  // namespace bellwether
