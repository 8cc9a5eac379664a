#include "logs/behaviour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "logs/estimate.hpp"
#include "logs/value_model.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// Logarithms of held-out frequencies: an action that was not seen elsewhere must not cost everything.
constexpr double least_held_out = 1e-6;

double log_loss_of(const BehaviourModel& model, const BehaviourData& data, std::optional<std::size_t> only_fold,
                   double least, std::vector<double>* by_step = nullptr) {
    std::vector<double> probabilities(data.actions);
    double sum = 0;
    for (std::size_t t = 0; t < data.steps(); ++t) {
        if (only_fold && data.segment[t] % folds != *only_fold) continue;
        model.probabilities(data.x(t), probabilities);
        const double loss = -std::log(std::max(least, probabilities[data.action[t]]));
        sum += loss;
        if (by_step) (*by_step)[t] = loss;
    }
    return sum;
}

class Counts : public BehaviourModel {
public:
    Counts(const BehaviourData& data, std::optional<std::size_t> left_out)
        : dimension_(data.dimension), marginal_(data.actions) {
        std::string key;
        for (std::size_t t = 0; t < data.steps(); ++t) {
            if (left_out && data.segment[t] % folds == *left_out) continue;
            set_key(data.x(t), key);
            std::vector<double>& counts = rows_.try_emplace(key, data.actions, 0.0).first->second;
            counts[data.action[t]] += 1;
            marginal_[data.action[t]] += 1;
        }
        for (auto& [row, counts] : rows_) normalise(counts);
        normalise(marginal_);
    }

    void probabilities(std::span<const double> x, std::span<double> to) const override {
        std::string key;
        set_key(x, key);
        const auto found = rows_.find(key);
        const std::vector<double>& counts = found == rows_.end() ? marginal_ : found->second;
        std::copy(counts.begin(), counts.end(), to.begin());
    }
    double unsupported_below() const override { return 0; }

private:
    static void set_key(std::span<const double> x, std::string& key) {
        key.resize(x.size_bytes());
        for (std::size_t j = 0; j < x.size(); ++j) {
            const double value = x[j] + 0.0;  // −0 is 0
            std::memcpy(key.data() + j * sizeof value, &value, sizeof value);
        }
    }
    static void normalise(std::vector<double>& counts) {
        double sum = 0;
        for (const double count : counts) sum += count;
        for (double& count : counts) count = sum > 0 ? count / sum : 1 / static_cast<double>(counts.size());
    }

    std::size_t dimension_;
    std::unordered_map<std::string, std::vector<double>> rows_;
    std::vector<double> marginal_;
};

// At most 10,000 distinct rows with 5 visits an action on average.
bool counts_suit(const BehaviourData& data) {
    constexpr std::size_t most_rows = 10'000, visits = 5;
    std::unordered_map<std::string_view, bool> rows;
    for (std::size_t t = 0; t < data.steps() && rows.size() <= most_rows; ++t)
        rows.try_emplace({reinterpret_cast<const char*>(data.x(t).data()), data.x(t).size_bytes()}, true);
    return rows.size() <= most_rows && data.steps() >= visits * data.actions * rows.size();
}

std::unique_ptr<BehaviourModel> fit(const BehaviourData& data, bool by_counts, double ridge,
                                    std::optional<std::size_t> left_out) {
    return by_counts ? fit_counts(data, left_out) : fit_logistic(data, ridge, left_out);
}

void add_reliability(BehaviourReport& report, std::vector<std::pair<double, bool>>& pairs) {
    constexpr std::size_t bins = 10;
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::size_t begin = pairs.size() * bin / bins, end = pairs.size() * (bin + 1) / bins;
        if (begin == end) continue;
        ReliabilityBin sum{0, 0, end - begin};
        for (std::size_t k = begin; k < end; ++k) {
            sum.predicted += pairs[k].first;
            sum.taken += pairs[k].second ? 1 : 0;
        }
        const auto count = static_cast<double>(sum.count);
        sum.predicted /= count;
        sum.taken /= count;
        report.calibration_error += std::abs(sum.predicted - sum.taken) * count / static_cast<double>(pairs.size());
        report.reliability.push_back(sum);
    }
}

}  // namespace

BehaviourData behaviour_data(const Log& log) {
    BehaviourData data{.dimension = log.dimension, .actions = log.actions};
    for (std::size_t i = 0; i < log.segments.size(); ++i)
        for (std::size_t h = 0; h < log.segments[i].steps; ++h) {
            const std::size_t row = log.segments[i].first + h;
            data.features.insert(data.features.end(), log.x(row).begin(), log.x(row).end());
            data.action.push_back(log.action[row]);
            data.segment.push_back(i);
        }
    return data;
}

