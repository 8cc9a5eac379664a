// A horde's predictions learn from a stream, stretch by stretch.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "stream/horde.hpp"
#include "stream/stream_check.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

namespace {

// What many threads take longer to begin with than one to do.
constexpr double little_work = 1e5;
// Numbers that predictions with shared traces read and write before the next look at whether to stop.
constexpr double shared_work = 2e8;

LaneSignal from_prediction(LaneSignal signal, std::size_t first) {
    if (signal.by_learner) signal.numbers += first;
    return signal;
}

// One-hot features as sparse ones.
struct AsSparse {
    AsSparse(const LaneFeatures& features, std::size_t rows) : first(rows + 1), values(rows, 1.0) {
        std::iota(first.begin(), first.end(), std::uint32_t{0});
        view = {.kind = LaneFeatures::Kind::sparse,
                .dimension = features.dimension,
                .first = first.data(),
                .indices = features.indices,
                .values = values.data()};
    }
    std::vector<std::uint32_t> first;
    std::vector<double> values;
    LaneFeatures view;
};

// A source in which every step is preceded by a prediction of its next state: entries 2t and 2t + 1 for step t.
struct Interleaved {
    explicit Interleaved(const LaneSource& source) : made(source) {
        made.steps = 2 * source.steps;
        const std::size_t steps = source.steps;
        for (std::size_t t = 0; t < steps; ++t) {
            const auto row = static_cast<std::uint32_t>(t);
            const std::uint8_t given = source.marks ? source.marks[t] : std::uint8_t{0};
            const bool has_next = !(given & is_no_step);
            rows.insert(rows.end(), {has_next ? row + 1 : row, row});
            rows_next.insert(rows_next.end(), {row, row});
            marks.push_back(static_cast<std::uint8_t>(is_no_step | (given & begins_segment)));
            marks.push_back(static_cast<std::uint8_t>(given & ~begins_segment));
        }
        made.rows = rows.data();
        made.rows_next = rows_next.data();
        made.marks = marks.data();
        for (auto [signal, to] : {std::pair{&made.reward, &reward},
                                  {&made.gamma, &gamma},
                                  {&made.rho, &rho},
                                  {&made.pi, &pi},
                                  {&made.mu, &mu}}) {
            if (signal->by_step == 0) continue;
            const std::size_t width = signal->by_step;
            to->resize(2 * steps * width);
            for (std::size_t t = 0; t < steps; ++t)
                for (std::size_t e = 2 * t; e < 2 * t + 2; ++e)
                    std::copy_n(signal->numbers + t * width, width,
                                to->begin() + static_cast<std::ptrdiff_t>(e * width));
            signal->numbers = to->data();
        }
    }
    LaneSource made;
    std::vector<std::uint32_t> rows, rows_next;
    std::vector<std::uint8_t> marks;
    std::vector<double> reward, gamma, rho, pi, mu;
};

}  // namespace

void Horde::learn(const StreamView& stream, const HordeOutputs& outputs, std::size_t threads,
                  const std::function<void()>& watch) {
    if (stream.x.dimension != dimension_)
        throw UsageError("the features have the dimension " + std::to_string(stream.x.dimension) + ", the horde has " +
                         std::to_string(dimension_));
    if (stream.steps == 0) return;
    check_finite(stream, predictions_);
    check_transitions(stream, predictions_);
    check_algorithm(*info_, stream, predictions_);
    arrange(stream);
    const double work = static_cast<double>(stream.steps) * static_cast<double>(predictions_ * dimension_);
    if (work < little_work) threads = 1;
    const std::size_t most = steps_between_looks(stream, threads);
    for (std::size_t begin = 0; begin < stream.steps;) {
        const std::size_t steps = starts_ ? 1 : std::min(most, stream.steps - begin);
        LaneSource source = source_of(stream, begin, steps);
        const std::uint8_t mark =
            static_cast<std::uint8_t>(begins_segment | (stream.marks ? stream.marks[begin] : std::uint8_t{0}));
        if (starts_) source.marks = &mark;
        learn_stretch(source, begin, outputs, threads);
        starts_ = false;
        begin += steps;
        if (watch) watch();
    }
}

