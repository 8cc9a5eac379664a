// What is observed of packs of learners on their way. It sees their weights only, and so serves all algorithms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

#include "engine/lane_errors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

// Memory for packs, aligned as they are.
template <class Real>
class PackBuffer {
public:
    explicit PackBuffer(std::size_t count)
        : data_(static_cast<Real*>(::operator new(count * sizeof(Real) + 1, alignment))) {}
    PackBuffer(const PackBuffer&) = delete;
    PackBuffer& operator=(const PackBuffer&) = delete;
    ~PackBuffer() { ::operator delete(data_, alignment); }

    Real* data() const { return data_; }

private:
    static constexpr std::align_val_t alignment{64};
    Real* data_;
};

// Packs that go through a source side by side.
inline constexpr std::size_t packs_in_flight = 2;

// Of a signal, the numbers of a pack whose learners are `used` from `first` on.
template <class Real>
Real read_signal(const LaneSignal& signal, std::size_t t, std::size_t first, std::size_t used) {
    const double* numbers = signal.numbers + t * signal.by_step;
    if (!signal.by_learner) return Real(*numbers);
    return used == Real::lanes ? Real::load(numbers + first) : Real::load(numbers + first, used);
}

// A pack as its observer sees it.
template <class Real, class Weights>
struct ObservedPack {
    const Weights* w = nullptr;
    std::size_t first = 0, used = 0;  // its learners
    bool alive = true;
    Real* sums = nullptr;  // of each error
};

// 0 in the lanes in which every weight is finite, else NaN.
template <class Real, class Weights>
[[gnu::noinline]] Real zero_if_finite(const Weights& w, std::size_t dimension) {
    Real probe(0);
    for (std::size_t i = 0; i < dimension; ++i) probe = fma(Real(0), component(w, i), probe);
    return probe;
}

template <class Real, class Weights>
class LaneObserver {
    using Pack = ObservedPack<Real, Weights>;

public:
    LaneObserver(const LaneObservation& observation, const LaneSource& source, Pack* const* packs, std::size_t count)
        : seen_(observation),
          steps_(source.steps),
          dimension_(source.x.dimension),
          packs_(packs),
          count_(count),
          scratch_(count * scratch_size()),
          seen_last_(source.marks ? count * observation.error_count : 0),
          remembers_(source.marks) {
        bool looks = false;
        for (std::size_t m = 0; m < seen_.error_count; ++m) {
            const bool predicts = seen_.errors[m].of == LaneError::Of::prediction;
            predicts_errors_ = predicts_errors_ || predicts;
            looks = looks || !predicts;
        }
        predicts_ = predicts_errors_ || seen_.predictions;
        adds_value_errors_ = count == 2 && !seen_.curves && !remembers_;
        for (std::size_t m = 0; m < seen_.error_count; ++m)
            adds_value_errors_ = adds_value_errors_ && is_of_values(seen_.errors[m]);
        if (looks) first_look_ = seen_.curves ? 0 : seen_.counted_from;
        // A look at every weight costs less than a component's update a step.
        between_checks_ = dimension_ < least_between_checks ? least_between_checks : dimension_;
        if (seen_.may_stop) next_check_ = between_checks_ - 1;
        quiet_until_ = first_look_ < next_check_ ? first_look_ : next_check_;
        fill_systems();
        find_node_traits();
        if (seen_.curves) look(0);
    }

    // ---- before the update of step t, from 0

    BELLWETHER_INLINE
    bool predicts() const { return predicts_; }

    template <class Features>
    [[gnu::noinline]] void predict(std::size_t t, const Features& x) {
        const bool counted = predicts_errors_ && counts(t);
        if (!counted && !seen_.predictions) return;
        for (std::size_t p = 0; p < count_; ++p) {
            const Pack& pack = *packs_[p];
            if (!pack.alive) continue;
            const Real prediction = dot(x, *pack.w);
            if (counted) add_prediction_errors(t, pack, prediction);
            if (seen_.predictions)
                for (std::size_t lane = 0; lane < pack.used; ++lane)
                    seen_.predictions[t * seen_.predictions_by_step + pack.first + lane] = prediction[lane];
        }
    }

    // ---- after it

