// A file that appears whole or not at all: written beside its place and moved there by commit().
#pragma once

#include <string>
#include <string_view>

namespace bellwether {

class OutputFile {
public:
    // Refuses at once (UsageError) what could not be written at the end. "-" is standard output; a device or a pipe is
    // written directly.
    explicit OutputFile(std::string path);
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    ~OutputFile();  // without commit() nothing remains

    void write(std::string_view text);
    void commit();

private:
    void flush();
    [[noreturn]] void fail(const char* what, int error) const;

    std::string path_, temporary_;
    std::string buffer_;
    int file_ = -1;
};

}  // namespace bellwether
