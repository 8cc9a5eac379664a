// Runs of a block of configurations, measured as their request says: after which steps, and from which on each error
// counts. The kernels observe errors that all count from the same step on; a run is handed to them in parts.
#include <algorithm>
#include <span>
#include <vector>

#include "engine/backend.hpp"

namespace bellwether {

namespace {

LaneTrajectory part_of(const LaneTrajectory& whole, std::size_t from, std::size_t to) {
    return {.steps = to - from,
            .rows = whole.rows + from,
            .reward = whole.reward + from,
            .gamma = whole.gamma + from,
            .rho = whole.rho + from,
            .pi = whole.pi + from,
            .mu = whole.mu + from,
            .marks = whole.marks ? whole.marks + from : nullptr,
            .rows_next = whole.rows_next ? whole.rows_next + from : nullptr,
            .measured = whole.measured ? whole.measured + from : nullptr};
}

// Whether a learner whose weights one error cannot tell from diverged ones is so for the other as well.
bool read_the_same(const LaneError& one, const LaneError& other) {
    return one.kind == other.kind && one.of == other.of && one.nodes == other.nodes && one.terms == other.terms &&
           one.systems == other.systems;
}

// A trajectory of a request, and what its learners are to be observed by.
class MeasuredRun {
public:
    MeasuredRun(const LaneRequest& request, const LaneTrajectory& trajectory)
        : request_(request), trajectory_(up_to_last_measured(trajectory)) {}

    std::size_t measurements() const { return measurements_of(trajectory_); }

    // Scores of learners `first` … of the block.
    void score(LaneLearners& learners, std::size_t first, std::size_t made, std::vector<double>& sums, double* scores) {
        if (order_.empty()) prepare_scores();
        for (std::size_t p = 0; p + 1 < borders_.size(); ++p) {
            LaneObservation observation{
                .counted_from = counted_from_.front() - std::min(counted_from_.front(), borders_[p]),
                .may_stop = true,
                .first = first,
                .configurations = request_.block.count};
            while (observation.error_count < order_.size() &&
                   (counted_from_[observation.error_count] <= borders_[p] ||
                    counted_from_[observation.error_count] == counted_from_.front()))
                ++observation.error_count;
            for (std::size_t k = observation.error_count; k < order_.size(); ++k)
                observation.may_stop = observation.may_stop && is_covered(k, observation.error_count);
            take_truth_of(p);
            learn_part(learners, p, observation, is_later(p) ? later_errors_.data() : errors_.data());
        }
        learners.sums(sums.data());
        for (std::size_t k = 0; k < order_.size(); ++k)
            for (std::size_t l = 0; l < made; ++l)
                scores[order_[k] * request_.block.count + first + l] =
                    sums[k * made + l] / static_cast<double>(request_.scored_steps_of_error(order_[k]));
    }

    // The curves of learners `first` …, into `curves` (steps() + 1 numbers for each): the error of w_0, and that after
    // every step that is measured.
    void record(LaneLearners& learners, std::size_t first, std::size_t made, double* curves) {
        if (borders_.empty()) prepare_curves();
        if (borders_.size() == 2) return record_part(learners, 0, first, curves);
        // Curves of the parts are joined; the error at the change is that of the step before it.
        for (std::size_t p = 0; p + 1 < borders_.size(); ++p) {
            const std::size_t from = borders_[p], length = borders_[p + 1] - from + 1, already = p == 0 ? 0 : 1;
            if (!is_recorded(p)) {
                LaneObservation nothing{.first = first, .configurations = request_.block.count};
                learn_part(learners, p, nothing, nullptr);
                continue;
            }
            std::vector<double> part(request_.error_count * request_.block.count * length);
            take_truth_of(p);
            record_part(learners, p, first, part.data());
            for (std::size_t m = 0; m < request_.error_count; ++m)
                for (std::size_t k = first; k < first + made; ++k) {
                    const std::size_t curve = m * request_.block.count + k;
                    std::copy_n(part.data() + curve * length + already, length - already,
                                curves + curve * (steps() + 1) + from + already);
                }
        }
    }
    std::size_t steps() const { return trajectory_.steps; }