    BELLWETHER_INLINE
    void after(std::size_t t) {
        is_current_ = false;
        if (t < quiet_until_) return;
        if (t >= first_look_ && (seen_.curves || counts(t))) {
            if (adds_value_errors_ && packs_[0]->alive && packs_[1]->alive) {
                add_value_errors();
            } else {
                look(t + 1);
            }
        }
        if (t >= next_check_) {
            stop_diverged();
            next_check_ = t + between_checks_;
        }
        quiet_until_ = first_look_ < next_check_ ? first_look_ : next_check_;
    }

    // After a step that nothing is learned from: as the last time, where errors were looked at since the last update.
    [[gnu::noinline]] void after_idle(std::size_t t) {
        if (t < first_look_ || !(seen_.curves || counts(t))) return;
        if (!is_current_) return look(t + 1);
        for (std::size_t m = 0; m < seen_.error_count; ++m)
            for (std::size_t p = 0; p < count_; ++p)
                if (packs_[p]->alive && seen_.errors[m].of != LaneError::Of::prediction)
                    note(m, t + 1, p, seen_last_.data()[p * seen_.error_count + m]);
    }

private:
    static constexpr std::size_t least_between_checks = 64;

    BELLWETHER_INLINE
    bool counts(std::size_t t) const { return t >= seen_.counted_from && (!seen_.counts || seen_.counts[t]); }

    BELLWETHER_INLINE
    void add_prediction_errors(std::size_t t, const Pack& pack, const Real& prediction) const {
        for (std::size_t m = 0; m < seen_.error_count; ++m) {
            const LaneError& error = seen_.errors[m];
            if (error.of != LaneError::Of::prediction) continue;
            const Real target = error.target.by_learner ? read_signal<Real>(error.target, t, pack.first, pack.used)
                                                        : Real(error.target.numbers[t * error.target.by_step]);
            pack.sums[m] = pack.sums[m] + rooted(error, deviation(error, prediction - target));
        }
    }

    // After so many updates.
    [[gnu::noinline]] void look(std::size_t updates) {
        Real* scratch = scratch_.data();
        const NodeTraits* traits = traits_.data();
        for (std::size_t m = 0; m < seen_.error_count; traits += seen_.errors[m].node_count, ++m) {
            const LaneError& error = seen_.errors[m];
            if (error.of == LaneError::Of::prediction) continue;
            const std::size_t size = scratch_of(error, dimension_);
            for (std::size_t p = 0; p < count_; ++p, scratch += size)
                if (packs_[p]->alive)
                    note(m, updates, p, weights_error<Real>(error, traits, *packs_[p]->w, dimension_, scratch));
        }
        is_current_ = remembers_;
    }
    // The errors that most studies have, of two packs at once.
    [[gnu::noinline]] void add_value_errors() {
        Pack &one = *packs_[0], &other = *packs_[1];
        Real* scratch = scratch_.data();
        const NodeTraits* traits = traits_.data();
        for (std::size_t m = 0; m < seen_.error_count; ++m) {
            const LaneError& error = seen_.errors[m];
            const std::size_t size = scratch_of(error, dimension_);
            const auto values =
                value_errors<Real>(error, traits, dimension_, {one.w, other.w}, {scratch, scratch + size});
            one.sums[m] = one.sums[m] + rooted(error, values[0]);
            other.sums[m] = other.sums[m] + rooted(error, values[1]);
            scratch += 2 * size;
            traits += error.node_count;
        }
    }
    BELLWETHER_INLINE
    void note(std::size_t m, std::size_t updates, std::size_t p, const Real& value) {
        const Pack& pack = *packs_[p];
        if (remembers_) seen_last_.data()[p * seen_.error_count + m] = value;
        if (updates > 0 && counts(updates - 1)) pack.sums[m] = pack.sums[m] + value;
        if (seen_.curves) write_curve(m, updates, pack, value);
    }
    void write_curve(std::size_t m, std::size_t updates, const Pack& pack, const Real& value) const {
        const std::size_t length = steps_ + 1;
        const std::size_t curve = m * seen_.configurations + seen_.first + pack.first;
        for (std::size_t lane = 0; lane < pack.used; ++lane)
            seen_.curves[(curve + lane) * length + updates] = value[lane];
    }

