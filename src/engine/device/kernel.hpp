// What a thread of a device does: one configuration through one trajectory. The same source runs on the host, thread
// after thread, so that it can be tested where there is no device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "engine/device/kernel_data.hpp"
#include "engine/lane_errors.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

using DeviceReal = Lane<double, threads_of_block>;

// What a device has a kernel for: no matrices.
template <template <class, class> class Algorithm>
inline constexpr bool runs_on_device = !Algorithm<DeviceReal, DenseTraces>::text.quadratic;

// Updates component by component, which have their features spread out (elementwise.hpp).
template <class Algorithm>
concept SpreadsFeatures = requires(Algorithm algorithm) {
    algorithm.spread_x;
};
template <template <class, class> class Algorithm>
inline constexpr bool spreads_on_device = SpreadsFeatures<Algorithm<DeviceReal, DenseTraces>>;

// Gives every vector of a learner its place in the memory of a block; without memory, counts a thread's numbers.
class DeviceLayout {
public:
    BELLWETHER_INLINE
    DeviceLayout(std::size_t dimension, DeviceReal* of_thread) : dimension_(dimension), next_(of_thread) {}

    BELLWETHER_INLINE
    void numbers(Vector<DeviceReal>& v) { v = take(dimension_); }
    BELLWETHER_INLINE
    void number(DeviceReal&, int) {}
    BELLWETHER_INLINE
    void flag(std::uint32_t&) {}

    BELLWETHER_INLINE
    Vector<DeviceReal> take(std::size_t count) {
        const Vector<DeviceReal> taken(next_, count);
        if (next_) next_ += count * threads_of_block;
        taken_ += count;
        return taken;
    }
    BELLWETHER_INLINE
    std::size_t taken() const { return taken_; }

private:
    std::size_t dimension_, taken_ = 0;
    DeviceReal* next_;
};

// The numbers that the vectors of a learner take.
template <template <class, class> class Algorithm>
std::size_t numbers_of_learner(std::size_t dimension) {
    Algorithm<DeviceReal, DenseTraces> nowhere{};
    DeviceLayout layout(dimension, nullptr);
    nowhere.visit(EveryPart<DeviceLayout>{layout});
    return layout.taken();
}

template <class Parameters, std::size_t p>
BELLWETHER_INLINE void set_parameter(Parameters& parameters, const double* values, std::size_t count) {
    constexpr auto field = std::get<p>(Parameters::declare()).field;
    parameters.*field = DeviceReal(values[p * count]);
}
template <class Parameters, std::size_t... P>
BELLWETHER_INLINE void set_parameters(Parameters& parameters, const double* values, std::size_t count,
                                      std::index_sequence<P...>) {
    (set_parameter<Parameters, P>(parameters, values, count), ...);
}

// Rows of one-hot features are resolved before they get here.
template <class Features>
BELLWETHER_INLINE Features features_on_device(const LaneFeatures& all, std::uint32_t row) {
    if constexpr (std::is_same_v<Features, OneHot>) {
        return {row};
    } else {
        return features_of<Features>(all, row);
    }
}

// The same, spread out; `row` as there.
template <class Features>
BELLWETHER_INLINE SpreadRow<double> spread_on_device(const double* spread, std::uint32_t row, std::size_t dimension) {
    if constexpr (std::is_same_v<Features, OneHot>) {
        return {spread + (dimension - 1 - row), dimension};
    } else {
        return {spread + row * dimension, dimension};
    }
}

// Pointers out of a list: what lies there is in the device's memory, which the compiler cannot know.
template <class T>
BELLWETHER_INLINE const T* in_device_memory(const T* pointer) {
#if defined(__CUDA_ARCH__)
    return static_cast<const T*>(__cvta_global_to_generic(__cvta_generic_to_global(pointer)));
#else
    return pointer;
#endif
}

// A configuration on its way.
template <template <class, class> class AlgorithmTemplate, class Features>
class DeviceThread {
    using Real = DeviceReal;
    using Algorithm = AlgorithmTemplate<Real, DenseTraces>;

public:
    // `memory` is the block's: numbers for each of its threads, interleaved.
    BELLWETHER_INLINE
    DeviceThread(const DeviceRequest& request, std::uint64_t trajectory, std::uint64_t configuration, Real* of_thread)
        : request_(request),
          trajectory_(trajectory),
          configuration_(configuration),
          dimension_(request.features.dimension) {
        DeviceLayout layout(dimension_, of_thread);
        algorithm_.visit(EveryPart<DeviceLayout>{layout});
        if constexpr (requires { algorithm_.connect(); }) algorithm_.connect();
        sums_ = layout.take(request.error_count);
        nodes_ = layout.take(request.scratch);
        last_errors_ = layout.take(request.remembered);
        Clear clear;
        algorithm_.visit(EveryPart<Clear>{clear});
        bellwether::clear(sums_);
        set_parameters(algorithm_.parameters, request.parameters + configuration, request.count,
                       std::make_index_sequence<Algorithm::Parameters::declare().size()>{});
        if constexpr (requires { algorithm_.initialize(); }) algorithm_.initialize();
        if (request.initial_weights)
            for (std::size_t i = 0; i < dimension_; ++i)
                components_of(algorithm_.w)[i] = Real(request.initial_weights[i]);
    }

