// Lines of a file or of standard input, in constant memory; of what gzip has packed as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

class LineReader {
public:
    // "-" is standard input. Refuses what cannot be read (UsageError).
    explicit LineReader(const std::string& path);
    LineReader(const LineReader&) = delete;
    LineReader& operator=(const LineReader&) = delete;
    ~LineReader();

    // The next line without its end (\n or \r\n); valid until the next call. False at the end.
    bool next(std::string_view& line);

    const std::string& name() const { return name_; }
    std::size_t line_number() const { return line_number_; }  // of the line last given, from 1
    std::uint64_t bytes_read() const { return bytes_read_; }
    std::uint64_t size() const { return size_; }  // of a regular file, else 0

private:
    struct Unpacking;

    bool fill();
    std::size_t read_some(char* to, std::size_t room);
    std::size_t unpack_some(char* to, std::size_t room);
    void look_at_beginning();

    std::string name_;
    int file_ = -1;
    std::vector<char> buffer_;
    std::size_t begin_ = 0, end_ = 0;
    std::size_t line_number_ = 0;
    std::uint64_t bytes_read_ = 0, size_ = 0;
    bool at_end_ = false;
    std::unique_ptr<Unpacking> unpacking_;  // null: plain text
};

}  // namespace bellwether
