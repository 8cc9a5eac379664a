// The other side of the comparison: TD(λ), GTD(λ), HTD(λ) and TO-HTD(λ) as plain loops, each written out for one kind
// of features, with as few passes over the data as its equations allow. Compiled with -O3 -march=native -ffast-math.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <string_view>

#include "streams.hpp"

namespace bench {

// Null for an algorithm that has no hand-written version.
std::unique_ptr<Contestant> make_handwritten(std::string_view algorithm, const OneHotStream&, const Settings&);
std::unique_ptr<Contestant> make_handwritten(std::string_view algorithm, const DenseStream&, const Settings&);
std::unique_ptr<Contestant> make_handwritten(std::string_view algorithm, const SparseStream&, const Settings&);

namespace handwritten {

// Begins on a cache line, and is longer than asked for by two of them: equal addresses modulo 4096 would make a load
// wait for an unrelated store.
template <class T>
class Array {
public:
    explicit Array(std::size_t size, T value = T(0))
        : data_(static_cast<T*>(::operator new(size * sizeof(T) + 128, alignment))), size_(size) {
        for (std::size_t i = 0; i < size; ++i) data_[i] = value;
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { ::operator delete(data_, alignment); }

    T* data() { return data_; }
    T& operator[](std::size_t i) { return data_[i]; }
    std::span<const T> span() const { return {data_, size_}; }

private:
    static constexpr std::align_val_t alignment{64};

    T* data_;
    std::size_t size_;
};

// Learner<Stream> has run(stream, settings) and weights w.
template <class Learner, class Stream>
class Entry : public Contestant {
public:
    Entry(const Stream& stream, const Settings& settings)
        : stream_(stream), settings_(settings), learner_(stream.dimension) {}
    void run() override { learner_.run(stream_, settings_); }
    std::span<const double> weights() const override { return learner_.w.span(); }

private:
    const Stream& stream_;
    const Settings settings_;
    Learner learner_;
};

template <class Td, class Gtd, class Htd, class ToHtd, class Stream>
std::unique_ptr<Contestant> choose(std::string_view algorithm, const Stream& stream, const Settings& settings) {
    if (algorithm == "td") return std::make_unique<Entry<Td, Stream>>(stream, settings);
    if (algorithm == "gtd") return std::make_unique<Entry<Gtd, Stream>>(stream, settings);
    if (algorithm == "htd") return std::make_unique<Entry<Htd, Stream>>(stream, settings);
    if (algorithm == "to-htd") return std::make_unique<Entry<ToHtd, Stream>>(stream, settings);
    return nullptr;
}

}  // namespace handwritten
}  // namespace bench
