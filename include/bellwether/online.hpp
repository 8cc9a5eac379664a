// Online<Algorithm>: an algorithm with its memory, fed one transition at a time. Allocates when it is made and never
// again.
//
//     bellwether::Online<bellwether::Gtd<double>> learner(dimension, {.alpha = 0.1, .eta = 1, .lambda = 0.9});
//     learner.step({.x = x, .reward = r, .gamma = 0.99, .x_next = x_next, .rho = rho});
//     learner.predict(x);
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "bellwether/algorithm.hpp"
#include "bellwether/state_body.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Gives every vector of an algorithm its place in one block of memory; without a block, measures what is needed.
class Layout {
public:
    Layout(std::size_t dimension, std::byte* block)
        : dimension_(dimension), block_(reinterpret_cast<std::uintptr_t>(block)) {}

    std::size_t bytes() const { return offset_; }

    template <class Real>
    void numbers(Vector<Real>& v) {
        v = {take<Real>(dimension_), dimension_};
    }
    template <class Real>
    void numbers(Matrix<Real>& m) {
        m = {take<Real>(dimension_ * Matrix<Real>::row_length(dimension_)), dimension_};
    }
    template <class Real>
    void entries(SparseTrace<Real>& e) {
        e.values = take<Real>(dimension_);
        e.indices = take<std::uint32_t>(dimension_);
        e.slots = take<std::uint32_t>(dimension_);
        e.size = dimension_;
    }
    template <class Real>
    void number(Real&, int) {}
    void flag(std::uint32_t&) {}

private:
    // Two cache lines behind every vector. They keep vectors of 4096 bytes and its multiples from falling on the same
    // addresses modulo 4096, where a load waits for an unrelated store; and the last eight components of a vector are
    // loaded and stored as one, with what lies beyond its end written back unchanged. Vectors of packs are large
    // enough to be spread out evenly: none of six begins within 500 bytes of another modulo 4096.
    template <class T>
    T* take(std::size_t count) {
        const std::size_t at = offset_;
        offset_ += (count * sizeof(T) + 63) / 64 * 64 + 128;
        if constexpr (is_pack<T>) offset_ += (at + 704 - offset_) % 4096;
        return reinterpret_cast<T*>(block_ + at);  // NOLINT(performance-no-int-to-ptr)
    }

    std::size_t dimension_;
    std::uintptr_t block_;  // an address to count from; 0 while measuring, when nobody follows the pointers
    std::size_t offset_ = 0;
};

// Every part as it is at the start.
struct Clear {
    template <class Real>
    BELLWETHER_DEVICE void numbers(const Vector<Real>& v) const {
        clear(v);
    }
    template <class Real>
    BELLWETHER_DEVICE void numbers(const Matrix<Real>& m) const {
        for (std::size_t i = 0; i < m.size; ++i) clear(m.row(i));
    }
    template <class Real>
    BELLWETHER_DEVICE void number(Real& scalar, int start) const {
        scalar = Real(static_cast<Scalar<Real>>(start));
    }
    BELLWETHER_DEVICE void flag(std::uint32_t& value) const { value = 0; }
    template <class Real>
    void entries(SparseTrace<Real>& e) const {
        clear_segment(e);
    }
};
// The same in new memory, where sparse traces have no slots yet.
struct Begin : Clear {
    double cutoff = 0;

    template <class Real>
    void entries(SparseTrace<Real>& e) const {
        for (std::size_t i = 0; i < e.size; ++i) e.slots[i] = SparseTrace<Real>::absent;
        e.count = 0;
        e.cutoff = static_cast<Real>(cutoff);
    }
};

