#include "analysis/published_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/names.hpp"
#include "bellwether/catalogue.hpp"
#include "support/document.hpp"

namespace bellwether {

namespace {

using NameViews = std::vector<std::string_view>;

constexpr std::array<std::string_view, 11> table_keys{"title",    "source",      "setting",        "metric",
                                                      "quantity", "error",       "standard-error", "values",
                                                      "at",       "relative-to", "reading"};
constexpr std::array<std::string_view, 5> value_keys{"algorithm", "value", "error", "standard-error", "at"};
constexpr double relative_rounding = 1e-12;  // of a grid's value that was written as another text

bool is_same(double one, double other) {
    return std::abs(one - other) <= relative_rounding * std::abs(other);
}

class NumbersReader {
public:
    NumbersReader(const std::string& name, const std::string& text, const Study* study,
                  std::span<const std::string> readings)
        : file_(name, text, "the published numbers"), study_(study), readings_(readings.begin(), readings.end()) {}

    std::vector<PublishedNumber> read() {
        if (const auto* list = file_.root().find("numbers"))
            for (const DocumentNode& table : file_.list(*list)) read_table(table);
        return std::move(numbers_);
    }

private:
    void read_table(const DocumentNode& table) {
        file_.check_keys(table, table_keys);
        PublishedNumber common{.title = file_.text(file_.require(table, "title")),
                               .setting = file_.text(file_.require(table, "setting"))};
        const Setting* setting = find_setting(file_.require(table, "setting"));
        if (const auto* metric = table.find("metric")) common.metric = read_metric(*metric, setting);
        if (const auto* quantity = table.find("quantity"))
            common.quantity =
                static_cast<PublishedQuantity>(file_.choose(*quantity, "quantity", published_quantity_names));
        if (const auto* reference = table.find("relative-to")) {
            if (common.quantity != PublishedQuantity::score)
                file_.fail(*reference, "is there with another quantity than 'score'");
            PublishedNumber of_reference;
            read_algorithm(*reference, setting, of_reference);
            common.relative_to = of_reference.algorithm;
        }
        if (const auto* reading = table.find("reading"))
            common.reading = study_ ? readings_[file_.choose(*reading, "reading", readings_)] : file_.text(*reading);
        const DocumentNode& values = file_.require(table, "values");
        for (const DocumentNode& entry : file_.list(values)) {
            file_.check_keys(entry, value_keys);
            PublishedNumber number = common;
            const AlgorithmGrid* grid = read_algorithm(file_.require(entry, "algorithm"), setting, number);
            number.value = file_.number(file_.require(entry, "value"));
            const auto error = read_error(entry);
            number.error = (error ? error : read_error(table)).value_or(0);
            for (const DocumentNode* of : {&table, &entry})
                if (const auto* at = of->find("at")) read_places(*at, grid, number);
            numbers_.push_back(std::move(number));
        }
        if (values.children.empty()) file_.fail(values, "is empty: there must be at least one number");
    }

    const Setting* find_setting(const DocumentNode& node) const {
        if (!study_) return nullptr;
        NameViews ids;
        for (const Setting& setting : study_->settings) ids.push_back(setting.id);
        return &study_->settings[file_.choose(node, "setting", ids)];
    }

    std::string read_metric(const DocumentNode& node, const Setting* setting) const {
        if (!setting) return file_.text(node);
        NameViews ids;
        for (const ScoredMetric& scored : setting->metrics) ids.push_back(id_of(scored.metric));
        return std::string(ids[file_.choose(node, fmt::format("metric of {}", setting->id), ids)]);
    }

    // Its grid, where the study is known.
    const AlgorithmGrid* read_algorithm(const DocumentNode& node, const Setting* setting,
                                        PublishedNumber& number) const {
        const AlgorithmInfo* info = find_algorithm(file_.text(node));
        number.algorithm = info ? std::string(info->id) : file_.text(node);
        if (!setting) return nullptr;
        NameViews ids;
        for (const AlgorithmGrid& grid : setting->algorithms) ids.push_back(grid.info->id);
        const auto found = std::find(ids.begin(), ids.end(), number.algorithm);
        const std::size_t a = found != ids.end() ? static_cast<std::size_t>(found - ids.begin())
                                                 : file_.choose(node, fmt::format("algorithm of {}", setting->id), ids);
        return &setting->algorithms[a];
    }

    std::optional<double> read_error(const DocumentNode& table) const {
        const auto* error = table.find("error");
        const auto* standard = table.find("standard-error");
        if (error && standard) file_.fail(*standard, "is there beside an 'error'");
        const DocumentNode* given = error ? error : standard;
        if (!given) return std::nullopt;
        const double value = file_.number(*given);
        if (value < 0) file_.fail(*given, "is below 0");
        return error ? value : standard_errors_of_95 * value;
    }

    void read_places(const DocumentNode& at, const AlgorithmGrid* grid, PublishedNumber& number) const {
        if (grid) {
            NameViews names;
            for (const ParameterInfo& parameter : grid->info->parameters) names.push_back(parameter.name);
            file_.check_keys(at, names);
        }
        for (const DocumentNode& entry : at.children) {
            const double value = file_.number(entry);
            if (grid) {
                const auto p = static_cast<std::size_t>(grid->info->find(entry.key) - grid->info->parameters.data());
                const std::vector<double>& values = grid->values[p];
                if (std::none_of(values.begin(), values.end(), [&](double known) { return is_same(known, value); }))
                    file_.fail(entry, fmt::format("is {}, which is not in the grid of {}", number_text(value),
                                                  number.setting));
            }
            number.at.emplace_back(entry.key, value);
        }
    }

