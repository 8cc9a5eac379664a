#include "stream/horde.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/backend.hpp"
#include "stream/stream_check.hpp"
#include "support/algorithms.hpp"
#include "support/error.hpp"
#include "support/parallel_for.hpp"
#include "support/parameter_order.hpp"

namespace bellwether {

namespace {

// What many threads take longer to begin with than one to do.
constexpr double little_work = 1e5;
// Memory and time of a shared trace are worth it where a prediction in lanes, with a trace of its own and a copy of its
// weights to read, takes more: at about a third of the lanes.
constexpr std::size_t own_vectors = 3;
// Numbers that predictions with shared traces read and write before the next look at whether to stop.
constexpr double shared_work = 2e8;

LaneSignal from_prediction(LaneSignal signal, std::size_t first) {
    if (signal.by_learner) signal.numbers += first;
    return signal;
}

// What a trace is made from; the cumulant is not in it.
std::array<const LaneSignal*, 4> signals_of_traces(const StreamView& stream) {
    return {&stream.gamma, &stream.rho, &stream.pi, &stream.mu};
}
bool agree(const StreamView& stream, std::size_t one, std::size_t other) {
    for (const LaneSignal* signal : signals_of_traces(stream)) {
        if (!signal->by_learner) continue;
        const std::size_t steps = signal->by_step == 0 ? 1 : stream.steps;
        for (std::size_t t = 0; t < steps; ++t)
            if (std::bit_cast<std::uint64_t>(number_at(*signal, t, one)) !=
                std::bit_cast<std::uint64_t>(number_at(*signal, t, other)))
                return false;
    }
    return true;
}
std::uint64_t mixed(std::uint64_t hash, double number) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15;
    return hash ^ (hash >> 32);
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

Horde::Horde(const AlgorithmInfo& info, std::size_t dimension, std::size_t predictions, std::vector<double> parameters,
             const InstructionSet* instruction_set)
    : info_(&info),
      dimension_(dimension),
      predictions_(predictions),
      parameters_(std::move(parameters)),
      instruction_set_(instruction_set ? instruction_set : &best_instruction_set()),
      bodies_(predictions) {
    if (dimension == 0) throw UsageError("the dimension must be at least 1");
    if (predictions == 0) throw UsageError("a horde has at least one prediction");
    for (std::size_t p = 0; p < info.parameters.size(); ++p)
        for (std::size_t k = 0; k < predictions; ++k) check_range(info.parameters[p], parameter(p, k));
    check_orders();
}

void Horde::check_orders() const {
    for (std::uint32_t k = 0; k < predictions_; ++k) check_order(*info_, block_parameters({k}));
}

void Horde::grow(std::size_t predictions, std::span<const double> parameters) {
    std::vector<double> all;
    for (std::size_t p = 0; p < info_->parameters.size(); ++p) {
        for (std::size_t k = 0; k < predictions; ++k)
            check_range(info_->parameters[p], parameters[p * predictions + k]);
        const auto old = parameters_.begin() + static_cast<std::ptrdiff_t>(p * predictions_);
        all.insert(all.end(), old, old + static_cast<std::ptrdiff_t>(predictions_));
        const auto added = parameters.subspan(p * predictions, predictions);
        all.insert(all.end(), added.begin(), added.end());
    }
    for (std::size_t k = 0; k < predictions; ++k) {
        std::vector<double> own;
        for (std::size_t p = 0; p < info_->parameters.size(); ++p) own.push_back(parameters[p * predictions + k]);
        check_order(*info_, own);
    }
    parameters_ = std::move(all);
    predictions_ += predictions;
    bodies_.resize(predictions_);
}

// ---- who learns with whom

std::vector<double> Horde::block_parameters(const Predictions& predictions) const {
    std::vector<double> own;
    for (std::size_t p = 0; p < info_->parameters.size(); ++p)
        for (const std::uint32_t k : predictions) own.push_back(parameter(p, k));
    return own;
}

Horde::Place Horde::place_of(std::size_t prediction) const {
    for (const LaneGroup& group : lanes_)
        if (prediction >= group.first && prediction < group.first + group.count)
            return {&group, nullptr, prediction - group.first};
    for (const SharedGroup& group : shared_) {
        const auto found = std::find(group.predictions.begin(), group.predictions.end(), prediction);
        if (found != group.predictions.end())
            return {nullptr, &group, static_cast<std::size_t>(found - group.predictions.begin())};
    }
    return {};
}

Horde::Predictions Horde::without_group() const {
    std::vector<bool> has(predictions_);
    for (const LaneGroup& group : lanes_)
        for (std::size_t k = 0; k < group.count; ++k) has[group.first + k] = true;
    for (const SharedGroup& group : shared_)
        for (const std::uint32_t k : group.predictions) has[k] = true;
    Predictions without;
    for (std::uint32_t k = 0; k < predictions_; ++k)
        if (!has[k]) without.push_back(k);
    return without;
}

bool Horde::groups_fit(const StreamView& stream) const {
    if (!shared_.empty() && stream.x.kind == LaneFeatures::Kind::dense) return false;
    return std::all_of(shared_.begin(), shared_.end(), [&](const SharedGroup& group) {
        return std::all_of(group.predictions.begin(), group.predictions.end(),
                           [&](std::uint32_t k) { return agree(stream, group.predictions[0], k); });
    });
}

// Predictions that have all that their traces read in common; by hash, which groups_fit() does not rely on.
std::vector<Horde::Predictions> Horde::that_agree(const StreamView& stream, const Predictions& predictions) const {
    std::vector<Predictions> classes;
    std::map<std::uint64_t, std::size_t> class_of;
    for (const std::uint32_t k : predictions) {
        std::uint64_t hash = 0;
        for (std::size_t p = 0; p < info_->parameters.size(); ++p)
            if (trace_reads(*info_, info_->parameters[p])) hash = mixed(hash, parameter(p, k));
        for (const LaneSignal* signal : signals_of_traces(stream)) {
            if (!signal->by_learner) continue;
            for (std::size_t t = 0; t < (signal->by_step == 0 ? 1 : stream.steps); ++t)
                hash = mixed(hash, number_at(*signal, t, k));
        }
        const auto [found, is_new] = class_of.emplace(hash, classes.size());
        if (is_new) classes.emplace_back();
        classes[found->second].push_back(k);
    }
    return classes;
}

bool Horde::worth_sharing(const std::vector<Predictions>& classes) const {
    const std::size_t most = instruction_set_->shared_learners();
    std::size_t predictions = 0, lanes = 0;
    for (const Predictions& one : classes) {
        predictions += one.size();
        lanes += (one.size() + most - 1) / most * most;
    }
    return lanes <= own_vectors * predictions;
}

void Horde::arrange(const StreamView& stream) {
    Predictions unplaced = without_group();
    const bool sparse = stream.x.kind != LaneFeatures::Kind::dense;
    // Where predictions are in lanes that might share, look whether they do, once.
    const bool has_lanes = !lanes_.empty();
    if (!has_lanes && sparse && shareable_) {
        if (!groups_fit(stream)) {
            dissolve_groups();
            unplaced = without_group();
        }
        if (unplaced.empty()) return;
        const std::vector<double> parameters = block_parameters({0});
        const LaneBlock one{.algorithm = registry_index(*info_), .count = 1, .parameters = parameters.data()};
        const std::vector<Predictions> classes = that_agree(stream, unplaced);
        if ((!shared_.empty() || worth_sharing(classes)) && instruction_set_->make_shared_learners(one, 1)) {
            for (const Predictions& each : classes) share(each);
            if (groups_fit(stream)) return;
        }
        shareable_ = false;
    }
    if (!shared_.empty()) {
        dissolve_groups();
        unplaced = without_group();
        shareable_ = false;
    }
    if (!unplaced.empty()) put_into_lanes();
}

void Horde::dissolve_groups() {
    for (std::uint32_t k = 0; k < predictions_; ++k)
        if (place_of(k).lanes || place_of(k).shared) bodies_[k] = body_of(k);
    lanes_.clear();
    shared_.clear();
}

// Predictions whose signals agree. Those whose traces do not, since they began at other times, make groups of their
// own.
void Horde::share(Predictions predictions) {
    const std::size_t most = instruction_set_->shared_learners();
    while (!predictions.empty()) {
        Predictions chosen(predictions.begin(),
                           predictions.begin() + static_cast<std::ptrdiff_t>(std::min(most, predictions.size())));
        predictions.erase(predictions.begin(), predictions.begin() + static_cast<std::ptrdiff_t>(chosen.size()));
        const auto make = [&] {
            const std::vector<double> parameters = block_parameters(chosen);
            const LaneBlock block{
                .algorithm = registry_index(*info_), .count = chosen.size(), .parameters = parameters.data()};
            auto learners = instruction_set_->make_shared_learners(block, dimension_);
            // From the last to the first, whose trace is the one that stays.
            for (std::size_t lane = chosen.size(); lane-- > 0;)
                if (!bodies_[chosen[lane]].empty()) learners->restore_body(lane, bodies_[chosen[lane]].data());
            learners->restored();
            return learners;
        };
        // What began with the first of them, and what did not.
        const bool first_is_new = bodies_[chosen[0]].empty();
        const auto others = std::stable_partition(chosen.begin(), chosen.end(),
                                                  [&](std::uint32_t k) { return bodies_[k].empty() == first_is_new; });
        predictions.insert(predictions.end(), others, chosen.end());
        chosen.erase(others, chosen.end());
        auto learners = make();
        if (!first_is_new) {
            Body saved(learners->body_size());
            std::size_t lane = 0;
            const auto differ = std::stable_partition(chosen.begin(), chosen.end(), [&](std::uint32_t k) {
                learners->save_body(lane++, saved.data());
                return saved == bodies_[k];
            });
            if (differ != chosen.end()) {
                predictions.insert(predictions.end(), differ, chosen.end());
                chosen.erase(differ, chosen.end());
                learners = make();
            }
        }
        for (const std::uint32_t k : chosen) bodies_[k] = {};
        shared_.push_back({chosen, std::move(learners)});
    }
}

// All that are in no group: what comes after those that are.
void Horde::put_into_lanes() {
    const std::size_t most = instruction_set_->most_learners();
    std::size_t first = 0;
    for (const LaneGroup& group : lanes_) first = group.first + group.count;
    for (; first < predictions_; first += lanes_.back().count) {
        Predictions chosen(std::min(most, predictions_ - first));
        std::iota(chosen.begin(), chosen.end(), static_cast<std::uint32_t>(first));
        const std::vector<double> parameters = block_parameters(chosen);
        const LaneBlock block{
            .algorithm = registry_index(*info_), .count = chosen.size(), .parameters = parameters.data()};
        auto learners = instruction_set_->make_lane_learners(
            {.block = block, .first = 0, .dimension = dimension_, .initial_weights = nullptr, .error_count = 0});
        for (std::size_t lane = 0; lane < chosen.size(); ++lane) {
            Body& body = bodies_[chosen[lane]];
            if (!body.empty()) learners->restore_body(lane, body.data());
            body = {};
        }
        lanes_.push_back({first, chosen.size(), std::move(learners)});
    }
}

// ---- learning

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

// ---- reading, saving, restoring

std::vector<double> Horde::weights(std::size_t prediction) const {
    std::vector<double> own(dimension_);
    const Place place = place_of(prediction);
    if (place.shared) {
        place.shared->learners->weights(place.learner, own.data());
    } else {
        const auto learner = learner_of(prediction);
        std::copy(learner->weights().begin(), learner->weights().end(), own.begin());
    }
    return own;
}

std::vector<double> Horde::weights() const {
    std::vector<double> all(predictions_ * dimension_);
    for (const LaneGroup& group : lanes_) group.learners->weights(all.data() + group.first * dimension_);
    for (const SharedGroup& group : shared_)
        for (std::size_t lane = 0; lane < group.predictions.size(); ++lane)
            group.learners->weights(lane, all.data() + group.predictions[lane] * dimension_);
    for (const std::uint32_t k : without_group()) {
        if (bodies_[k].empty()) continue;
        const std::vector<double> own = weights(k);
        std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(k * dimension_));
    }
    return all;
}

// A learner of its own that goes on with the prediction.
std::unique_ptr<Learner> Horde::learner_of(std::size_t prediction) const {
    auto learner = instruction_set_->make_learner(
        *info_, dimension_, block_parameters({static_cast<std::uint32_t>(prediction)}), std::nullopt);
    const Body body = body_of(prediction);
    if (!body.empty()) learner->restore(state_of(prediction, body));
    return learner;
}

Horde::Body Horde::body_of(std::size_t prediction) const {
    const Place place = place_of(prediction);
    const auto saved = [&](const auto& learners) {
        Body body(learners.body_size());
        learners.save_body(place.learner, body.data());
        return body;
    };
    if (place.lanes) return saved(*place.lanes->learners);
    if (place.shared) return saved(*place.shared->learners);
    return bodies_[prediction];
}

std::vector<std::byte> Horde::state_of(std::size_t prediction, const Body& body) const {
    SavedState state{.dimension = dimension_, .algorithm = info_->id, .body = body};
    for (std::size_t p = 0; p < info_->parameters.size(); ++p)
        state.parameters.push_back({info_->parameters[p].name, parameter(p, prediction)});
    return write_state(state);
}

std::vector<std::byte> Horde::save(std::size_t prediction) const {
    const Body body = body_of(prediction);
    if (!starts_ && !body.empty()) return state_of(prediction, body);
    const std::unique_ptr<Learner> learner = learner_of(prediction);
    if (starts_) learner->start();
    return learner->save();
}

std::string Horde::restore(std::size_t prediction, std::span<const std::byte> bytes) {
    SavedState state;
    if (std::string problem = read_state(bytes, state); !problem.empty()) return problem;
    bool same = state.scalar_bytes == sizeof(double) && state.algorithm == info_->id && state.dimension == dimension_ &&
                !state.cutoff && state.parameters.size() == info_->parameters.size();
    for (std::size_t p = 0; same && p < state.parameters.size(); ++p)
        same = state.parameters[p].name == info_->parameters[p].name &&
               state.parameters[p].value == parameter(p, prediction);
    const auto learner = instruction_set_->make_learner(
        *info_, dimension_, block_parameters({static_cast<std::uint32_t>(prediction)}), std::nullopt);
    if (!same || !learner->restore(bytes).empty())
        return "it is not a state of this prediction: algorithm, dimension or parameters differ";
    dissolve_groups();
    bodies_[prediction] = {state.body.begin(), state.body.end()};
    shareable_ = true;
    return {};
}

}  // namespace bellwether
