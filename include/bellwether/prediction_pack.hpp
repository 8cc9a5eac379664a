// PredictionPack: as many predictions as a pack has lanes, with one trace for all of them (shared_trace.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <span>

#include "bellwether/online.hpp"
#include "bellwether/shared_pass.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// How many predictions share a trace: four registers of doubles, so that the trace, which is scalar work, weighs little
// beside them. Without the instruction for it a fused multiply-add is a call, and width gains nothing.
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
inline constexpr std::size_t horde_lanes = 32;
#elif defined(__FMA__) || defined(__aarch64__)
inline constexpr std::size_t horde_lanes = 2 * register_bytes / sizeof(double);
#else
inline constexpr std::size_t horde_lanes = 2;
#endif

// Zeros that cost no memory until they are written to: rows of features that never occur are never there.
class ZeroMemory {
public:
    explicit ZeroMemory(std::size_t bytes) : block_(std::calloc(bytes + alignment, 1)) {
        if (!block_) {
#if defined(__cpp_exceptions)
            throw std::bad_alloc();
#else
            std::abort();
#endif
        }
    }
    ZeroMemory(const ZeroMemory&) = delete;
    ZeroMemory& operator=(const ZeroMemory&) = delete;
    ~ZeroMemory() {
        std::free(block_);
    }

    std::byte* data() const {
        auto* const bytes = static_cast<std::byte*>(block_);
        return bytes + (alignment - reinterpret_cast<std::uintptr_t>(bytes) % alignment) % alignment;
    }

private:
    static constexpr std::size_t alignment = 64;
    void* block_;
};

// Layout with room for the rows of traces.
class SharedLayout : public Layout {
public:
    using Layout::Layout;

    template <class Real>
    void rows(SharedTrace<Real>& e) {
        e.rows.count = RowSet::words_for(e.values.size);
        Vector<std::uint64_t> words;
        numbers(words);  // a word for each component is more than is used; what is never touched costs nothing
        e.rows.words = words.data;
    }
};
// What is cleared when a segment starts.
struct ClearShared : Clear {
    template <class Real>
    void rows(SharedTrace<Real>& e) const {
        for (std::size_t word = 0; word < e.rows.count; ++word) e.rows.words[word] = 0;
    }
};
// The scalars of new memory, whose vectors are zeros.
struct BeginShared {
    template <class V>
    void numbers(V&) const {}
    template <class Real>
    void number(Real& scalar, int start) const {
        scalar = Real(static_cast<Scalar<Real>>(start));
    }
    void flag(std::uint32_t& value) const { value = 0; }
};
// The rows of values that were read.
struct FindRows {
    template <class V>
    void numbers(V&) const {}
    template <class Real>
    void number(Real&, int) const {}
    void flag(std::uint32_t&) const {}
    template <class Real>
    void rows(SharedTrace<Real>& e) const {
        ClearShared().rows(e);
        for (std::size_t i = 0; i < e.values.size; ++i)
            if (e.values[i] != 0) e.rows.add(i);
    }
};

struct StartSharedSegment {
    template <class Real>
    void kept(const char*, SharedMovingVector<Real>& v) const {
        settle(v);
    }
    template <class State>
    void kept(const char*, State&) const {}
    template <class State>
    void cleared(const char*, State&) const {}
};
struct ClearSharedSegment {
    template <class State>
    void kept(const char*, State&) const {}
    template <class State>
    void cleared(const char*, State& state) const {
        ClearShared clear;
        parts(clear, state);
    }
};

// What a step of a horde brings that all predictions share.
struct SharedStep {
    Sparse<double> x{};
    double gamma = 0;
    Sparse<double> x_next{};
    double rho = 1;
    std::optional<double> lambda{};
    std::optional<double> lambda_next{};
    double interest = 1;
    double pi = 1;
    double mu = 1;
};

