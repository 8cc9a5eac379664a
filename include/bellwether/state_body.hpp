// The body of a saved state: what a learner remembers of the last step, then the parts of everything that the algorithm
// lists in visit(), in that order. Vectors are their numbers, a sparse trace its count, values and indices. state.hpp
// puts the body into a file. Of a pack of learners, each lane has a body of its own, that of the scalar learner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "bellwether/sparse_trace.hpp"
#include "bellwether/vectors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Writes to memory that is large enough, or, given none, only counts.
class BodyWriter {
public:
    explicit BodyWriter(std::byte* to, std::size_t lane = 0) : to_(to), lane_(lane) {}

    std::size_t size() const { return size_; }

    template <class Real>
    void numbers(const Vector<Real>& v) {
        put_all(v.data, v.size);
    }
    template <class Real>
    void numbers(const Matrix<Real>& m) {
        for (std::size_t i = 0; i < m.size; ++i) put_all(m.row(i).data, m.size);
    }
    template <class Real>
    void number(const Real& scalar, int) {
        put_all(&scalar, 1);
    }
    void flag(std::uint32_t value) { put(&value, 1); }
    template <class Real>
    void entries(const SparseTrace<Real>& e) {
        const std::uint64_t count = e.count;
        put(&count, 1);
        put(e.values, e.count);
        put(e.indices, e.count);
    }

private:
    template <class Real>
    void put_all(const Real* from, std::size_t count) {
        if constexpr (is_pack<Real>) {
            for (std::size_t i = 0; i < count; ++i) {
                const Scalar<Real> number = from[i][lane_];
                put(&number, 1);
            }
        } else {
            put(from, count);
        }
    }
    template <class T>
    void put(const T* from, std::size_t count) {
        if (to_) std::memcpy(to_ + size_, from, count * sizeof(T));
        size_ += count * sizeof(T);
    }

    std::byte* to_;
    std::size_t lane_;
    std::size_t size_ = 0;
};

// Reads a body, or only checks that it fits the algorithm: first check, then read, so that a bad body changes nothing.
class BodyReader {
public:
    enum class Mode { check, read };

    BodyReader(std::span<const std::byte> from, Mode mode, std::size_t lane = 0)
        : from_(from), mode_(mode), lane_(lane) {}

    // All of the body was there, nothing is left over, and every index is in range and there once.
    bool complete() const { return good_ && from_.empty(); }

    template <class Real>
    void numbers(Vector<Real>& v) {
        get_all(v.data, v.size);
    }
    template <class Real>
    void numbers(Matrix<Real>& m) {
        for (std::size_t i = 0; i < m.size; ++i) get_all(m.row(i).data, m.size);
    }
    template <class Real>
    void number(Real& scalar, int) {
        get_all(&scalar, 1);
        shared_by_lanes_ = is_pack<Real>;
    }
    // A flag says that something may be so in some lane: set in one, it is set. (It follows a number of its kind.)
    void flag(std::uint32_t& value) {
        std::uint32_t own = 0;
        get(&own, 1);
        if (mode_ == Mode::read) value = shared_by_lanes_ ? value | own : own;
    }
    template <class Real>
    void entries(SparseTrace<Real>& e) {
        std::uint64_t count = 0;
        if (from_.size() >= sizeof count) std::memcpy(&count, from_.data(), sizeof count);
        skip(sizeof count);
        if (count > e.size) good_ = false;
        if (!good_) return;
        if (mode_ == Mode::check) {
            skip(count * sizeof(Real));
            check_indices(count, e);
        } else {
            clear(e);
            get(e.values, count);
            get(e.indices, count);
            e.count = count;
            for (std::size_t k = 0; k < e.count; ++k) e.slots[e.indices[k]] = static_cast<std::uint32_t>(k);
        }
    }

private:
    template <class Real>
    void get_all(Real* to, std::size_t count) {
        if constexpr (is_pack<Real>) {
            for (std::size_t i = 0; i < count; ++i) {
                Scalar<Real> number = to[i][lane_];
                get(&number, 1);
                to[i].set(lane_, number);
            }
        } else {
            get(to, count);
        }
    }
    template <class T>
    void get(T* to, std::size_t count) {
        if (mode_ == Mode::read && from_.size() >= count * sizeof(T)) std::memcpy(to, from_.data(), count * sizeof(T));
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
    // Every index in range and none twice, since an entry has one slot. The slots themselves show it, and are put back.
    template <class Real>
    void check_indices(std::size_t count, SparseTrace<Real>& e) {
        constexpr std::uint32_t absent = SparseTrace<Real>::absent;
        const auto index_at = [&](std::size_t k) {
            std::uint32_t index = 0;
            std::memcpy(&index, from_.data() + k * sizeof index, sizeof index);
            return index;
        };
        if (from_.size() / sizeof(std::uint32_t) < count) good_ = false;
        for (std::size_t k = 0; k < e.count; ++k) e.slots[e.indices[k]] = absent;
        std::size_t seen = 0;
        for (; good_ && seen < count; ++seen) {
            const std::uint32_t index = index_at(seen);
            if (index >= e.size || e.slots[index] != absent) {
                good_ = false;
                break;
            }
            e.slots[index] = 0;
        }
        for (std::size_t k = 0; k < seen; ++k) e.slots[index_at(k)] = absent;
        for (std::size_t k = 0; k < e.count; ++k) e.slots[e.indices[k]] = static_cast<std::uint32_t>(k);
        skip(count * sizeof(std::uint32_t));
    }

    std::span<const std::byte> from_;
    Mode mode_;
    std::size_t lane_;
    bool shared_by_lanes_ = false;
    bool good_ = true;
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
