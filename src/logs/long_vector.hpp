// Numbers by row of a log, which may be more than memory holds: those that do not fit into a log's share of it lie in a
// file that has no name, mapped into memory, of which only what is being read stays there.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace bellwether {

class LongBuffer;

// What a log and all that is computed by row of it may take of memory.
class LogMemory {
public:
    // Files go into `directory`.
    LogMemory(std::size_t bytes, std::string directory) : most_(bytes), directory_(std::move(directory)) {}

    std::size_t most() const { return most_; }
    const std::string& directory() const { return directory_; }
    bool spills() const { return spills_; }
    // How many bytes of files may be read before release().
    std::size_t window() const { return most_ / 4; }
    // Lets go of what is in memory of the files. It is read again where it is needed.
    void release();
    // The same when window() bytes have been read or written since.
    void release_after(std::size_t bytes) {
        if (spills_ && (touched_ += bytes) > window()) release();
    }

private:
    friend class LongBuffer;

    bool take(std::size_t bytes);  // false where that is too much
    void give_back(std::size_t bytes);
    void add(LongBuffer* buffer);
    void remove(LongBuffer* buffer);

    std::mutex mutex_;
    std::size_t most_, used_ = 0;
    std::atomic<std::size_t> touched_ = 0;  // by all threads, since release()
    std::string directory_;
    std::set<LongBuffer*> in_files_;
    bool spills_ = false;
};

// Half of what is free.
std::size_t default_log_memory();

// Bytes that grow without being copied.
class LongBuffer {
public:
    explicit LongBuffer(std::shared_ptr<LogMemory> memory) : memory_(std::move(memory)) {}
    LongBuffer(const LongBuffer&) = delete;
    LongBuffer& operator=(const LongBuffer&) = delete;
    ~LongBuffer();

    std::byte* data() const { return data_; }
    std::size_t capacity() const { return capacity_; }
    const std::shared_ptr<LogMemory>& memory() const { return memory_; }
    void reserve(std::size_t bytes);
    // Sets room aside for so many bytes that will come, so that they need not be moved.
    void expect(std::size_t bytes);
    void release();

private:
    void map(std::size_t capacity);
    void map_in_memory(std::size_t bytes);
    void map_file(std::size_t bytes);

    std::shared_ptr<LogMemory> memory_;  // none: all that there is
    std::byte* data_ = nullptr;
    std::size_t mapped_ = 0, capacity_ = 0;  // capacity: what is there to be used of what is mapped
    int file_ = -1;
};

template <class T>
class LongVector {
public:
    using value_type = T;

    LongVector() : LongVector(std::shared_ptr<LogMemory>()) {}
    explicit LongVector(std::shared_ptr<LogMemory> memory) : buffer_(std::make_unique<LongBuffer>(std::move(memory))) {}
    LongVector(std::shared_ptr<LogMemory> memory, std::size_t size, T value = T()) : LongVector(std::move(memory)) {
        assign(size, value);
    }
    LongVector(const std::vector<T>& numbers) : LongVector() { append(numbers); }
    LongVector(const LongVector& other) : LongVector(other.buffer_->memory()) { append(other); }
    LongVector(LongVector&& other) noexcept : buffer_(std::move(other.buffer_)), size_(other.size_) {
        other.buffer_ = std::make_unique<LongBuffer>(buffer_->memory());
        other.size_ = 0;
    }
    LongVector& operator=(LongVector other) noexcept {
        std::swap(buffer_, other.buffer_);
        std::swap(size_, other.size_);
        return *this;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* data() { return reinterpret_cast<T*>(buffer_->data()); }
    const T* data() const { return reinterpret_cast<const T*>(buffer_->data()); }
    T& operator[](std::size_t k) { return data()[k]; }
    const T& operator[](std::size_t k) const { return data()[k]; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& back() { return data()[size_ - 1]; }

    void expect(std::size_t size) { buffer_->expect(size * sizeof(T)); }
    void clear() { *this = LongVector(buffer_->memory()); }
    void push_back(T number) {
        if ((size_ + 1) * sizeof(T) > buffer_->capacity()) buffer_->reserve((size_ + 1) * sizeof(T));
        data()[size_++] = number;
    }
    void resize(std::size_t size, T value = T()) {
        buffer_->reserve(size * sizeof(T));
        if (size > size_) std::fill(data() + size_, data() + size, value);
        size_ = size;
    }
    void assign(std::size_t size, T value) {
        clear();
        if (value != T()) return resize(size, value);
        buffer_->reserve(size * sizeof(T));  // new pages are 0, and not in memory before they are read
        size_ = size;
    }
    void append(std::span<const T> numbers) {
        buffer_->reserve((size_ + numbers.size()) * sizeof(T));
        std::copy(numbers.begin(), numbers.end(), data() + size_);
        size_ += numbers.size();
    }

private:
    std::unique_ptr<LongBuffer> buffer_;
    std::size_t size_ = 0;
};

}  // namespace bellwether
