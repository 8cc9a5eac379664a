#include "harness.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace bellwether::fuzz {

namespace {

std::vector<Target>& all_targets() {
    static std::vector<Target> targets;
    return targets;
}

class OwnFolder {
public:
    OwnFolder() {
        const std::filesystem::path memory = "/dev/shm";
        const auto place = ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path();
        path_ = (place / "bellwether-fuzz.XXXXXX").string();
        if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("cannot make " + path_);
    }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;
    ~OwnFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string path_;
};

}  // namespace

Registration::Registration(const Target& target) {
    std::vector<Target>& all = all_targets();
    all.insert(std::upper_bound(all.begin(), all.end(), target,
                                [](const Target& a, const Target& b) { return a.name < b.name; }),
               target);
}

std::span<const Target> targets() {
    return all_targets();
}

const Target* find_target(std::string_view name) {
    for (const Target& target : targets())
        if (target.name == name) return &target;
    return nullptr;
}

std::optional<std::string> refusal(const std::function<void()>& read) {
    try {
        read();
    } catch (const UsageError& error) {
        return error.what();
    } catch (const WorkError& error) {
        return error.what();
    }
    return std::nullopt;
}

void must_name_place(const std::string& message, std::string_view place) {
    must(message.starts_with(place) && message.size() > place.size() + 2,
         [&] { return "'" + message + "' names its place"; });
    must(std::none_of(message.begin(), message.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }),
         [&] { return "'" + message + "' is one line"; });
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
        return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
    });
}

std::string document_name(std::string_view name, std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return std::string(name) + (first != std::string_view::npos && text[first] == '{' ? ".json" : ".toml");
}

MemoryFile::MemoryFile() : file_(::memfd_create("fuzz", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(file_)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
}
MemoryFile::~MemoryFile() {
    ::close(file_);
}
const std::string& MemoryFile::holding(Bytes bytes) {
    if (::ftruncate(file_, 0) != 0 ||
        ::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw std::system_error(errno, std::generic_category(), "pwrite");
    return path_;
}
const std::string& MemoryFile::holding(std::string_view text) {
    return holding(Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

MemoryPipe::MemoryPipe() {
    constexpr int room = 1 << 20;  // for what is made of the largest input
    if (::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0 || ::fcntl(ends_[1], F_SETPIPE_SZ, room) < room)
        throw std::system_error(errno, std::generic_category(), "pipe2");
    path_ = "/proc/self/fd/" + std::to_string(ends_[1]);
}
MemoryPipe::~MemoryPipe() {
    for (const int end : ends_) ::close(end);
}
std::string MemoryPipe::taken() {
    std::string text;
    char part[1 << 12];
    for (ssize_t got = 0; (got = ::read(ends_[0], part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(got));
    return text;
}

const std::string& own_folder() {
    static const OwnFolder folder;
    return folder.path_;
}

std::uint8_t Numbers::byte() {
    if (left_.empty()) return 0;
    const std::uint8_t first = left_.front();
    left_ = left_.subspan(1);
    return first;
}
std::uint64_t Numbers::whole() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 8) value |= std::uint64_t{byte()} << shift;
    return value;
}
double Numbers::any() {
    return std::bit_cast<double>(whole());
}
double Numbers::small() {
    return (static_cast<int>(byte() % 32) - 16) / 8.0;
}
double Numbers::unit() {
    return (byte() % 9) / 8.0;
}

}  // namespace bellwether::fuzz
