// A study: what is run, as the study file says it (docs/study-file.md). Everything a result depends on is in here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bellwether/step_size_rule.hpp"
#include "problems/domain.hpp"
#include "problems/finite_mdp.hpp"
#include "problems/learning_target.hpp"
#include "problems/metric.hpp"
#include "problems/weighting.hpp"
#include "support/algorithms.hpp"
#include "support/document.hpp"

namespace bellwether {

// What a setting is about: a built-in domain, or a model of the user's. It may have several questions about one stream
// of behaviour, each a problem of its own whose runs go through the same states; scores are means over them.
class Problem {
public:
    explicit Problem(DomainRequest request) : requests_{std::move(request)} {}
    explicit Problem(std::shared_ptr<const FiniteMdp> model) : models_{std::move(model)} {}
    // One of each question.
    explicit Problem(std::vector<DomainRequest> requests) : requests_(std::move(requests)) {}
    explicit Problem(std::vector<std::shared_ptr<const FiniteMdp>> models) : models_(std::move(models)) {}

    std::size_t questions() const { return std::max(requests_.size(), models_.size()); }
    // Whether instance k (run r) is another problem than instance k + 1 (run r + 1).
    bool has_instances() const { return request() && request()->info->has_instances; }
    bool has_runs() const { return request() && request()->info->has_runs; }
    FiniteMdp make(std::uint64_t seed, std::uint32_t instance, std::uint32_t run, std::size_t question = 0) const;

    // Null for a model.
    const DomainRequest* request(std::size_t question = 0) const {
        return requests_.empty() ? nullptr : &requests_[question];
    }

private:
    std::vector<DomainRequest> requests_;
    std::vector<std::shared_ptr<const FiniteMdp>> models_;
};

// Runs from this number on are the fresh ones: no configuration was chosen on them.
inline constexpr std::uint32_t first_fresh_run = std::uint32_t{1} << 31;
// And likewise instances.
inline constexpr std::uint32_t first_fresh_instance = std::uint32_t{1} << 31;

// What makes a configuration's score in an instance out of those of its runs.
enum class Aggregate { mean, median };
inline constexpr std::array<std::string_view, 2> aggregate_names{"mean", "median"};

// What configurations are chosen and compared by: a metric, and how much of a run makes its score.
struct ScoredMetric {
    Metric metric;
    std::size_t runs;        // at most the setting's: an expensive metric may be scored on the first runs only
    std::size_t scored = 0;  // the last so many measurements of a run make the score
    std::string score{};     // where the setting has several scores: which, as the file has it, "0.01"; else ""

    // "rmsve", or "rmsve@0.01"
    std::string id() const { return std::string(id_of(metric)) + (score.empty() ? "" : "@" + score); }
};

// What learns values in every run of a setting, where the variance of the return is learned beside them: one
// configuration, on the setting's problem, with features of its own where it has them.
struct ValueLearner {
    const AlgorithmInfo* info;
    std::vector<double> parameters;  // in the order of info->parameters
    Problem problem;
};

// A smaller size of a setting, for those in a hurry: at most so many instances and runs.
struct Cut {
    std::optional<std::size_t> instances{}, runs{};
};

struct Setting {
    std::string id;
    Problem problem;
    std::string title{};           // for people
    std::size_t steps = 0;         // of a run; where it has a number of episodes, about as many as these take
    std::size_t episodes = 0;      // of a run, at whose ends errors are measured; 0: they are measured after steps
    std::size_t every = 1;         // after steps 1, every + 1, 2·every + 1, …
    bool measures_before = false;  // or before them: the error of w_0 counts then, and is the first of a run
    std::size_t steps_ahead = 1;   // that a transition goes over
    StepSizeRule step_sizes{};     // of the algorithms that have plain ones
    std::size_t instances = 0;
    std::size_t runs = 0;  // of each instance
    LearningTarget target = LearningTarget::value;
    std::optional<ValueLearner> values{};  // where the target is another one
    Weighting weighting{};
    Aggregate aggregate = Aggregate::mean;
    std::vector<ScoredMetric> metrics{};
    std::vector<AlgorithmGrid> algorithms{};
    bool record = false;           // whether the best configurations' learning curves are recorded
    std::size_t fresh_runs = 0;    // of each instance, for the recording; beside the selection runs
    bool fresh_instances = false;  // whether these are of fresh instances, as many as `instances`
    Cut cut{};