// As many predictions as Real has lanes, with one trace: an algorithm with its memory.
template <template <class, class> class AlgorithmTemplate, class Real>
class PredictionPack {
public:
    using Algorithm = AlgorithmTemplate<Real, SharedTraces>;
    using Parameters = typename Algorithm::Parameters;

    // Parameters that the trace reads are the same in all lanes.
    PredictionPack(std::size_t dimension, const Parameters& parameters)
        : dimension_(dimension), memory_block_(bytes(dimension)) {
        algorithm_.parameters = parameters;
        lay_out(memory_block_.data());
        BeginShared begin;
        algorithm_.visit(EveryPart<BeginShared>{begin});
        if constexpr (requires { algorithm_.w.known; }) algorithm_.w.known = &known_;
    }
    PredictionPack(const PredictionPack&) = delete;
    PredictionPack& operator=(const PredictionPack&) = delete;

    // Predicts what is to come of x and x_next, for the step and for whoever wants to know.
    BELLWETHER_INLINE
    void predict(const Sparse<double>& x, const Sparse<double>& x_next) {
        known_.x = known_.x_next = nullptr;
        known_.with_x = dot(x, algorithm_.w);
        known_.with_x_next = dot(x_next, algorithm_.w);
        known_.x = &x;
        known_.x_next = &x_next;
    }
    const Real& prediction() const { return known_.with_x; }
    const Real& next_prediction() const { return known_.with_x_next; }

    // Learns from a step for whose features predict() was called; returns the TD errors.
    BELLWETHER_INLINE
    Real step(const SharedStep& s, const Real& cumulants) {
        const Real lambda = lambda_of(algorithm_.parameters);
        const auto made = make_step(s.x, s.x_next, cumulants, broadcast(now(s)), broadcast(memory_),
                                    s.lambda ? Real(*s.lambda) : lambda, s.lambda_next ? Real(*s.lambda_next) : lambda,
                                    Real(s.interest));
        const Real delta = td_error(made, prediction(), next_prediction());
        algorithm_.update(made);
        memory_ = now(s);
        return delta;
    }
    // A new segment: traces are cleared, weights are kept.
    void start() {
        algorithm_.visit(StartSharedSegment{});
        algorithm_.visit(ClearSharedSegment{});
        memory_ = {};
    }

    Real weight(std::size_t i) const { return component(algorithm_.w, i); }

    // The state of one lane: the body that the learner of its own has (state_body.hpp). After the last restore_body
    // comes restored().
    std::size_t write_body(std::size_t lane, std::byte* to) const {
        BodyWriter writer(to, lane);
        const_cast<PredictionPack*>(this)->every_part(writer);
        return writer.size();
    }
    void restore_body(std::size_t lane, std::span<const std::byte> from) {
        BodyReader reader(from, BodyReader::Mode::read, lane);
        every_part(reader);
    }
    void restored() {
        FindRows find;
        algorithm_.visit(EveryPart<FindRows>{find});
    }

    static std::size_t bytes(std::size_t dimension) {
        PredictionPack nowhere(dimension);
        return nowhere.lay_out(nullptr);
    }

private:
    explicit PredictionPack(std::size_t dimension) : dimension_(dimension), memory_block_(0) {}

    static Memory<double> now(const SharedStep& s) { return {s.gamma, s.rho, s.pi, s.mu}; }
    BELLWETHER_INLINE
    static Memory<Real> broadcast(const Memory<double>& m) {
        return {Real(m.gamma), Real(m.rho), Real(m.pi), Real(m.mu)};
    }

    template <class Visitor>
    void every_part(Visitor& visitor) {
        parts(visitor, memory_);
        algorithm_.visit(EveryPart<Visitor>{visitor});
    }
    std::size_t lay_out(std::byte* block) {
        SharedLayout layout(dimension_, block);
        algorithm_.visit(EveryPart<SharedLayout>{layout});
        algorithm_.connect();
        return layout.bytes();
    }

    std::size_t dimension_;
    ZeroMemory memory_block_;
    Algorithm algorithm_{};
    KnownProducts<Real> known_{};
    Memory<double> memory_{};
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
