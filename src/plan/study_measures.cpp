// How long a setting is run, and what is measured of its runs: docs/study-file.md.
#include "plan/study_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bellwether/number_text.hpp"
#include "problems/exact.hpp"
#include "problems/trajectory.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;

constexpr std::string_view score_of_end = "end";
constexpr std::array<std::string_view, 3> measures{"step", "episode", "before"};
constexpr std::size_t at_episodes = 1, before_steps = 2;

constexpr std::size_t most_steps = 1'000'000'000;
constexpr std::size_t most_instances = UINT32_MAX;  // a 32-bit counter of the random numbers, as are runs
constexpr std::size_t most_runs = first_fresh_run;  // half of theirs; the other half is for fresh ones

// What the last `share` of so many measurements is, at least one. A product that is a whole number but for its rounding
// is meant as one: 0.9 of 10 steps are 9.
std::size_t scored_of(std::size_t measurements, double share) {
    const double product = static_cast<double>(measurements) * share;
    const double nearest = std::round(product);
    const bool whole = std::abs(product - nearest) <= 1e-12 * product;
    return static_cast<std::size_t>(whole ? nearest : std::ceil(product));
}

class MeasuresReader {
public:
    MeasuresReader(const Document& file, const DocumentNode& node, const FiniteMdp& first, bool solves,
                   Setting& setting)
        : file_(file), node_(node), first_(first), solves_(solves), setting_(setting) {}

    void read() {
        read_length();
        read_runs();
        read_scores();
        if (const auto* weighting = node_.find("weighting")) read_weighting(*weighting);
        if (const auto* aggregate = node_.find("aggregate"))
            setting_.aggregate = static_cast<Aggregate>(file_.choose(*aggregate, "aggregate", aggregate_names));
        read_metrics(file_.require(node_, "metrics"));
    }

private:
    void read_length() {
        const auto* episodes = node_.find("episodes");
        const auto* measure = node_.find("measure");
        const auto* every = node_.find("every");
        const std::size_t when = measure ? file_.choose(*measure, "measure", measures) : 0;
        const bool at_ends = when == at_episodes;
        setting_.measures_before = when == before_steps;
        if (!episodes) {
            setting_.steps = file_.count(file_.require(node_, "steps"), most_steps);
            if (at_ends)
                file_.fail(*measure,
                           "is 'episode', and runs of so many steps have different numbers of episodes: give "
                           "'episodes' in place of 'steps'");
            if (every) setting_.every = file_.count(*every, most_steps);
            if (setting_.measures_before && setting_.every >= setting_.steps)
                file_.fail(*measure, "is 'before', and before the first step there is the error of w_0 alone");
            return;
        }
        setting_.episodes = file_.count(*episodes, most_steps);
        if (node_.find("steps")) file_.fail(*episodes, "is there beside 'steps'");
        if (!at_ends)
            file_.fail(
                measure ? *measure : *episodes,
                "has runs of different numbers of steps: it needs measure = \"episode\", the error at the end of "
                "each");
        if (every) file_.fail(*every, "is there beside 'episodes', at whose ends errors are measured");
        setting_.steps = steps_of_episodes(*episodes);
    }

    std::size_t steps_of_episodes(const DocumentNode& episodes) const {
        double rate = 0;
        try {
            rate = episode_rate(first_);
        } catch (const UsageError& error) {
            file_.fail(node_, fmt::format("is refused: {}", error.what()));
        }
        if (rate == 0)
            file_.fail(episodes,
                       fmt::format("is {}, but a run may never end an episode: the behaviour meets no discount of 0",
                                   setting_.episodes));
        const double steps = std::round(static_cast<double>(setting_.episodes) / rate);
        if (steps > static_cast<double>(most_steps))
            file_.fail(episodes, fmt::format("is {}, which takes some {:.0e} steps: there may be {}", setting_.episodes,
                                             steps, most_steps));
        return std::max<std::size_t>(1, static_cast<std::size_t>(steps));
    }

    void read_runs() {
        setting_.runs = file_.count(file_.require(node_, "runs"), most_runs);
        const auto* fresh_runs = node_.find("fresh-runs");
        setting_.fresh_runs = fresh_runs ? file_.count(*fresh_runs, most_runs) : setting_.runs;
        const auto* record = node_.find("record");
        setting_.record = record ? file_.boolean(*record) : true;
        setting_.instances = 1;
        if (const auto* instances = node_.find("instances")) {
            setting_.instances = file_.count(*instances, most_instances);
            if (setting_.instances > 1 && !setting_.problem.has_instances())
                file_.fail(*instances, fmt::format("is {}, but the problem has one instance", setting_.instances));
        }
        if (const auto* fresh_instances = node_.find("fresh-instances")) {
            setting_.fresh_instances = file_.boolean(*fresh_instances);
            if (setting_.fresh_instances && !setting_.problem.has_instances())
                file_.fail(*fresh_instances, "is true, but the problem has one instance");
            if (setting_.fresh_instances && setting_.instances > first_fresh_instance)
                file_.fail(*fresh_instances,
                           fmt::format("is true: then there are at most {} instances", first_fresh_instance));
        }
    }

