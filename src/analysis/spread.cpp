#include "analysis/spread.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "support/infinity.hpp"
#include "support/parallel_for.hpp"
#include "support/random.hpp"

namespace bellwether {

namespace {

double mean_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

// Every competitor's score in a run side by side.
class Table {
public:
    explicit Table(std::span<const RunScores> competitors) : width_(competitors.size()) {
        for (const RunScores& scores : competitors) {
            std::vector<double> all;
            for (const std::vector<double>& runs : scores) all.insert(all.end(), runs.begin(), runs.end());
            const double centre = median_of(std::move(all));
            centres_.push_back(std::isfinite(centre) ? centre : 0);
        }
        for (std::size_t i = 0; i < competitors.front().size(); ++i) {
            first_.push_back(values_.size());
            runs_.push_back(competitors.front()[i].size());
            for (std::size_t r = 0; r < runs_.back(); ++r)
                for (std::size_t c = 0; c < width_; ++c) values_.push_back(competitors[c][i][r]);
        }
    }

    std::size_t instances() const { return runs_.size(); }
    std::size_t runs(std::size_t instance) const { return runs_[instance]; }
    const double* row(std::size_t instance, std::size_t run) const { return &values_[first_[instance] + run * width_]; }
    // What squares are taken around, so that they do not cancel: each one's median, which no absurd score moves.
    const double* centres() const { return centres_.data(); }

private:
    std::size_t width_;
    std::vector<double> centres_, values_;
    std::vector<std::size_t> first_, runs_;
};

// Mean (or median) and variance of one resample of an instance's runs, added to what there is.
class Resample {
public:
    Resample(std::size_t width, Aggregate aggregate)
        : sums_(width), centred_(width), squares_(width), drawn_(aggregate == Aggregate::median ? width : 0) {}