// What a new segment does: weights that move along a trace come to rest, then what is not kept is cleared.
struct Settle {
    template <class Real>
    BELLWETHER_DEVICE void kept(const char*, MovingVector<Real>& v) const {
        settle(v);
    }
    template <class State>
    BELLWETHER_DEVICE void kept(const char*, State&) const {}
    template <class State>
    BELLWETHER_DEVICE void cleared(const char*, State&) const {}
};
struct ClearSegment {
    template <class State>
    BELLWETHER_DEVICE void kept(const char*, State&) const {}
    template <class State>
    BELLWETHER_DEVICE void cleared(const char*, State& state) const {
        Clear clear;
        parts(clear, state);
    }
};

template <class Algorithm>
class Online;

template <template <class, class> class AlgorithmTemplate, class RealType, class TracesType>
class Online<AlgorithmTemplate<RealType, TracesType>> {
public:
    using Algorithm = AlgorithmTemplate<RealType, TracesType>;
    using Real = RealType;
    using Traces = TracesType;
    using Parameters = typename Algorithm::Parameters;

    // Parameters are trusted to lie in their ranges; make_learner checks them. `cutoff` is for sparse traces.
    Online(std::size_t dimension, const Parameters& parameters, double cutoff = 0)
        : Online(dimension, parameters, cutoff, allocate(dimension)) {}

    // The bytes of memory a learner of this dimension takes.
    static std::size_t bytes(std::size_t dimension) {
        Online nowhere(dimension);
        return nowhere.lay_out(nullptr);
    }

    Online(const Online& other)
        : dimension_(other.dimension_),
          block_(allocate(other.dimension_)),
          algorithm_(other.algorithm_),
          memory_(other.memory_) {
        lay_out(block_);
        std::memcpy(block_, other.block_, bytes(dimension_));
    }
    Online(Online&& other) noexcept
        : dimension_(other.dimension_),
          block_(std::exchange(other.block_, nullptr)),
          algorithm_(std::move(other.algorithm_)),
          read_(other.read_),
          memory_(other.memory_) {}
    Online& operator=(Online other) noexcept {
        std::swap(dimension_, other.dimension_);
        std::swap(block_, other.block_);
        std::swap(algorithm_, other.algorithm_);
        std::swap(read_, other.read_);
        std::swap(memory_, other.memory_);
        return *this;
    }
    ~Online() { release(block_); }

    std::size_t dimension() const noexcept { return dimension_; }
    const Parameters& parameters() const noexcept { return algorithm_.parameters; }

    // Learns from one transition. Its feature vectors have `dimension()` components, or indices below it.
    template <class Features>
    void step(const Transition<Features, Real>& t) noexcept {
        const Real lambda = lambda_of(algorithm_.parameters);
        const Memory<Real> now{t.gamma, t.rho, t.pi, t.mu};
        algorithm_.update(make_step(t.x, t.x_next, t.reward, now, memory_, t.lambda.value_or(lambda),
                                    t.lambda_next.value_or(lambda), t.interest));
        memory_ = now;
    }
    // So that a braced list of fields finds its type.
    void step(const Transition<Dense<Scalar<Real>>, Real>& t) noexcept { step<Dense<Scalar<Real>>>(t); }
    void step(const Transition<Sparse<Scalar<Real>>, Real>& t) noexcept { step<Sparse<Scalar<Real>>>(t); }
    void step(const Transition<OneHot, Real>& t) noexcept { step<OneHot>(t); }

    // Begins a new segment, as after a truncation: traces are cleared, weights are kept. A step with γ = 0 needs no
    // start().
    void start() noexcept {
        algorithm_.visit(Settle{});
        algorithm_.visit(ClearSegment{});
        memory_ = {};
    }

    // The prediction w·x.
    template <class Features>
    Real predict(const Features& x) const noexcept {
        return dot(x, algorithm_.w);
    }
    Real predict(const Dense<Scalar<Real>>& x) const noexcept { return dot(x, algorithm_.w); }

