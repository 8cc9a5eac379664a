#include "logs/long_vector.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::size_t page = 4096;

std::size_t whole_pages(std::size_t bytes) {
    return (bytes + page - 1) / page * page;
}

// What a buffer of so many bytes gets: a quarter more, so that it seldom grows.
std::size_t capacity_for(std::size_t bytes) {
    constexpr std::size_t least = 16 * page;
    return std::max(least, whole_pages(bytes + bytes / 4));
}

// A file without a name is gone when it is closed, however the program ends.
int open_nameless(const std::string& directory) {
    std::error_code problem;
    std::filesystem::create_directories(directory, problem);  // where that fails, so does what follows
    std::string path = directory + "/.bellwether-log-XXXXXX";
    const int file = ::mkostemp(path.data(), O_CLOEXEC);
    if (file < 0)
        throw UsageError(fmt::format("{}: the log does not fit into --memory, and no file can be made there: {}",
                                     directory, std::strerror(errno)));
    ::unlink(path.c_str());
    return file;
}

// Makes a file that long, with its room on the disk set aside: a mapped file that finds none ends the program. What was
// wrong, or 0.
int set_room_aside(int file, std::size_t bytes) {
#ifdef __APPLE__
    struct stat status {};
    if (::fstat(file, &status) != 0) return errno;
    fstore_t more{F_ALLOCATEALL, F_PEOFPOSMODE, 0, static_cast<off_t>(bytes) - status.st_size, 0};
    if (more.fst_length > 0 && ::fcntl(file, F_PREALLOCATE, &more) != 0) return errno;
    return ::ftruncate(file, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
#else
    return ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
#endif
}

}  // namespace

std::size_t default_log_memory() {
    std::ifstream file("/proc/meminfo");
    std::string name;
    for (std::size_t kibibytes; file >> name >> kibibytes; file.ignore(64, '\n'))
        if (name == "MemAvailable:") return kibibytes * 1024 / 2;
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 2;
}

// ---- the share ----

void LogMemory::release() {
    const std::lock_guard hold(mutex_);
    for (LongBuffer* buffer : in_files_) buffer->release();
    touched_ = 0;
}

bool LogMemory::take(std::size_t bytes) {
    const std::lock_guard hold(mutex_);
    // The rest is for what is in memory of files (window()), for what is kept by segment, and for matrices.
    if (used_ + bytes > most_ / 4) return false;
    used_ += bytes;
    return true;
}

void LogMemory::give_back(std::size_t bytes) {
    const std::lock_guard hold(mutex_);
    used_ -= bytes;
}

void LogMemory::add(LongBuffer* buffer) {
    const std::lock_guard hold(mutex_);
    in_files_.insert(buffer);
    spills_ = true;
}

void LogMemory::remove(LongBuffer* buffer) {
    const std::lock_guard hold(mutex_);
    in_files_.erase(buffer);
}

// ---- one buffer ----

LongBuffer::~LongBuffer() {
    if (data_) ::munmap(data_, mapped_);
    if (file_ >= 0) {
        memory_->remove(this);
        ::close(file_);
    } else if (memory_) {
        memory_->give_back(mapped_);
    }
}

void LongBuffer::reserve(std::size_t bytes) {
    if (bytes <= capacity_) return;
    if (bytes > mapped_) map(capacity_for(bytes));
    // Pages that will be written next, many at once: one by one they cost as much as reading the file.
    constexpr std::size_t ahead = std::size_t{2} << 20;
    [[maybe_unused]] const std::size_t before = capacity_;
    capacity_ = file_ >= 0 ? mapped_ : std::min(mapped_, std::max(bytes, capacity_ + ahead) / page * page + page);
#ifdef MADV_POPULATE_WRITE
    if (file_ < 0) ::madvise(data_ + before, capacity_ - before, MADV_POPULATE_WRITE);
#endif
}

void LongBuffer::expect(std::size_t bytes) {
    if (bytes > mapped_) map(whole_pages(bytes));
    if (file_ >= 0) capacity_ = mapped_;
}

void LongBuffer::map(std::size_t capacity) {
    if (file_ < 0 && (!memory_ || memory_->take(capacity - mapped_)))
        map_in_memory(capacity);
    else
        map_file(capacity);
}

void LongBuffer::map_in_memory(std::size_t capacity) {
#ifdef MREMAP_MAYMOVE
    void* const grown = data_ ? ::mremap(data_, mapped_, capacity, MREMAP_MAYMOVE)
                              : ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED) throw std::bad_alloc();
#else
    void* const grown = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED) throw std::bad_alloc();
    if (data_) {
        std::memcpy(grown, data_, mapped_);
        ::munmap(data_, mapped_);
    }
#endif
    data_ = static_cast<std::byte*>(grown);
    mapped_ = capacity;
    // Pages of their usual size: large ones save a fiftieth of a pass over a log, and cost half of reading it where a
    // virtual machine has to ask its host for them.
}

void LongBuffer::map_file(std::size_t capacity) {
    const bool moves = file_ < 0;
    const int file = moves ? open_nameless(memory_->directory()) : file_;
    const auto fail = [&](int problem) {
        if (moves) ::close(file);
        throw UsageError(
            fmt::format("{}: the log does not fit into --memory ({:.3g} MB), and {:.3g} MB of it do not fit there: {}",
                        memory_->directory(), static_cast<double>(memory_->most()) / 1e6,
                        static_cast<double>(capacity) / 1e6, std::strerror(problem)));
    };
    if (const int problem = set_room_aside(file, capacity)) fail(problem);
    void* const mapped = ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) fail(errno);
    // Written, not copied: what is copied to mapped pages would be in memory twice.
    for (std::size_t done = 0; moves && done < mapped_;) {
        const ssize_t written = ::pwrite(file, data_ + done, mapped_ - done, static_cast<off_t>(done));
        if (written < 0 && errno != EINTR) {
            ::munmap(mapped, capacity);
            fail(errno);
        }
        if (written > 0) done += static_cast<std::size_t>(written);
    }
    if (data_) ::munmap(data_, mapped_);
    if (moves) {
        memory_->give_back(mapped_);
        memory_->add(this);
    }
    file_ = file;
    data_ = static_cast<std::byte*>(mapped);
    mapped_ = capacity;
    release();
}

void LongBuffer::release() {
    if (file_ >= 0) ::madvise(data_, mapped_, MADV_DONTNEED);
}

}  // namespace bellwether