    void add(const Table& table, std::size_t instance, RandomStream& random, std::vector<double>& means,
             std::vector<double>& variances) {
        for (std::vector<double>* all : {&sums_, &centred_, &squares_}) std::fill(all->begin(), all->end(), 0);
        const std::size_t runs = table.runs(instance);
        for (std::size_t k = 0; k < runs; ++k) {
            const double* row = table.row(instance, random.below(runs));
            for (std::size_t c = 0; c < sums_.size(); ++c) {
                const double distance = row[c] - table.centres()[c];
                sums_[c] += row[c];
                centred_[c] += distance;
                squares_[c] += distance * distance;
            }
            for (std::size_t c = 0; c < drawn_.size(); ++c) drawn_[c].push_back(row[c]);
        }
        const auto n = static_cast<double>(runs);
        for (std::size_t c = 0; c < sums_.size(); ++c) {
            means[c] += drawn_.empty() ? sums_[c] / n : median_of(std::exchange(drawn_[c], {}));
            variances[c] += (squares_[c] - centred_[c] * centred_[c] / n) / (n - 1);
        }
    }

private:
    std::vector<double> sums_, centred_, squares_;
    std::vector<std::vector<double>> drawn_;  // by competitor, for medians
};

Interval interval_of(const std::vector<double>& one, const std::vector<double>& other,
                     double (*combine)(double, double)) {
    std::vector<double> values(one.size());
    for (std::size_t k = 0; k < one.size(); ++k) values[k] = combine(one[k], other[k]);
    return central_interval(std::move(values));
}

}  // namespace

Bootstrap::Bootstrap(std::span<const RunScores> competitors, std::uint64_t seed, std::uint32_t address,
                     std::size_t resamples, Aggregate aggregate)
    : scores_(competitors.size(), std::vector<double>(resamples)),
      deviations_(scores_),
      first_(competitors.size(), 0.0) {
    const Table table(competitors);
    const std::size_t width = competitors.size();
    const auto instances = static_cast<double>(table.instances());
    Resample resample(width, aggregate);
    std::vector<double> means(width), variances(width);
    std::vector<std::size_t> drawn(table.instances(), 0);
    for (std::size_t b = 0; b < resamples; ++b) {
        RandomStream random(seed, address, static_cast<std::uint32_t>(b), Purpose::bootstrap);
        for (std::size_t& instance : drawn) instance = random.below(drawn.size());
        std::fill(means.begin(), means.end(), 0);
        std::fill(variances.begin(), variances.end(), 0);
        for (const std::size_t instance : drawn) resample.add(table, instance, random, means, variances);
        double least = infinity;
        for (std::size_t c = 0; c < width; ++c) {
            scores_[c][b] = means[c] / instances;
            const double variance = variances[c] / instances;
            deviations_[c][b] = std::isfinite(variance) ? std::sqrt(std::max(0.0, variance)) : infinity;
            least = std::min(least, scores_[c][b]);
        }
        const auto is_first = [&](const std::vector<double>& scores) { return are_tied(scores[b], least); };
        const auto ties = static_cast<double>(std::count_if(scores_.begin(), scores_.end(), is_first));
        for (std::size_t c = 0; c < width; ++c)
            if (is_first(scores_[c])) first_[c] += 1 / (ties * static_cast<double>(resamples));
    }
}

Interval Bootstrap::score(std::size_t competitor) const {
    return central_interval(scores_[competitor]);
}
Interval Bootstrap::difference(std::size_t one, std::size_t other) const {
    return interval_of(scores_[one], scores_[other], difference_of);
}
Interval Bootstrap::ratio(std::size_t one, std::size_t other) const {
    return interval_of(scores_[one], scores_[other], ratio_of);
}
Interval Bootstrap::deviation_ratio(std::size_t one, std::size_t other) const {
    return interval_of(deviations_[one], deviations_[other], ratio_of);
}

Interval Bootstrap::deviation_over_median(std::size_t competitor) const {
    std::vector<double> values(deviations_[competitor].size());
    for (std::size_t b = 0; b < values.size(); ++b) {
        std::vector<double> others;
        for (std::size_t c = 0; c < deviations_.size(); ++c)
            if (c != competitor) others.push_back(deviations_[c][b]);
        values[b] = ratio_of(deviations_[competitor][b], others.empty() ? NAN : median_of(std::move(others)));
    }
    return central_interval(std::move(values));
}

double deviation_between_runs(const RunScores& scores) {
    double sum = 0;
    for (const std::vector<double>& runs : scores) {
        const double mean = mean_of(runs);
        if (!std::isfinite(mean)) return infinity;
        double squares = 0;
        for (const double score : runs) squares += (score - mean) * (score - mean);
        sum += squares / (static_cast<double>(runs.size()) - 1);  // 0/0 for one run
    }
    return std::sqrt(sum / static_cast<double>(scores.size()));
}

void draw_instances(std::uint64_t seed, std::uint32_t address, std::size_t resample, std::span<double> times) {
    RandomStream random(seed, address, static_cast<std::uint32_t>(resample), Purpose::bootstrap);
    std::fill(times.begin(), times.end(), 0);
    for (std::size_t k = 0; k < times.size(); ++k) times[random.below(times.size())] += 1;
}

InstanceDraws::InstanceDraws(std::size_t instances, std::uint64_t seed, std::uint32_t address, std::size_t resamples)
    : instances_(instances),
      seed_(seed),
      address_(address),
      are_kept_(are_kept(instances, resamples)),
      times_((are_kept_ ? resamples : 1) * instances) {
    for (std::size_t b = 0; are_kept_ && b < resamples; ++b)
        draw_instances(seed, address, b, std::span(times_).subspan(b * instances, instances));
}

std::span<const double> InstanceDraws::times(std::size_t resample) const {
    if (are_kept_) return std::span(times_).subspan(resample * instances_, instances_);
    draw_instances(seed_, address_, resample, times_);
    return times_;
}

std::shared_ptr<const InstanceDraws> instance_draws(std::size_t instances, std::uint64_t seed, std::uint32_t address,
                                                    std::size_t resamples) {
    const auto make = [&] { return std::make_shared<const InstanceDraws>(instances, seed, address, resamples); };
    if (!InstanceDraws::are_kept(instances, resamples)) return make();  // it is changed where it is used
    using Key = std::tuple<std::size_t, std::uint64_t, std::uint32_t, std::size_t>;
    struct Kept {
        Key key;
        std::shared_ptr<const InstanceDraws> draws;
    };
    // Not a thread_local: where there is no memory to note that it is to be destroyed, the C library ends the program.
    static std::mutex mutex;
    static std::list<Kept> last;  // as many as there are threads to work with them, the latest first
    const Key key{instances, seed, address, resamples};
    {
        const std::scoped_lock lock(mutex);
        const auto found = std::find_if(last.begin(), last.end(), [&](const Kept& kept) { return kept.key == key; });
        if (found != last.end()) {
            last.splice(last.begin(), last, found);
            return found->draws;
        }
    }
    std::list<Kept> made;
    made.push_front({key, make()});
    const std::scoped_lock lock(mutex);
    last.splice(last.begin(), made);
    if (last.size() > usable_cores()) last.pop_back();
    return last.front().draws;
}

Contenders::Contenders(std::span<const double> means, std::size_t instances, std::span<const std::size_t> of) {
    const auto row = [&](std::size_t c) { return means.subspan(c * instances, instances); };
    // By more than are_tied() takes for rounding. Where both diverge, an instance decides nothing.
    const auto is_better = [&](std::size_t one, std::size_t other) {
        for (std::size_t i = 0; i < instances; ++i)
            if (!(row(one)[i] < row(other)[i] * (1 - 2e-9)) && !std::isinf(row(other)[i])) return false;
        return one != other;
    };
    // From the best to the worst: who is beaten, is so by one that is not.
    std::vector<std::pair<double, std::size_t>> order;
    for (const std::size_t c : of) order.emplace_back(std::reduce(row(c).begin(), row(c).end()), c);
    std::sort(order.begin(), order.end());
    for (const auto& [sum, c] : order)
        if (std::none_of(numbers_.begin(), numbers_.end(),
                         [&, c = c](std::size_t other) { return is_better(other, c); }))
            numbers_.push_back(c);
    std::sort(numbers_.begin(), numbers_.end());
    const std::size_t blocks = (numbers_.size() + side_by_side - 1) / side_by_side;
    columns_.resize(blocks * instances * side_by_side);
    for (std::size_t k = 0; k < numbers_.size(); ++k)
        for (std::size_t i = 0; i < instances; ++i)
            columns_[(k / side_by_side * instances + i) * side_by_side + k % side_by_side] = row(numbers_[k])[i];
    totals_.resize(numbers_.size());
}

void Contenders::add_up(std::span<const double> times, std::span<double> totals) const {
    // Which were drawn at all, found without a branch: whether one was is anyone's guess.
    drawn_.resize(times.size());
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        drawn_[drawn] = i;
        drawn += times[i] != 0;
    }
    for (std::size_t first = 0; first < totals.size(); first += side_by_side) {
        const double* block = &columns_[first * times.size()];
        std::array<double, side_by_side> sums{};  // in registers
        for (std::size_t n = 0; n < drawn; ++n) {
            const double weight = times[drawn_[n]];
            const double* scores = block + drawn_[n] * side_by_side;
            for (std::size_t k = 0; k < side_by_side; ++k) sums[k] += weight * scores[k];
        }
        std::copy_n(sums.begin(), std::min(side_by_side, totals.size() - first), &totals[first]);
    }
}