    // How often errors are measured in a run, not counting that of w_0; after which step, or episode, each time (the
    // 0th is that of w_0); and what is counted so.
    std::size_t measurements() const {
        if (measures_before) return (steps - 1) / every;
        return episodes > 0 ? episodes : (steps + every - 1) / every;
    }
    std::size_t time_of(std::size_t measurement) const {
        if (measures_before) return measurement * every;
        return episodes > 0 || measurement == 0 ? measurement : (measurement - 1) * every + 1;
    }
    // The errors that a score may count, and the steps that they need.
    std::size_t errors_of_run() const { return measurements() + (measures_before ? 1 : 0); }
    std::size_t learned_steps() const { return measures_before ? measurements() * every : steps; }
    std::string_view time_unit() const { return episodes > 0 ? "episode" : "step"; }
    bool is_measured_every_step() const { return episodes == 0 && every == 1; }

    std::size_t configurations() const;  // of all algorithms together
    // Where each algorithm's configurations begin among these.
    std::vector<std::uint32_t> first_configurations() const;
    // Other numbers of instances, where the problem has several, and of runs. Metrics and fresh runs that have as many
    // runs as the setting follow it; fewer stay as they are.
    void resize(std::optional<std::size_t> to_instances, std::optional<std::size_t> to_runs);
    void take_cut();
};

// What a figure of the report shows of its settings.
enum class FigureKind {
    overview,     // learning curves and the score against each parameter
    sensitivity,  // the score against one parameter, a line for each value of another, a panel for each algorithm
    curves,       // learning curves of stated configurations
    bars          // the best scores over that of one algorithm
};
inline constexpr std::array<std::string_view, 4> figure_kind_names{"overview", "sensitivity", "curves", "bars"};

// A configuration that a figure states, in one of its settings.
struct StatedConfiguration {
    std::size_t algorithm;      // number in the setting
    std::size_t configuration;  // number within its grid
    friend bool operator==(const StatedConfiguration&, const StatedConfiguration&) = default;
};

// A row of panels for each setting and metric.
struct FigureRow {
    std::size_t setting;
    std::size_t metric;                     // number in the setting's list
    std::vector<std::size_t> algorithms{};  // numbers in the setting, in the order of the figure
    std::vector<StatedConfiguration> of{};  // of a figure of curves
};
struct Figure {
    std::string id;  // the name of its files
    std::string title;
    std::vector<FigureRow> rows;
    FigureKind kind = FigureKind::overview;
    std::string x{};                   // of a sensitivity: the parameter
    std::vector<std::string> lines{};  // and that of the lines: of these the first that an algorithm has
    std::string relative_to{};         // of bars: an algorithm's id
};

// What a study of a reading says of itself (docs/readings.md).
struct StudyReading {
    std::string id;
    std::string statement;
    // Algorithms that take the place of others, by the ids of those: claims that name the others are about them.
    std::map<std::string, std::string, std::less<>> stand_ins{};
};

// Model files, by their names in the study file, and their texts.
using ModelTexts = std::map<std::string, std::string>;

struct Study {
    std::string name;
    std::string description;
    std::string paper;  // the name of the paper's folder that it reproduces; "" where there is none
    std::uint64_t seed = 0;
    std::optional<StudyReading> reading{};
    std::vector<Setting> settings;
    std::vector<Figure> figures;  // as the file has them; where it has none, one for each setting and metric
    std::string text;             // the file as written
    ModelTexts models;            // of its settings
    // Only to see what it takes. Its problems have the states and features of the study's, but may be others that are
    // quicker to make, and nothing is solved: what is true of them, and so every error, means nothing.
    bool is_outline = false;

    // Every parameter name of its algorithms, in the order of the registry: the columns of an export.
    std::vector<std::string_view> parameter_names() const;
    // What results depend on, in a canonical text: equal studies have equal ones, however their files are written.
    // Instances and runs are left out: a study may grow. One fact per line, so that two can be compared line by line.
    std::string identity() const;
};

// UsageError names the file, line and column of what is wrong, and the nearest valid name.
Study read_study(const std::string& path);
Study read_outline(const std::string& path);
// The same from a text, as a store keeps it. `name` stands for the file in errors. Its paper need not be installed.
Study parse_study(const std::string& name, const std::string& text);
// The same where the model files cannot be seen: these are their texts.
Study parse_study(const std::string& name, const std::string& text, const ModelTexts& models);
// The same from a tree whose nodes may stand in several files. Its text becomes the tree's, below the comment.
Study parse_study(const std::string& name, DocumentNode root, const std::string& comment);

// Letters, digits, - and _: fit for a file's name, a column and an address.
bool is_plain_id(std::string_view id);

}  // namespace bellwether