    // The measured part of the whole curves, and the scores by it: sums in the same order as the kernels'.
    void reduce(const double* whole, double* curves, double* scores) const {
        const std::size_t length = measurements() + 1;
        for (std::size_t m = 0; m < request_.error_count; ++m) {
            const std::size_t wanted = request_.scored_steps_of_error(m);
            for (std::size_t k = 0; k < request_.block.count; ++k) {
                const std::size_t curve = m * request_.block.count + k;
                const double* from = whole + curve * (steps() + 1);
                double* to = curves + curve * length;
                *to++ = *from++;
                for (std::size_t t = 0; t < steps(); ++t, ++from)
                    if (!trajectory_.measured || trajectory_.measured[t]) *to++ = *from;
                double sum = 0;
                for (const double* counted = to - std::min(wanted, length - 1); counted < to; ++counted)
                    sum += *counted;
                scores[curve] = sum / static_cast<double>(wanted);
            }
        }
    }

private:
    void cut_at_change() {
        borders_ = {0, steps()};
        if (request_.changes_after > 0 && request_.changes_after < steps())
            borders_.insert(borders_.begin() + 1, request_.changes_after);
    }

    bool is_measured(std::size_t t) const { return !trajectory_.measured || trajectory_.measured[t]; }
    void sort_borders() {
        std::sort(borders_.begin(), borders_.end());
        borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
    }

    // Curves where some steps are not measured, or what is true changes: a part without steps for the error of w_0, one
    // for each step that is measured, and the rest between them.
    void prepare_curves() {
        cut_at_change();
        for (std::size_t m = 0; m < request_.error_count; ++m) errors_.push_back(request_.errors[m]);
        if (!trajectory_.measured && !trajectory_.offsets) return;
        for (std::size_t t = 0; t < steps(); ++t)
            if (is_measured(t)) borders_.insert(borders_.end(), {t, t + 1});
        sort_borders();
        borders_.insert(borders_.begin(), 0);
        take_own_terms();
    }
    bool is_recorded(std::size_t part) const {
        return part == 0 || (borders_[part] < borders_[part + 1] && is_measured(borders_[part + 1] - 1));
    }

    // Where what is true changes, errors have terms of their own, in which they differ from part to part: those of the
    // last measurement up to its end, of parts that follow each other.
    void take_own_terms() {
        if (!trajectory_.offsets) return;
        terms_.assign(request_.errors->terms, request_.errors->terms + request_.errors->term_count);
        for (LaneError& error : errors_) error.terms = terms_.data();
    }
    void take_truth_of(std::size_t part) {
        if (!trajectory_.offsets) return;
        if (part == 0) measured_before_ = 0;
        for (std::size_t t = borders_[part]; t < borders_[part + 1]; ++t) measured_before_ += is_measured(t);
        for (std::size_t k = 0; k < terms_.size(); ++k)
            terms_[k].b = measured_before_ == 0 ? request_.errors->terms[k].b
                                                : trajectory_.offsets[(measured_before_ - 1) * terms_.size() + k];
    }

    // Errors that count for longer come first, so that those of a part are the first ones.
    void prepare_scores() {
        cut_at_change();
        std::vector<std::size_t> from;
        for (std::size_t m = 0; m < request_.error_count; ++m) {
            order_.push_back(m);
            from.push_back(first_counted(trajectory_, request_.scored_steps_of_error(m)));
        }
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return from[a] < from[b]; });
        for (const std::size_t m : order_) {
            counted_from_.push_back(from[m]);
            errors_.push_back(request_.errors[m]);
            if (request_.later_errors) later_errors_.push_back(request_.later_errors[m]);
            if (from[m] > counted_from_.front()) borders_.push_back(from[m]);
        }
        if (trajectory_.offsets)  // a part ends with each measurement that counts
            for (std::size_t t = counted_from_.front(); t < steps(); ++t)
                if (is_measured(t)) borders_.push_back(t + 1);
        sort_borders();
        if (borders_.size() == 1) borders_.push_back(steps());  // there are no steps
        take_own_terms();
    }