std::unique_ptr<BehaviourModel> fit_counts(const BehaviourData& data, std::optional<std::size_t> left_out) {
    return std::make_unique<Counts>(data, left_out);
}

double choose_ridge(const BehaviourData& data) {
    double best = 0, least = 0;
    for (const double ridge : {0.01, 0.1, 1.0, 10.0, 100.0}) {
        double loss = 0;
        for (std::size_t k = 0; k < folds; ++k)
            loss += log_loss_of(*fit_logistic(data, ridge, k), data, k, least_held_out);
        if (best != 0 && loss >= least) continue;
        best = ridge;
        least = loss;
    }
    return best;
}

FittedBehaviour fit_behaviour(const BehaviourData& data, std::string_view name) {
    const auto first = data.action.front();
    if (std::all_of(data.action.begin(), data.action.end(), [&](std::uint32_t a) { return a == first; }))
        throw UsageError("only one action in the log: a behaviour cannot be fitted");
    const bool by_counts = name == "counts" || (name == "auto" && counts_suit(data));
    FittedBehaviour fitted;
    BehaviourReport& report = fitted.report;
    report.model = by_counts ? "counts" : "logistic";
    report.ridge = by_counts ? 0 : choose_ridge(data);
    fitted.model = fit(data, by_counts, report.ridge, std::nullopt);

    const auto steps = static_cast<double>(data.steps());
    report.log_loss = log_loss_of(*fitted.model, data, std::nullopt, 0) / steps;
    std::vector<double> probabilities(data.actions), marginal(data.actions);
    for (std::size_t t = 0; t < data.steps(); ++t) {
        fitted.model->probabilities(data.x(t), probabilities);
        report.smallest_taken = std::min(report.smallest_taken, probabilities[data.action[t]]);
        marginal[data.action[t]] += 1 / steps;
    }
    for (const double share : marginal)
        if (share > 0) report.marginal_log_loss -= share * std::log(share);
    report.uniform_log_loss = std::log(static_cast<double>(data.actions));

    std::vector<std::pair<double, bool>> pairs;
    for (std::size_t k = 0; k < folds; ++k) {
        const auto model = fit(data, by_counts, report.ridge, k);
        report.held_out_log_loss += log_loss_of(*model, data, k, least_held_out) / steps;
        for (std::size_t t = 0; t < data.steps(); ++t) {
            if (data.segment[t] % folds != k) continue;
            model->probabilities(data.x(t), probabilities);
            for (std::size_t a = 0; a < data.actions; ++a) pairs.emplace_back(probabilities[a], data.action[t] == a);
        }
    }
    add_reliability(report, pairs);
    return fitted;
}

std::optional<double> memory_test(const BehaviourData& data, std::span<const double> rewards, double ridge) {
    constexpr std::size_t most_parameters = 300;
    BehaviourData longer{.dimension = 2 * data.dimension + data.actions + 1, .actions = data.actions};
    if (data.actions * (longer.dimension + 1) > most_parameters) return std::nullopt;
    longer.action = data.action;
    longer.segment = data.segment;
    for (std::size_t t = 0; t < data.steps(); ++t) {
        std::vector<double> x(data.x(t).begin(), data.x(t).end());
        x.resize(longer.dimension);
        if (t > 0 && data.segment[t] == data.segment[t - 1]) {
            std::copy(data.x(t - 1).begin(), data.x(t - 1).end(),
                      x.begin() + static_cast<std::ptrdiff_t>(data.dimension));
            x[2 * data.dimension + data.action[t - 1]] = 1;
            x.back() = rewards[t - 1];
        }
        longer.features.insert(longer.features.end(), x.begin(), x.end());
    }
    std::vector<double> loss(data.steps()), longer_loss(data.steps());
    for (std::size_t k = 0; k < folds; ++k) {
        log_loss_of(*fit_logistic(data, ridge, k), data, k, least_held_out, &loss);
        log_loss_of(*fit_logistic(longer, ridge, k), longer, k, least_held_out, &longer_loss);
    }
    std::vector<double> gains(data.segment.back() + 1);
    for (std::size_t t = 0; t < data.steps(); ++t) gains[data.segment[t]] += loss[t] - longer_loss[t];
    const double deviation = deviation_of(gains);
    if (!(deviation > 0)) return 0;
    return mean_of(gains) / (deviation / std::sqrt(static_cast<double>(gains.size())));
}

}  // namespace bellwether
