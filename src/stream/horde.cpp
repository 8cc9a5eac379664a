#include "stream/horde.hpp"

#include <algorithm>
#include <atomic>

#include "bellwether/catalogue.hpp"
#include "bellwether/registry.hpp"
#include "engine/learners.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"

namespace bellwether {

namespace {

// What many threads take longer to begin with than one to do.
constexpr double little_work = 1e5;

void check_parameters(const AlgorithmInfo& info, std::span<const double> parameters, std::size_t predictions) {
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
        for (const double value : parameters.subspan(p * predictions, predictions)) {
            const ParameterInfo& parameter = info.parameters[p];
            if (!parameter.range.contains(value))
                throw UsageError(std::string(parameter.name) + " = " + number_text(value) +
                                 " is out of range: it must be finite and " + describe(parameter.range));
        }
}

LaneSignal from_prediction(LaneSignal signal, std::size_t first) {
    if (signal.by_learner) signal.numbers += first;
    return signal;
}

}  // namespace

Horde::Horde(const AlgorithmInfo& info, std::size_t dimension, std::size_t predictions, std::vector<double> parameters,
             const LaneLearnersTarget* target)
    : info_(&info), dimension_(dimension), predictions_(predictions), parameters_(std::move(parameters)) {
    if (dimension == 0) throw UsageError("the dimension must be at least 1");
    if (predictions == 0) throw UsageError("a horde has at least one prediction");
    check_parameters(info, parameters_, predictions);
    const LaneLearnersTarget chosen = target ? *target : lane_learners_targets().front();
    group_size_ = chosen.most_learners;
    for (std::size_t first = 0; first < predictions; first += group_size_) {
        const std::size_t count = std::min(group_size_, predictions - first);
        std::vector<double> own;
        for (std::size_t p = 0; p < info.parameters.size(); ++p)
            for (std::size_t k = 0; k < count; ++k) own.push_back(parameter(p, first + k));
        const LaneBlock block{.algorithm = static_cast<std::size_t>(find_algorithm(info.id) - algorithm_table.data()),
                              .count = count,
                              .parameters = own.data()};
        groups_.push_back({first, chosen.make(block, dimension, nullptr)});
    }
}

void Horde::learn(const StreamView& stream, double* before, std::size_t threads, const std::function<void()>& watch) {
    if (stream.x.dimension != dimension_)
        throw UsageError("the features have the dimension " + std::to_string(stream.x.dimension) + ", the horde has " +
                         std::to_string(dimension_));
    if (stream.steps == 0) return;
    check_stream(stream, predictions_);
    check_algorithm(*info_, stream, predictions_);
    const double work = static_cast<double>(stream.steps) * static_cast<double>(predictions_ * dimension_);
    if (work < little_work) threads = 1;
    const std::size_t rounds = (groups_.size() + threads - 1) / threads;
    const std::size_t most = std::max<std::size_t>(16, steps_at_once(*info_, dimension_) / rounds);
    for (std::size_t begin = 0; begin < stream.steps;) {
        const std::size_t steps = starts_ ? 1 : std::min(most, stream.steps - begin);
        learn_stretch(stream, begin, steps, starts_, before, threads);
        starts_ = false;
        begin += steps;
        if (watch) watch();
    }
}

void Horde::learn_stretch(const StreamView& stream, std::size_t begin, std::size_t steps, bool starts, double* before,
                          std::size_t threads) {
    LaneStretch shared = stretch_of(stream, begin, steps);
    const std::uint8_t mark =
        static_cast<std::uint8_t>(begins_segment | (stream.marks ? stream.marks[begin] : std::uint8_t{0}));
    if (starts) shared.marks = &mark;
    if (before) shared.predictions = before + begin * predictions_;
    shared.predictions_by_step = predictions_;
    const auto learn_group = [&](std::size_t g) {
        const Group& group = groups_[g];
        LaneStretch own = shared;
        for (LaneSignal* signal : {&own.reward, &own.gamma, &own.rho, &own.pi, &own.mu})
            *signal = from_prediction(*signal, group.first);
        if (before) own.predictions += group.first;
        group.learners->learn(own);
    };
    if (threads == 1 || groups_.size() == 1) {
        for (std::size_t g = 0; g < groups_.size(); ++g) learn_group(g);
        return;
    }
    std::atomic<bool> stop = false;
    parallel_for(
        threads, groups_.size(), stop, [&](std::size_t, std::size_t g) { learn_group(g); }, [] {});
}

std::vector<double> Horde::weights() const {
    std::vector<double> all(predictions_ * dimension_);
    for (const Group& group : groups_) group.learners->weights(all.data() + group.first * dimension_);
    return all;
}

std::vector<std::byte> Horde::save(std::size_t prediction) const {
    const Group& group = groups_[prediction / group_size_];
    std::vector<std::byte> body(group.learners->body_size());
    group.learners->save_body(prediction - group.first, body.data());
    SavedState state{.dimension = dimension_, .algorithm = info_->id, .body = body};
    for (std::size_t p = 0; p < info_->parameters.size(); ++p)
        state.parameters.push_back({info_->parameters[p].name, parameter(p, prediction)});
    std::vector<std::byte> bytes = write_state(state);
    if (!starts_) return bytes;
    std::vector<double> parameters;
    for (const NamedValue& given : state.parameters) parameters.push_back(given.value);
    const std::unique_ptr<Learner> learner =
        learner_targets().front().make(*info_, dimension_, parameters, std::nullopt);
    learner->restore(bytes);
    learner->start();
    return learner->save();
}

std::string Horde::restore(std::size_t prediction, std::span<const std::byte> bytes) {
    SavedState state;
    if (std::string problem = read_state(bytes, state); !problem.empty()) return problem;
    const Group& group = groups_[prediction / group_size_];
    bool same = state.scalar_bytes == sizeof(double) && state.algorithm == info_->id && state.dimension == dimension_ &&
                !state.cutoff && state.parameters.size() == info_->parameters.size() &&
                state.body.size() == group.learners->body_size();
    for (std::size_t p = 0; same && p < state.parameters.size(); ++p)
        same = state.parameters[p].name == info_->parameters[p].name &&
               state.parameters[p].value == parameter(p, prediction);
    if (!same) return "it is not a state of this prediction: algorithm, dimension or parameters differ";
    group.learners->restore_body(prediction - group.first, state.body.data());
    return {};
}

}  // namespace bellwether