    Document file_;
    const Study* study_;
    NameViews readings_;
    std::vector<PublishedNumber> numbers_;
};

// The best of the configurations that have the values; none where none has.
std::optional<std::size_t> best_at(const AlgorithmFindings& algorithm, const PublishedNumber& number) {
    const AlgorithmGrid& grid = *algorithm.grid;
    std::optional<std::size_t> best;
    for (std::size_t c = 0; c < algorithm.configurations.size(); ++c) {
        const bool has_all = std::all_of(number.at.begin(), number.at.end(), [&](const auto& wanted) {
            const ParameterInfo* parameter = grid.info->find(wanted.first);
            return parameter &&
                   is_same(grid.value(c, static_cast<std::size_t>(parameter - grid.info->parameters.data())),
                           wanted.second);
        });
        if (has_all && (!best || is_better(algorithm.configurations[c], algorithm.configurations[*best]))) best = c;
    }
    return best;
}

struct ChosenConfiguration {
    const AlgorithmFindings* algorithm;
    std::size_t configuration;

    const ConfigurationScore& score() const { return algorithm->configurations[configuration]; }
    // Over instances, each as often as it was drawn.
    double mean(std::span<const double> times) const {
        double total = 0;
        for (std::size_t i = 0; i < times.size(); ++i)
            if (times[i] > 0) total += times[i] * algorithm->instance_means[configuration * times.size() + i];
        return total / static_cast<double>(times.size());
    }
};

// Of one configuration on the runs of the selection: over instances, drawn again, or over runs where there is one.
Interval interval_of(const Study& study, const MetricFindings& metric, const ChosenConfiguration& one) {
    if (metric.instances == 1) {
        const double half = standard_errors_of_95 * one.score().standard_error.value_or(0);
        return {one.score().score - half, one.score().score + half};
    }
    return central_interval(resample_instances(metric.instances, study.seed, metric.selection_address,
                                               [&](std::span<const double> times) { return one.mean(times); }));
}

// Of the ratio of two. Over runs both have their own standard error: what they have in common is not known here, so
// that the interval is rather too wide.
Interval ratio_interval(const Study& study, const MetricFindings& metric, const ChosenConfiguration& one,
                        const ChosenConfiguration& reference) {
    if (metric.instances > 1)
        return central_interval(
            resample_instances(metric.instances, study.seed, metric.selection_address,
                               [&](std::span<const double> times) { return one.mean(times) / reference.mean(times); }));
    const auto relative_error = [](const ConfigurationScore& score) {
        return score.standard_error.value_or(0) / score.score;
    };
    const double ratio = one.score().score / reference.score().score;
    const double spread =
        std::exp(standard_errors_of_95 * std::hypot(relative_error(one.score()), relative_error(reference.score())));
    return {ratio / spread, ratio * spread};
}

std::string label_of(const AlgorithmFindings& algorithm, const PublishedNumber& number) {
    std::string label = short_name(algorithm.grid->info->name);
    for (const auto& [name, value] : number.at) label += fmt::format(", {} = {:.4g}", parameter_symbol(name), value);
    if (const AlgorithmInfo* reference = find_algorithm(number.relative_to))
        label += fmt::format(", over {}", short_name(reference->name));
    if (!number.reading.empty()) label += fmt::format(" (reading {})", number.reading);
    return label;
}

}  // namespace

std::vector<PublishedNumber> parse_published_numbers(const std::string& name, const std::string& text,
                                                     const Study* study, std::span<const std::string> readings) {
    return NumbersReader(name, text, study, readings).read();
}

std::vector<ComparedNumber> compare_numbers(const std::vector<PublishedNumber>& numbers, const Findings& findings) {
    std::vector<ComparedNumber> all;
    const auto& own_reading = findings.study->reading;
    for (const PublishedNumber& number : numbers) {
        if (!number.reading.empty() && !(own_reading && own_reading->id == number.reading)) continue;
        const auto metric = std::find_if(findings.metrics.begin(), findings.metrics.end(), [&](const auto& one) {
            return one.setting->id == number.setting && (number.metric.empty() || one.metric_id() == number.metric);
        });
        if (metric == findings.metrics.end()) continue;
        const auto place = metric->find(number.algorithm);
        if (!place) continue;
        const AlgorithmFindings& algorithm = metric->algorithms[*place];
        ComparedNumber compared{.title = number.title,
                                .setting = number.setting,
                                .label = label_of(algorithm, number),
                                .theirs = number.value,
                                .error = number.error,
                                .reading = number.reading,
                                .place = static_cast<std::size_t>(&number - numbers.data())};
        if (number.quantity == PublishedQuantity::worse_than_start) {
            compared.ours = algorithm.distribution.worse_than_start;
            compared.interval = {compared.ours, compared.ours};
        } else if (number.quantity == PublishedQuantity::fresh_score) {
            if (!algorithm.fresh || !algorithm.fresh->estimate.interval) continue;
            compared.ours = algorithm.fresh->estimate.score;
            compared.interval = *algorithm.fresh->estimate.interval;
        } else {
            const auto best = best_at(algorithm, number);
            if (!best) continue;
            const ChosenConfiguration chosen{&algorithm, *best};
            compared.ours = chosen.score().score;
            if (number.relative_to.empty()) {
                compared.interval = interval_of(*findings.study, *metric, chosen);
            } else if (const auto found = metric->find(number.relative_to)) {
                const ChosenConfiguration reference{&metric->algorithms[*found], metric->algorithms[*found].best};
                compared.ours /= reference.score().score;
                compared.interval = ratio_interval(*findings.study, *metric, chosen, reference);
            } else {
                continue;
            }
        }
        all.push_back(std::move(compared));
    }
    return all;
}

}  // namespace bellwether