    // A lane in which some weight that an error reads is no longer finite cannot come back. Where that holds for every
    // lane and error, the rest of the source changes nothing.
    [[gnu::noinline]] void stop_diverged() {
        if (!knows_read_weights_) find_read_weights();
        for (std::size_t p = 0; p < count_; ++p) {
            Pack& pack = *packs_[p];
            bool finite = false;
            for (std::size_t m = 0; m < seen_.error_count; ++m)
                finite = finite || any_finite(zero_if_finite(m, *pack.w));
            pack.alive = pack.alive && finite;
        }
    }
    Real zero_if_finite(std::size_t m, const Weights& w) const {
        if (reads_every_weight(seen_.errors[m])) return bellwether::zero_if_finite<Real>(w, dimension_);
        Real probe(0);
        for (const ReadWeight& weight : read_weights_)
            if (weight.error == m) probe = fma(Real(0), component(w, weight.number), probe);
        return probe;
    }
    static bool reads_every_weight(const LaneError& error) {
        return error.of != LaneError::Of::states || error.kind == LaneError::Kind::projected;
    }
    // Where many states have few features between them, as in groups of states, each weight is looked at once.
    void find_read_weights() {
        for (std::size_t m = 0; m < seen_.error_count; ++m) {
            const LaneError& error = seen_.errors[m];
            if (reads_every_weight(error)) continue;
            std::vector<IsRead> is_read(dimension_);
            const auto read = [&](std::size_t i) {
                if (!is_read[i].value) read_weights_.push_back({m, i});
                is_read[i].value = true;
            };
            for (std::size_t n = 0; n < error.node_count; ++n) read(error.nodes[n].feature);
            for (std::size_t k = 0; k < error.term_count; ++k)
                if (error.terms[k].node < dimension_) read(error.terms[k].node);
        }
        knows_read_weights_ = true;
    }

    // ---- scratch: error by error, pack by pack

    std::size_t scratch_size() const {
        std::size_t size = 0;
        for (std::size_t m = 0; m < seen_.error_count; ++m) size += scratch_of(seen_.errors[m], dimension_);
        return size;
    }
    void fill_systems() {
        Real* scratch = scratch_.data();
        for (std::size_t m = 0; m < seen_.error_count; ++m) {
            const LaneError& error = seen_.errors[m];
            const std::size_t size = scratch_of(error, dimension_);
            for (std::size_t p = 0; p < count_; ++p, scratch += size)
                if (error.kind == LaneError::Kind::projected) fill_system(error, *packs_[p], scratch);
        }
    }
    void find_node_traits() {
        std::size_t count = 0;
        for (std::size_t m = 0; m < seen_.error_count; ++m) count += seen_.errors[m].node_count;
        traits_.resize(count);
        NodeTraits* traits = traits_.data();
        for (std::size_t m = 0; m < seen_.error_count; traits += seen_.errors[m].node_count, ++m)
            bellwether::find_node_traits(seen_.errors[m], dimension_, traits);
    }
    // Lanes beyond the last learner repeat it.
    void fill_system(const LaneError& error, const Pack& pack, Real* system) const {
        const std::size_t size = scratch_of(error, dimension_);
        for (std::size_t lane = 0; lane < Real::lanes; ++lane) {
            const std::size_t learner = pack.first + (lane < pack.used ? lane : pack.used - 1);
            const double* own = error.systems + error.system_of[seen_.first + learner] * size;
            for (std::size_t k = 0; k < size; ++k) system[k].set(lane, own[k]);
        }
    }

    const LaneObservation& seen_;
    std::size_t steps_, dimension_;
    Pack* const* packs_;
    std::size_t count_;
    PackBuffer<Real> scratch_;
    std::vector<NodeTraits> traits_;  // error by error, of each node
    PackBuffer<Real> seen_last_;      // pack by pack: each error when it was looked at last
    bool remembers_,
        is_current_ = false;  // whether there may be idle steps; whether these are of the weights as they are
    bool predicts_errors_ = false, predicts_ = false;
    bool adds_value_errors_ = false;  // and nothing else is observed after an update
    // Steps: before the first of these two, nothing is to be done after an update.
    std::size_t first_look_ = SIZE_MAX, next_check_ = SIZE_MAX, quiet_until_ = 0;
    std::size_t between_checks_ = 0;
    // Of this program's instruction set, as all that is compiled for it: no vector of theirs is one of others.
    struct ReadWeight {
        std::size_t error, number;
    };
    struct IsRead {
        bool value = false;
    };
    std::vector<ReadWeight> read_weights_;  // those of errors that do not read all
    bool knows_read_weights_ = false;
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
