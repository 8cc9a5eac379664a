// Predictions that share a trace. Compiled once per instruction set, with that set's flags: everything in it lives in
// the set's own inline namespace.
#include "bellwether/prediction_pack.hpp"
#include "bellwether/registry.hpp"
#include "engine/lanes.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

extern const std::size_t shared_learners_of_kernels;
const std::size_t shared_learners_of_kernels = horde_lanes;

SharedLearners* new_shared_learners(const LaneBlock& block, std::size_t dimension);

namespace {

// Algorithms whose traces depend on features, λ, discounts, policies and parameters alone, and not on the weights.
using SharingAlgorithms = AlgorithmList<Td, OffPolicyTd, ToTd, Gtd, Gtd2, Htd, ToGtd, ToHtd, Etd, EtdBeta, ToEtd,
                                        ToEtdBeta, TreeBackup, Vtrace, ImplicitTd>;

Sparse<double> entries_of(const LaneFeatures& features, std::size_t row) {
    const std::size_t first = features.first[row], count = features.first[row + 1] - first;
    return {{features.indices + first, count}, {features.values + first, count}};
}

template <template <class, class> class Algorithm>
class SharedLearnersOf final : public SharedLearners {
    using Real = Pack<double, horde_lanes>;
    using OnePack = PredictionPack<Algorithm, Real>;

public:
    // Lanes beyond the last learner repeat it.
    SharedLearnersOf(const LaneBlock& block, std::size_t dimension)
        : dimension_(dimension),
          used_(block.count),
          pack_(dimension, parameters_from<typename OnePack::Parameters>([&](std::size_t p) {
                    Real values(0);
                    for (std::size_t lane = 0; lane < horde_lanes; ++lane)
                        values.set(lane, block.parameters[p * block.count + (lane < used_ ? lane : used_ - 1)]);
                    return values;
                })) {}

    void learn(const LaneSource& source, const std::uint32_t* columns, const SharedObservation& seen) override {
        const auto shared = [&](const LaneSignal& signal, std::size_t t) {
            return signal.numbers[t * signal.by_step + (signal.by_learner ? columns[0] : 0)];
        };
        for (std::size_t t = 0; t < source.steps; ++t) {
            const std::size_t row = source.rows ? source.rows[t] : t;
            const std::size_t row_next = source.rows_next ? source.rows_next[t] : t;
            const std::uint8_t marks = source.marks ? source.marks[t] : std::uint8_t{0};
            if (marks & begins_segment) pack_.start();
            const bool is_step = !(marks & is_no_step);
            const SharedStep s{.x = entries_of(source.x, row),
                               .gamma = shared(source.gamma, t),
                               .x_next = is_step ? entries_of(source.x_next, row_next) : Sparse<double>{},
                               .rho = shared(source.rho, t),
                               .lambda = optional(source.lambda, row),
                               .lambda_next = optional(source.lambda ? source.lambda_next : nullptr, row_next),
                               .interest = source.interest ? source.interest[row] : 1,
                               .pi = shared(source.pi, t),
                               .mu = shared(source.mu, t)};
            pack_.predict(s.x, s.x_next);
            put(pack_.prediction(), columns, seen.predictions, t * seen.by_step);
            put(pack_.next_prediction(), columns, seen.next_predictions, t * seen.by_step);
            if (!is_step) continue;
            put(pack_.step(s, cumulants(source.reward, t, columns)), columns, seen.errors, t * seen.by_step);
        }
    }

    void weights(std::size_t learner, double* to) const noexcept override {
        for (std::size_t i = 0; i < dimension_; ++i) to[i] = pack_.weight(i)[learner];
    }
    std::size_t body_size() const noexcept override { return pack_.write_body(0, nullptr); }
    void save_body(std::size_t learner, std::byte* to) const noexcept override { pack_.write_body(learner, to); }
    void restore_body(std::size_t learner, const std::byte* from) noexcept override {
        pack_.restore_body(learner, {from, body_size()});
    }
    void restored() noexcept override { pack_.restored(); }

private:
    static std::optional<double> optional(const double* numbers, std::size_t row) {
        if (!numbers) return std::nullopt;
        return numbers[row];
    }
    Real cumulants(const LaneSignal& reward, std::size_t t, const std::uint32_t* columns) const {
        const double* numbers = reward.numbers + t * reward.by_step;
        if (!reward.by_learner) return Real(*numbers);
        alignas(64) double own[horde_lanes] = {};
        for (std::size_t lane = 0; lane < used_; ++lane) own[lane] = numbers[columns[lane]];
        return Real::load(own);
    }
    void put(const Real& numbers, const std::uint32_t* columns, double* to, std::size_t from) const {
        if (!to) return;
        alignas(64) double own[horde_lanes];
        numbers.store(own);
        for (std::size_t lane = 0; lane < used_; ++lane) to[from + columns[lane]] = own[lane];
    }

    std::size_t dimension_, used_;
    OnePack pack_;
};

}  // namespace

SharedLearners* new_shared_learners(const LaneBlock& block, std::size_t dimension) {
    SharedLearners* made = nullptr;
    SharingAlgorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (algorithm_table[block.algorithm].id == Algorithm<double, DenseTraces>::text.id)
            made = new SharedLearnersOf<Algorithm>(block, dimension);
    });
    return made;
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