    // A name, or a number for each state.
    void read_weighting(const DocumentNode& node) {
        if (node.kind != Kind::list) {
            if (node.kind != Kind::text)
                file_.fail(node, "must be one of stationary and uniform, or a list of a number for each state");
            setting_.weighting =
                file_.choose(node, "weighting", weighting_names) == 0 ? Weighting::stationary : Weighting::uniform;
            return;
        }
        Weighting& weighting = setting_.weighting;
        weighting.kind = Weighting::Kind::given;
        bool counts = false;  // whether there is one that counts
        for (const DocumentNode& entry : node.children) {
            weighting.given.push_back(file_.number(entry));
            if (weighting.given.back() < 0) file_.fail(entry, "is below 0");
            const std::size_t state = weighting.given.size() - 1;
            counts = counts || (weighting.given.back() > 0 && state < first_.states() && first_.active(state));
        }
        if (weighting.given.size() != first_.states())
            file_.fail(node,
                       fmt::format("has {} numbers, and there are {} states", weighting.given.size(), first_.states()));
        if (!counts) file_.fail(node, "is 0 in every state that the errors are about");
    }

    // A score, or a list of them.
    void read_scores() {
        const auto* score = node_.find("score");
        if (!score) {
            constexpr double last_half = 0.5;
            scores_.push_back({scored_of(setting_.errors_of_run(), last_half), ""});
        } else if (score->kind != Kind::list) {
            scores_.push_back(read_score(*score));
        } else {
            for (const DocumentNode& entry : score->children) {
                scores_.push_back(read_score(entry));
                for (std::size_t k = 0; k + 1 < scores_.size(); ++k)
                    if (scores_[k].name == scores_.back().name)
                        file_.fail(entry, fmt::format("repeats the score {}", scores_[k].name));
            }
            if (scores_.empty()) file_.fail(*score, "is empty: there must be at least one score");
        }
        if (scores_.size() == 1) scores_.front().name.clear();
    }

    struct Score {
        std::size_t scored;
        std::string name;
    };
    Score read_score(const DocumentNode& score) const {
        if (score.kind == Kind::text) {
            if (score.text != score_of_end)
                file_.fail(score, fmt::format("is '{}': it must be in (0, 1], or '{}'", score.text, score_of_end));
            return {1, std::string(score_of_end)};
        }
        const double share = file_.number(score);
        if (share <= 0 || share > 1)
            file_.fail(score, fmt::format("is {}: it must be in (0, 1], or '{}'", number_text(share), score_of_end));
        return {scored_of(setting_.errors_of_run(), share), number_text(share)};
    }

    // A list of names, or a table that gives some of them fewer runs. Each has every score.
    void read_metrics(const DocumentNode& metrics) {
        std::vector<std::string_view> ids;
        for (const MetricInfo& info : scored_metrics()) ids.push_back(info.id);
        if (metrics.kind == Kind::table) {
            file_.check_keys(metrics, ids);
            for (const DocumentNode& node : metrics.children) {
                const auto place = std::find(ids.begin(), ids.end(), node.key) - ids.begin();
                add_metric(node, scored_metrics()[static_cast<std::size_t>(place)].metric, read_metric_runs(node));
            }
        } else {
            for (const DocumentNode& node : file_.list(metrics)) {
                const Metric metric = scored_metrics()[file_.choose(node, "metric", ids)].metric;
                for (const ScoredMetric& other : setting_.metrics)
                    if (other.metric == metric) file_.fail(node, fmt::format("repeats the metric {}", id_of(metric)));
                add_metric(node, metric, setting_.runs);
            }
        }
        if (setting_.metrics.empty()) file_.fail(metrics, "is empty: there must be at least one metric");
        if (solves_) check_metrics(metrics);
    }

    void add_metric(const DocumentNode& node, Metric metric, std::size_t runs) {
        if (setting_.weighting != Weighting::stationary && !metric_info(metric).takes_weighting())
            file_.fail(node,
                       fmt::format("is {}, which is defined by the stationary distribution: it has no weighting of "
                                   "its own",
                                   id_of(metric)));
        for (const Score& score : scores_)
            setting_.metrics.push_back({.metric = metric, .runs = runs, .scored = score.scored, .score = score.name});
    }

    std::size_t read_metric_runs(const DocumentNode& node) const {
        const std::size_t runs = file_.count(node, most_runs);
        if (runs > setting_.runs)
            file_.fail(node, fmt::format("is {}, more than the setting's runs, {}", runs, setting_.runs));
        return runs;
    }

    void check_metrics(const DocumentNode& metrics) const {
        const std::shared_ptr<const ExactSolution> solved = solve();
        const ExactSolution& solution = *solved;
        const Eigen::VectorXd zero = Eigen::VectorXd::Zero(solution.X.cols());
        for (std::size_t i = 0; i < setting_.metrics.size(); ++i) {
            const Metric metric = setting_.metrics[i].metric;
            if (exact_error(metric, solution, zero, setting_.weighting)) continue;
            file_.fail(
                metrics.children[i / scores_.size()],
                metric_info(metric).normalised
                    ? fmt::format("is {}, which divides by the best values that the features can represent, and "
                                  "these are 0: take mspve",
                                  id_of(metric))
                    : fmt::format("is {}, which divides by the true value, and that is 0 in some state: take rmsve",
                                  id_of(metric)));
        }
    }

    std::shared_ptr<const ExactSolution> solve() const {
        try {
            return exact_solution(first_);
        } catch (const UsageError& error) {
            file_.fail(node_, fmt::format("is refused: {}", error.what()));
        }
    }

    const Document& file_;
    const DocumentNode& node_;
    const FiniteMdp& first_;
    bool solves_;
    Setting& setting_;
    std::vector<Score> scores_;
};

}  // namespace

void read_measures(const Document& file, const DocumentNode& node, const FiniteMdp& first, bool solves,
                   Setting& setting) {
    MeasuresReader(file, node, first, solves, setting).read();
}

}  // namespace bellwether