double Contenders::least(std::span<const double> times) const {
    add_up(times, totals_);
    return *std::min_element(totals_.begin(), totals_.end());
}

ResampledChoice resample_choice(std::span<const double> means, std::size_t instances, std::size_t chosen,
                                std::uint64_t seed, std::uint32_t address, std::size_t resamples) {
    const std::size_t count = means.size() / instances;
    ResampledChoice choice{std::vector<double>(count, 0.0), std::vector<double>(resamples, 0.0)};
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const Contenders contenders(means, instances, all);
    const auto score = [&](std::size_t c) {
        double sum = 0;
        for (const double mean : means.subspan(c * instances, instances)) sum += mean;
        return sum / static_cast<double>(instances);
    };
    const double score_of_chosen = score(chosen);
    const auto draws = instance_draws(instances, seed, address, resamples);
    std::vector<double> totals(contenders.numbers().size()), scores;
    for (const std::size_t c : contenders.numbers()) scores.push_back(score(c));
    for (std::size_t b = 0; b < resamples; ++b) {
        contenders.add_up(draws->times(b), totals);
        const auto least = std::min_element(totals.begin(), totals.end());
        if (!std::isfinite(*least)) continue;
        const auto is_best = [&](double total) { return are_tied(total, *least); };
        const auto ties = static_cast<double>(std::count_if(totals.begin(), totals.end(), is_best));
        for (std::size_t k = 0; k < totals.size(); ++k)
            if (is_best(totals[k]))
                choice.probabilities[contenders.numbers()[k]] += 1 / (ties * static_cast<double>(resamples));
        choice.costs[b] = difference_of(scores[static_cast<std::size_t>(least - totals.begin())], score_of_chosen);
    }
    return choice;
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double quantile_of(std::vector<double> values, double level) {
    const auto n = static_cast<double>(values.size());
    const double rank = std::ceil(level * n - 1e-6) - 1;  // 0.025 · 10000 is 250, whatever its last digits are
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::clamp(rank, 0.0, n - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

Interval central_interval(std::vector<double> values, double confidence) {
    const double low = quantile_of(values, (1 - confidence) / 2);
    return {low, quantile_of(std::move(values), (1 + confidence) / 2)};
}

}  // namespace bellwether