    BELLWETHER_INLINE
    void run() {
        const DeviceTrajectory trajectory = request_.trajectories[trajectory_];
        const DeviceStep* const steps = request_.steps + trajectory.first;
        // Before the first step stands one that brought nothing.
        Memory<Real> before;
        Coming coming(*steps, request_);
        const std::uint32_t recorded = request_.curves ? is_recorded : 0;
        std::uint32_t due = recorded;  // DeviceEvents
        std::uint32_t part = 0;
        for (std::uint32_t t = 0;; ++t) {
            if (due & looks) look(part, trajectory, t, due);
            if (t == trajectory.steps) break;
            const Coming now = coming;
            coming = Coming(steps[t + 1], request_);  // read before it is needed
            part = t >= request_.changes_after;
            if (request_.events) {
                due = request_.events[trajectory.first + t];
                if (!begin_step(now, t, due, before)) continue;
            } else {
                due = (t >= trajectory.counted_from ? adds_every_error : 0) | recorded;
            }
            before =
                step(now, request_.lambda_next ? request_.lambda_next[trajectory.first + t] : coming.lambda, before);
        }
        if (request_.is_stream) end_stream();
        write_scores();
    }

private:
    static constexpr bool reads_policies = Algorithm::text.needs_policies;
    static constexpr std::uint32_t looks = adds_every_error | is_recorded;

    // What is read of a step.
    struct Coming {
        double reward, gamma, rho, pi = 1, mu = 1, lambda = 0, interest = 1;
        std::uint32_t row, row_next;

        BELLWETHER_INLINE
        Coming(const DeviceStep& s, const DeviceRequest& request)
            : reward(s.reward), gamma(s.gamma), rho(s.rho), row(s.row), row_next(s.row_next) {
            if constexpr (reads_policies) {
                pi = s.pi;
                mu = s.mu;
            }
            if (request.has_lambda) lambda = s.lambda;
            if (Algorithm::text.uses_interest && request.has_interest) interest = s.interest;
        }
    };

    BELLWETHER_INLINE
    Memory<Real> step(const Coming& now, double lambda_of_next_state, const Memory<Real>& before) {
        const Features x = features_on_device<Features>(request_.features, now.row);
        const Features x_next = features_on_device<Features>(request_.features_next, now.row_next);
        if constexpr (SpreadsFeatures<Algorithm>)
            algorithm_.spread_x = spread_on_device<Features>(request_.spread, now.row, dimension_);
        if constexpr (requires { algorithm_.spread_x_next; })
            algorithm_.spread_x_next = spread_on_device<Features>(request_.spread_next, now.row_next, dimension_);
        const Memory<Real> memory{Real(now.gamma), Real(now.rho), Real(now.pi), Real(now.mu)};
        const Real own_lambda = lambda_of(algorithm_.parameters);
        algorithm_.update(make_step(x, x_next, Real(now.reward), memory, before,
                                    request_.has_lambda ? Real(now.lambda) : own_lambda,
                                    request_.has_lambda ? Real(lambda_of_next_state) : own_lambda, Real(now.interest)));
        return memory;
    }

