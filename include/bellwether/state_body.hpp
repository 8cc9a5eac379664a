// The body of a saved state: what a learner remembers of the last step, then every vector, trace and scalar that the
// algorithm lists in visit(), in that order. A dense vector is its numbers, a dense trace its values and scale, a
// sparse trace its count, values and indices; what moves along a trace has its base and steps. state.hpp puts the body
// into a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "bellwether/moving.hpp"
#include "bellwether/sparse_trace.hpp"
#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Writes to memory that is large enough, or, given none, only counts.
class BodyWriter {
public:
    explicit BodyWriter(std::byte* to) : to_(to) {}

    std::size_t size() const { return size_; }

    template <class State>
    void kept(const char*, const State& state) {
        write(state);
    }
    template <class State>
    void cleared(const char*, const State& state) {
        write(state);
    }

    template <class Real>
    void write(const Vector<Real>& v) {
        put(v.data, v.size);
    }
    template <class Real>
    void write(const Matrix<Real>& m) {
        put(m.data, m.size * m.size);
    }
    template <class Real>
    void write(const DenseTrace<Real>& e) {
        write(e.values);
        write(e.scale);
    }
    template <class Real>
    void write(const MovingVector<Real>& v) {
        write(v.base);
        write(v.steps);
        write(v.moving);
    }
    template <class Real>
    void write(const CarriedProduct<Real>& product) {
        write(product.with_base);
        write(product.with_along);
        write(product.stale);
    }
    template <class Real>
    void write(const SparseTrace<Real>& e) {
        const std::uint64_t count = e.count;
        put(&count, 1);
        put(e.values, e.count);
        put(e.indices, e.count);
    }
    template <class Real>
    void write(const Real& scalar) {
        put(&scalar, 1);
    }

private:
    template <class T>
    void put(const T* from, std::size_t count) {
        if (to_) std::memcpy(to_ + size_, from, count * sizeof(T));
        size_ += count * sizeof(T);
    }

    std::byte* to_;
    std::size_t size_ = 0;
};

// Reads a body, or only checks that it fits the algorithm: first check, then read, so that a bad body changes nothing.
template <bool check_only>
class BodyReader {
public:
    explicit BodyReader(std::span<const std::byte> from) : from_(from) {}

    // All of the body was there, nothing is left over, and every index is in range.
    bool complete() const { return good_ && from_.empty(); }

    template <class State>
    void kept(const char*, State& state) {
        read(state);
    }
    template <class State>
    void cleared(const char*, State& state) {
        read(state);
    }

    template <class Real>
    void read(Vector<Real>& v) {
        get(v.data, v.size);
    }
    template <class Real>
    void read(Matrix<Real>& m) {
        get(m.data, m.size * m.size);
    }
    template <class Real>
    void read(DenseTrace<Real>& e) {
        read(e.values);
        read(e.scale);
    }
    template <class Real>
    void read(MovingVector<Real>& v) {
        read(v.base);
        read(v.steps);
        read(v.moving);
    }
    template <class Real>
    void read(CarriedProduct<Real>& product) {
        read(product.with_base);
        read(product.with_along);
        read(product.stale);
    }
    template <class Real>
    void read(SparseTrace<Real>& e) {
        std::uint64_t count = 0;
        if (from_.size() >= sizeof count) std::memcpy(&count, from_.data(), sizeof count);
        skip(sizeof count);
        if (count > e.size) good_ = false;
        if (!good_) return;
        if constexpr (check_only) {
            skip(count * sizeof(Real));
            check_indices(count, e.size);
        } else {
            clear(e);
            get(e.values, count);
            get(e.indices, count);
            e.count = count;
            for (std::size_t k = 0; k < e.count; ++k) e.slots[e.indices[k]] = static_cast<std::uint32_t>(k);
        }
    }
    template <class Real>
    void read(Real& scalar) {
        get(&scalar, 1);
    }

private:
    template <class T>
    void get(T* to, std::size_t count) {
        if constexpr (!check_only)
            if (from_.size() >= count * sizeof(T)) std::memcpy(to, from_.data(), count * sizeof(T));
        skip(count * sizeof(T));
    }
    void skip(std::size_t bytes) {
        if (bytes > from_.size()) {
            good_ = false;
            from_ = {};
        } else {
            from_ = from_.subspan(bytes);
        }
    }
    void check_indices(std::size_t count, std::size_t dimension) {
        for (std::size_t k = 0; good_ && k < count && from_.size() >= (k + 1) * sizeof(std::uint32_t); ++k) {
            std::uint32_t index = 0;
            std::memcpy(&index, from_.data() + k * sizeof index, sizeof index);
            if (index >= dimension) good_ = false;
        }
        skip(count * sizeof(std::uint32_t));
    }

    std::span<const std::byte> from_;
    bool good_ = true;
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