    bool is_later(std::size_t part) const {
        return request_.changes_after > 0 && borders_[part] >= request_.changes_after;
    }
    bool is_covered(std::size_t error, std::size_t by_first) const {
        return std::any_of(errors_.begin(), errors_.begin() + static_cast<std::ptrdiff_t>(by_first),
                           [&](const LaneError& other) { return read_the_same(errors_[error], other); });
    }

    void learn_part(LaneLearners& learners, std::size_t p, LaneObservation& observation,
                    const LaneError* errors) const {
        const LaneTrajectory part = part_of(trajectory_, borders_[p], borders_[p + 1]);
        observation.errors = errors;
        if (!observation.curves) observation.counts = part.measured;
        learners.learn(source_of(request_, part), observation);
    }
    void record_part(LaneLearners& learners, std::size_t p, std::size_t first, double* curves) const {
        LaneObservation observation{.error_count = request_.error_count,
                                    .counted_from = steps(),
                                    .curves = curves,
                                    .first = first,
                                    .configurations = request_.block.count};
        learn_part(learners, p, observation, is_later(p) ? request_.later_errors : errors_.data());
    }

    const LaneRequest& request_;
    LaneTrajectory trajectory_;
    std::vector<std::size_t> borders_;  // of the parts
    // Where what is true changes: the terms of all errors, as they are in the part at hand, and how many measurements
    // there are up to its end.
    std::vector<LaneError::Term> terms_;
    std::size_t measured_before_ = 0;
    // For scores: in the order of the steps from which on errors count.
    std::vector<std::size_t> order_, counted_from_;
    std::vector<LaneError> errors_, later_errors_;
};

}  // namespace

// A run that diverges before has no score, whether the kernels saw it and stopped or not.
LaneTrajectory up_to_last_measured(const LaneTrajectory& trajectory) {
    std::size_t steps = trajectory.steps;
    while (trajectory.measured && steps > 0 && !trajectory.measured[steps - 1]) --steps;
    LaneTrajectory cut = trajectory;
    cut.steps = steps;
    return cut;
}

std::size_t measurements_of(const LaneTrajectory& trajectory) {
    if (!trajectory.measured) return trajectory.steps;
    return static_cast<std::size_t>(
        std::count_if(trajectory.measured, trajectory.measured + trajectory.steps, [](auto m) { return m; }));
}

std::size_t first_counted(const LaneTrajectory& trajectory, std::size_t count) {
    std::size_t t = trajectory.steps;
    while (t > 0 && count > 0)
        if (--t; !trajectory.measured || trajectory.measured[t]) --count;
    return t;
}

void InstructionSet::run(std::span<const LaneRequest> batch) const {
    for (const LaneRequest& request : batch) {
        const std::size_t count = request.block.count;
        std::vector<double> sums(request.error_count * kernels_.most_learners), whole;
        double* scores = request.scores;
        double* curves = request.curves;
        for (std::size_t r = 0; r < request.trajectory_count; ++r) {
            MeasuredRun run(request, request.trajectories[r]);
            if (curves) whole.resize(request.error_count * count * (run.steps() + 1));
            for (std::size_t first = 0; first < count; first += kernels_.most_learners) {
                const auto learners = make_lane_learners({.block = request.block,
                                                          .first = first,
                                                          .dimension = request.features.dimension,
                                                          .initial_weights = request.initial_weights,
                                                          .error_count = request.error_count,
                                                          .step_sizes = request.step_sizes});
                const std::size_t made = std::min(kernels_.most_learners, count - first);
                if (curves)
                    run.record(*learners, first, made, whole.data());
                else
                    run.score(*learners, first, made, sums, scores);
            }
            if (curves) {
                run.reduce(whole.data(), curves, scores);
                curves += request.error_count * count * (run.measurements() + 1);
            }
            scores += request.error_count * count;
        }
    }
}

}  // namespace bellwether