    // Before the update of a step with events; whether there is one.
    BELLWETHER_INLINE
    bool begin_step(const Coming& now, std::uint32_t t, std::uint32_t& due, Memory<Real>& before) {
        const std::uint32_t marks = due >> marks_of_event;
        if (marks & is_idle) return false;
        if (marks & begins_segment) {
            algorithm_.visit(Settle{});
            algorithm_.visit(ClearSegment{});
            before = {};
        }
        if (request_.stream.predicts && (due & adds_every_error)) add_prediction_errors(now, t);
        if (marks & is_no_step) due = 0;
        return !(marks & is_no_step);
    }
    BELLWETHER_INLINE
    void add_prediction_errors(const Coming& now, std::uint32_t t) {
        const Real prediction = dot(features_on_device<Features>(request_.features, now.row), algorithm_.w);
        for (std::size_t m = 0; m < request_.error_count; ++m) {
            const LaneError& error = request_.errors[0].errors[m];
            if (error.of != LaneError::Of::prediction) continue;
            const Real target(error.target.numbers[t * error.target.by_step]);
            sums_[m] = sums_[m] + rooted(error, deviation(error, prediction - target));
        }
    }
    // A configuration with a weight that is not finite has no sums.
    BELLWETHER_INLINE
    void end_stream() {
        Real probe(0);
        for (std::size_t i = 0; i < dimension_; ++i) {
            const Real weight = component(algorithm_.w, i);
            probe = fma(Real(0), weight, probe);
            if (request_.stream.weights) request_.stream.weights[configuration_ * dimension_ + i] = weight[0];
        }
        if (probe[0] == 0) return;
        for (std::size_t m = 0; m < request_.error_count; ++m) sums_[m] = Real(__builtin_inf());
    }

    // After so many steps, by the errors that hold then.
    BELLWETHER_INLINE
    void look(std::uint32_t part, const DeviceTrajectory& trajectory, std::uint32_t t, std::uint32_t due) {
        const std::uint64_t measurement = request_.measurements ? request_.measurements[trajectory.first + t] : t;
        const std::uint64_t truth = trajectory.first_truth + measurement;
        for (std::size_t m = 0; m < request_.error_count; ++m) {
            const LaneError& error = request_.errors[part].errors[m];
            const bool counts = due & (adds_error << m);
            if (!counts && !(due & is_recorded)) continue;
            if (request_.is_stream && error.of == LaneError::Of::prediction) continue;
            const Real value = due & repeats_errors ? last_errors_[m] : rooted(error, error_of(part, m, truth));
            if (request_.remembered > 0) last_errors_[m] = value;
            if (counts) sums_[m] = sums_[m] + value;
            if (due & is_recorded) request_.curves[place(m) * request_.curve_length + measurement] = value[0];
        }
    }
    BELLWETHER_INLINE
    Real error_of(std::uint32_t part, std::size_t m, std::uint64_t truth) {
        const DeviceErrors& all = request_.errors[part];
        const LaneError& error = all.errors[m];
        const DeviceErrors::OwnParts& own = all.own[m];
        if (request_.is_stream) return row_error<Real>(error, algorithm_.w);
        if (error.kind == LaneError::Kind::projected) {
            const std::uint32_t system = in_device_memory(error.system_of)[configuration_];
            return projected_error<Real>(error, algorithm_.w, dimension_,
                                         in_device_memory(error.systems) + system * scratch_of(error, dimension_));
        }
        // Each in a place of its own, so that the compiler knows where it lies.
        LaneError there = error;
        if (error.subsets && is_at_rest(algorithm_.w)) {
            there.subsets = all.own_subsets + own.subsets;
            return value_error<Real>(there, algorithm_.w, dimension_, nodes_);
        }
        there.subsets = nullptr;
        if (own.has_terms) {
            there.terms = all.own_terms + own.terms;
            there.nodes = all.own_nodes + own.nodes;
            return value_error<Real>(there, algorithm_.w, dimension_, nodes_);
        }
        there.terms = in_device_memory(request_.truths ? request_.truths + truth * error.term_count : error.terms);
        there.nodes = in_device_memory(error.nodes);
        return value_error<Real>(there, algorithm_.w, dimension_, nodes_);
    }
    BELLWETHER_INLINE
    void write_scores() {
        for (std::size_t m = 0; m < request_.error_count; ++m)
            request_.scores[place(m)] = sums_[m][0] / request_.scored_steps[m];
    }
    BELLWETHER_INLINE
    std::uint64_t place(std::size_t error) const {
        return (trajectory_ * request_.error_count + error) * request_.count + configuration_;
    }

    const DeviceRequest& request_;
    std::uint64_t trajectory_, configuration_;
    std::size_t dimension_;
    Algorithm algorithm_;
    Vector<Real> sums_, nodes_, last_errors_;
};

template <template <class, class> class Algorithm, class Features>
BELLWETHER_INLINE void run_device_thread(const DeviceRequest& request, std::uint64_t block, std::uint64_t thread,
                                         void* memory) {
    const std::uint64_t blocks = blocks_of_trajectory(request.count);
    const std::uint64_t trajectory = block / blocks, slot = block % blocks * threads_of_block + thread;
    if (slot >= request.count) return;
    DeviceThread<Algorithm, Features>(request, trajectory, request.order[slot],
                                      static_cast<DeviceReal*>(memory) + thread)
        .run();
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