    // The weights w, as they are now: valid until the next call of anything that is not const.
    std::span<const Real> weights() const noexcept {
        if constexpr (is_moving<decltype(algorithm_.w)>) {
            if (algorithm_.w.moving) {
                for (std::size_t i = 0; i < dimension_; ++i) read_[i] = component(algorithm_.w, i);
                return {read_.data, dimension_};
            }
        }
        return {components_of(algorithm_.w).data, dimension_};
    }
    // Sets the weights that learning goes on from; `weights` has dimension() numbers.
    void set_weights(std::span<const Real> weights) noexcept {
        // The auxiliary weights stay as they are, and with them their carried products.
        if constexpr (is_moving<decltype(algorithm_.w)>) settle(algorithm_.w);
        for (std::size_t i = 0; i < dimension_; ++i) components_of(algorithm_.w)[i] = weights[i];
    }

    // Whether some weight is no longer finite.
    bool diverged() const noexcept requires(!is_pack<Real>) {
        for (const Real& weight : weights())
            if (!magnitude_within(weight, Real(0), std::numeric_limits<Real>::max())) return true;  // no NaN is
        return false;
    }

    const Algorithm& algorithm() const noexcept { return algorithm_; }
    Algorithm& algorithm() noexcept { return algorithm_; }

    // The body of a saved state (state_body.hpp). Continuing after restore_body() is bit-identical to never having
    // stopped; a body that does not fit is refused and changes nothing.
    std::size_t body_size() const noexcept {
        BodyWriter counter(nullptr);
        const_cast<Online*>(this)->every_part(counter);  // one list of the parts serves readers and writers alike
        return counter.size();
    }
    void save_body(std::byte* to) const noexcept {
        BodyWriter writer(to);
        const_cast<Online*>(this)->every_part(writer);
    }
    bool restore_body(std::span<const std::byte> body) noexcept {
        BodyReader check(body, BodyReader::Mode::check);
        every_part(check);
        if (!check.complete()) return false;
        BodyReader reader(body, BodyReader::Mode::read);
        every_part(reader);
        return true;
    }

    // What it remembers of the last step, and the parts of the algorithm's state.
    template <class Visitor>
    void every_part(Visitor& visitor) {
        parts(visitor, memory_);
        algorithm_.visit(EveryPart<Visitor>{visitor});
    }
    Memory<Real>& memory() noexcept { return memory_; }

private:
    explicit Online(std::size_t dimension) : dimension_(dimension) {}  // without memory
    Online(std::size_t dimension, const Parameters& parameters, double cutoff, std::byte* block)
        : dimension_(dimension), block_(block) {
        algorithm_.parameters = parameters;
        lay_out(block_);
        Begin begin{{}, cutoff};
        algorithm_.visit(EveryPart<Begin>{begin});
        if constexpr (requires { algorithm_.initialize(); }) algorithm_.initialize();
    }

    // Gives everything its place in a block of memory; returns the bytes that it takes.
    std::size_t lay_out(std::byte* block) {
        Layout layout(dimension_, block);
        algorithm_.visit(EveryPart<Layout>{layout});
        if constexpr (is_moving<decltype(algorithm_.w)>) layout.numbers(read_);
        if constexpr (requires { algorithm_.spread_x; }) layout.numbers(algorithm_.spread_x);
        if constexpr (requires { algorithm_.spread_x_next; }) layout.numbers(algorithm_.spread_x_next);
        if constexpr (requires { algorithm_.connect(); }) algorithm_.connect();
        return layout.bytes();
    }

    static constexpr std::align_val_t alignment{64};
    static std::byte* allocate(std::size_t dimension) {
        const std::size_t size = bytes(dimension);
        return static_cast<std::byte*>(std::memset(::operator new(size, alignment), 0, size));
    }
    static void release(std::byte* block) noexcept { ::operator delete(block, alignment); }

    std::size_t dimension_;
    std::byte* block_ = nullptr;
    Algorithm algorithm_{};
    Vector<Real> read_;  // where weights() puts what it has to compute
    Memory<Real> memory_{};
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
