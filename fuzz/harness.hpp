// What the fuzz targets share. A target gives bytes to one reader and holds the reader to more than not crashing: what
// is accepted reads back the same, what is refused is refused by a UsageError or a WorkError in one line that names the
// place. libFuzzer drives the targets (main_fuzz.cpp), and the tests replay the corpus through them (replay_test.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/error.hpp"

namespace bellwether::fuzz {

using Bytes = std::span<const std::uint8_t>;
// ---- which targets there are

// What its files are: mutations keep the form, where changed bytes alone would nearly always break it.
enum class Form { bytes, document, table, state };

struct Target {
    std::string_view name;
    void (*run)(Bytes);
    Form form = Form::bytes;
};

// A static one in each file of a target.
class Registration {
public:
    explicit Registration(const Target& target);
};
std::span<const Target> targets();
const Target* find_target(std::string_view name);

// ---- what must hold

class Violation : public std::logic_error {
public:
    using std::logic_error::logic_error;
};
// `what`: a text or, where it has to be put together, a function that does so.
template <class What>
void must(bool holds, const What& what) {
    if (holds) return;
    if constexpr (std::is_invocable_v<What>)
        throw Violation("must hold: " + what());
    else
        throw Violation(std::string("must hold: ") + what);
}

// What the reader says where it refuses; none where it does not. Any other exception goes on its way and is a find.
std::optional<std::string> refusal(const std::function<void()>& read);
// One line, with `place` at its front and something after it.
void must_name_place(const std::string& message, std::string_view place);

bool same_bits(std::span<const double> a, std::span<const double> b);

// ---- bytes as what readers take

inline std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
// "NAME.json" where the text looks like JSON, else "NAME.toml".
std::string document_name(std::string_view name, std::string_view text);

// A file in memory, which ends with the process.
class MemoryFile {
public:
    MemoryFile();
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile();
    const std::string& holding(Bytes bytes);  // its path
    const std::string& holding(std::string_view text);

private:
    int file_;
    std::string path_;
};

// What an OutputFile writes to it, in memory, without the syncing and renaming that a file needs.
class MemoryPipe {
public:
    MemoryPipe();
    MemoryPipe(const MemoryPipe&) = delete;
    MemoryPipe& operator=(const MemoryPipe&) = delete;
    ~MemoryPipe();
    const std::string& path() const { return path_; }
    std::string taken();  // what was written since the last time

private:
    int ends_[2];
    std::string path_;
};

// A folder of this process, in memory where there is such a place; gone at its end.
const std::string& own_folder();

// Numbers drawn from the bytes, one after the other; 0 at their end.
class Numbers {
public:
    explicit Numbers(Bytes bytes) : left_(bytes) {}

    bool at_end() const { return left_.empty(); }
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : byte() % limit; }
    std::uint8_t byte();
    double any();    // any double: its bits
    double small();  // a multiple of 1/8 in [−2, 2): sums of products of few of them are exact
    double unit();   // a multiple of 1/8 in [0, 1]
    std::uint64_t whole();

private:
    Bytes left_;
};

}  // namespace bellwether::fuzz
