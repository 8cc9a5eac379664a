#include "runtime/published.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bellwether/learner.hpp"
#include "support/document.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;

// What is not about time is read elsewhere.
constexpr std::array<std::string_view, 3> published_keys{"runtimes", "real-time", "numbers"};
constexpr std::array<std::string_view, 3> runtimes_keys{"steps", "reference", "algorithms"};
constexpr std::array<std::string_view, 3> row_keys{"id", "on", "off"};
constexpr std::array<std::string_view, 7> real_time_keys{"metric", "intercept", "slope",  "noise",
                                                         "on",     "off",       "samples"};
constexpr std::array<std::string_view, 3> panels_keys{"setting", "durations", "slowest"};
constexpr std::array<std::string_view, 4> samples_keys{"policy", "algorithm", "duration", "samples"};
constexpr std::array<std::string_view, 2> policies{"on", "off"};  // in the order of Policy

class PublishedReader {
public:
    PublishedReader(const std::string& name, const std::string& text, const StudyNames& of_study)
        : file_(name, text, "the published numbers"), of_study_(of_study) {}

    Published read() {
        const DocumentNode& root = file_.root();
        file_.check_keys(root, published_keys);
        if (const auto* runtimes = root.find("runtimes")) published_.runtimes = read_runtimes(*runtimes);
        if (const auto* real_time = root.find("real-time")) {
            if (!published_.runtimes)
                file_.fail(*real_time, "is there without 'runtimes', which its costs are made of");
            published_.real_time = read_real_time(*real_time);
        }
        return std::move(published_);
    }

private:
    double positive(const DocumentNode& node) const {
        const double value = file_.number(node);
        if (value <= 0) file_.fail(node, fmt::format("is {}: it must be above 0", number_text(value)));
        return value;
    }
    std::optional<double> positive_or_nothing(const DocumentNode& table, std::string_view key) const {
        const auto* node = table.find(key);
        return node ? std::optional(positive(*node)) : std::nullopt;
    }

    // A name of the study, where these are known.
    std::string read_name(const DocumentNode& node, std::string_view what,
                          const std::vector<std::string_view>& known) const {
        if (!known.empty()) file_.choose(node, what, known);
        return file_.text(node);
    }

    std::string read_algorithm(const DocumentNode& node) const {
        const std::string& id = file_.text(node);
        if (const AlgorithmInfo* info = find_algorithm(id)) return std::string(info->id);
        std::vector<std::string_view> names;
        for (const AlgorithmInfo& info : algorithm_table) names.push_back(info.id);
        return std::string(names[file_.choose(node, "algorithm", names)]);
    }

    // ---- Runtimes.

    PublishedRuntimes read_runtimes(const DocumentNode& node) const {
        file_.check_keys(node, runtimes_keys);
        PublishedRuntimes runtimes{
            .steps = file_.count(file_.require(node, "steps"), std::numeric_limits<std::uint32_t>::max())};
        if (const auto* reference = node.find("reference")) runtimes.reference = read_algorithm(*reference);
        const DocumentNode& rows = file_.require(node, "algorithms");
        for (const DocumentNode& row : file_.list(rows)) runtimes.rows.push_back(read_row(row, runtimes));
        if (runtimes.rows.empty()) file_.fail(rows, "is empty: there must be at least one algorithm");
        return runtimes;
    }

    PublishedRuntime read_row(const DocumentNode& node, const PublishedRuntimes& before) const {
        file_.check_keys(node, row_keys);
        const DocumentNode& id = file_.require(node, "id");
        PublishedRuntime row{.algorithm = read_algorithm(id),
                             .on = positive_or_nothing(node, "on"),
                             .off = positive_or_nothing(node, "off")};
        for (const PublishedRuntime& other : before.rows)
            if (other.algorithm == row.algorithm)
                file_.fail(id, fmt::format("repeats the algorithm {}", row.algorithm));
        if (!row.on && !row.off) file_.fail(node, "has neither 'on' nor 'off'");
        return row;
    }

    // ---- Real time.

    PublishedRealTime read_real_time(const DocumentNode& node) const {
        file_.check_keys(node, real_time_keys);
        PublishedRealTime real_time{.metric = read_name(file_.require(node, "metric"), "metric", of_study_.metrics),
                                    .slope = file_.number(file_.require(node, "slope"))};
        if (const auto* intercept = node.find("intercept")) real_time.intercept = file_.number(*intercept);
        real_time.noise = positive_or_nothing(node, "noise").value_or(0);
        if (const auto* on = node.find("on")) real_time.on = read_panels(*on);
        if (const auto* off = node.find("off")) real_time.off = read_panels(*off);
        if (const auto* samples = node.find("samples"))
            for (const DocumentNode& entry : file_.list(*samples)) real_time.samples.push_back(read_samples(entry));
        check_costs(node, real_time);
        return real_time;
    }

    std::vector<double> read_ascending(const DocumentNode& node, std::string_view what) const {
        std::vector<double> values;
        for (const DocumentNode& entry : file_.list(node)) {
            const double value = positive(entry);
            if (!values.empty() && value <= values.back())
                file_.fail(entry, fmt::format("is {}: it must be above the one before it, {}", number_text(value),
                                              number_text(values.back())));
            values.push_back(value);
        }
        if (values.empty()) file_.fail(node, fmt::format("is empty: there must be at least one {}", what));
        return values;
    }

    PublishedPanels read_panels(const DocumentNode& node) const {
        file_.check_keys(node, panels_keys);
        PublishedPanels panels{.setting = read_name(file_.require(node, "setting"), "setting", of_study_.settings),
                               .durations = read_ascending(file_.require(node, "durations"), "duration")};
        if (const auto* slowest = node.find("slowest"))
            panels.slowest = slowest->kind == Kind::list ? read_ascending(*slowest, "cost")
                                                         : std::vector<double>{positive(*slowest)};
        return panels;
    }

    PublishedSamples read_samples(const DocumentNode& node) const {
        file_.check_keys(node, samples_keys);
        return {.policy = static_cast<Policy>(file_.choose(file_.require(node, "policy"), "policy", policies)),
                .algorithm = read_algorithm(file_.require(node, "algorithm")),
                .duration = positive(file_.require(node, "duration")),
                .samples = file_.count(file_.require(node, "samples"), std::numeric_limits<std::uint32_t>::max())};
    }

    void check_costs(const DocumentNode& node, const PublishedRealTime& real_time) const {
        for (const PublishedRuntime& row : published_.runtimes->rows)
            for (const Policy policy : both_policies)
                if (const auto time = row.microseconds(policy);
                    time && real_time.intercept + real_time.slope * (*time / 1000) <= 0)
                    file_.fail(node, fmt::format("makes the cost of {} {}-policy no number above 0", row.algorithm,
                                                 id_of(policy)));
    }

    Document file_;
    const StudyNames& of_study_;
    Published published_;
};

}  // namespace

std::string_view id_of(Policy policy) {
    return policies[static_cast<std::size_t>(policy)];
}

std::optional<double> PublishedRuntimes::microseconds(Policy policy, std::string_view algorithm) const {
    for (const PublishedRuntime& row : rows)
        if (row.algorithm == algorithm) return row.microseconds(policy);
    return std::nullopt;
}

Published parse_published(const std::string& name, const std::string& text, const StudyNames& of_study) {
    return PublishedReader(name, text, of_study).read();
}

}  // namespace bellwether