std::size_t Horde::steps_between_looks(const StreamView& stream, std::size_t threads) const {
    if (shared_.empty()) {
        const std::size_t rounds = (lanes_.size() + threads - 1) / threads;
        return std::max<std::size_t>(16, steps_at_once(*info_, dimension_) / rounds);
    }
    const bool one_hot = stream.x.kind == LaneFeatures::Kind::one_hot;
    const double entries = one_hot ? static_cast<double>(stream.steps)
                                   : static_cast<double>(stream.x.first[stream.steps] - stream.x.first[0]);
    const double by_step = entries / static_cast<double>(stream.steps) * static_cast<double>(predictions_) + 1;
    return static_cast<std::size_t>(std::clamp(shared_work / by_step, 16.0, 65536.0));
}

void Horde::learn_stretch(const LaneSource& source, std::size_t begin, const HordeOutputs& outputs,
                          std::size_t threads) {
    const auto in_parallel = [&](std::size_t count, const std::function<void(std::size_t)>& work) {
        if (threads == 1 || count == 1) {
            for (std::size_t g = 0; g < count; ++g) work(g);
            return;
        }
        std::atomic<bool> stop = false;
        parallel_for(
            threads, count, stop, [&](std::size_t, std::size_t g) { work(g); }, [] {});
    };
    if (shared_.empty()) {
        if (!outputs.has_next())
            return in_parallel(lanes_.size(),
                               [&](std::size_t g) { learn_in_lanes(lanes_[g], source, begin, outputs); });
        const Interleaved both(source);
        return in_parallel(lanes_.size(), [&](std::size_t g) { learn_in_lanes(lanes_[g], both.made, begin, outputs); });
    }
    const auto at = [&](double* to) { return to ? to + begin * predictions_ : nullptr; };
    const SharedObservation seen{.predictions = at(outputs.predictions),
                                 .next_predictions = at(outputs.next_predictions),
                                 .errors = at(outputs.errors),
                                 .by_step = predictions_};
    LaneSource entries = source;
    std::vector<AsSparse> converted;
    if (source.x.kind == LaneFeatures::Kind::one_hot) {
        converted.emplace_back(source.x, source.steps);
        converted.emplace_back(source.x_next, source.steps);
        entries.x = converted[0].view;
        entries.x_next = converted[1].view;
    }
    in_parallel(shared_.size(),
                [&](std::size_t g) { shared_[g].learners->learn(entries, shared_[g].predictions.data(), seen); });
}

void Horde::learn_in_lanes(const LaneGroup& group, const LaneSource& source, std::size_t begin,
                           const HordeOutputs& outputs) const {
    LaneSource own = source;
    for (LaneSignal* signal : {&own.reward, &own.gamma, &own.rho, &own.pi, &own.mu})
        *signal = from_prediction(*signal, group.first);
    const std::size_t place = begin * predictions_ + group.first;
    if (!outputs.has_next()) {
        group.learners->learn(own, {.predictions = outputs.predictions ? outputs.predictions + place : nullptr,
                                    .predictions_by_step = predictions_});
        return;
    }
    std::vector<double> both(own.steps * group.count);
    group.learners->learn(own, {.predictions = both.data(), .predictions_by_step = group.count});
    const auto number = [](const LaneSignal& signal, std::size_t entry, std::size_t k) {
        return signal.numbers[entry * signal.by_step + (signal.by_learner ? k : 0)];
    };
    for (std::size_t t = 0; 2 * t < own.steps; ++t)
        for (std::size_t k = 0; k < group.count; ++k) {
            const double next = both[2 * t * group.count + k], now = both[(2 * t + 1) * group.count + k];
            const std::size_t to = place + t * predictions_ + k;
            if (outputs.predictions) outputs.predictions[to] = now;
            if (outputs.next_predictions) outputs.next_predictions[to] = next;
            if (outputs.errors)
                outputs.errors[to] = std::fma(number(own.gamma, 2 * t, k), next, number(own.reward, 2 * t, k)) - now;
        }
}

}  // namespace bellwether
