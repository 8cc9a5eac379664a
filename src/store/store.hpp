// Results of a study in one SQLite file, results.db, in its output directory. Units of work are written whole or not at
// all: a program that is killed loses what was not written yet, nothing else. docs/store.md has the schema.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellwether {

// What is known of a score over runs. Runs are added in order (Welford), so the bits do not depend on how the work was
// cut. A diverged run, one whose score is not finite, is counted and has no part in mean and m2.
struct ScoreSummary {
    std::uint64_t runs = 0;  // diverged ones included
    std::uint64_t diverged = 0;
    std::uint64_t worse = 0;  // runs whose score is above the error of w_0, diverged ones included
    double mean = 0;          // of the runs that did not diverge
    double m2 = 0;            // Σ (score − mean)², likewise

    void add(double score, double initial_error);
    // Of all runs at once, with their median in the place of the mean. A run that diverged is above all others; such
    // runs are counted as diverged where they make the median infinite, and are left at that where they do not. m2 is
    // around the mean.
    static ScoreSummary of_median(std::vector<double> scores, double initial_error);
    friend bool operator==(const ScoreSummary&, const ScoreSummary&) = default;
};

// The part of the plan that is computed and stored at once: a block of neighbouring configurations of one algorithm in
// one setting and instance. All by index into the study.
struct UnitKey {
    std::uint32_t setting, instance, first_configuration;  // the first one's number within the setting
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 inside of a default <=> for a pointer
    friend auto operator<=>(const UnitKey&, const UnitKey&) = default;
};
struct UnitResult {
    UnitKey key;
    std::uint32_t configurations = 0;
    std::uint64_t runs = 0;               // done so far, from run 0
    std::vector<ScoreSummary> summaries;  // metric by metric, configuration by configuration
};

// The learning curve of one configuration in one instance: errors of w_0 and after each step.
// The runs it was chosen on, other runs of the same instances, or runs of other instances: those come in the order of
// their numbers, the first of them as instance 0. The numbers are part of the format.
enum class Stage : std::uint32_t { selection = 0, fresh = 1, fresh_instances = 2 };
struct RecordingKey {
    std::uint32_t setting, metric, instance, configuration;  // metric: index in the setting's list
    Stage stage;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 inside of a default <=> for a pointer
    friend auto operator<=>(const RecordingKey&, const RecordingKey&) = default;
};
struct Recording {
    std::uint64_t runs = 0;
    std::vector<double> curve_mean, curve_m2;  // steps + 1 each; infinite from where some run was not finite
    std::vector<double> scores;                // per run, in order
    friend bool operator==(const Recording&, const Recording&) = default;
};

struct StudyRecord {
    std::string name;                             // of the study
    std::string text;                             // the file as written
    std::string identity;                         // Study::identity()
    std::string version;                          // of the program that made the store
    std::map<std::string, std::string> models{};  // the texts of its model files, by their names in the study file
    friend bool operator==(const StudyRecord&, const StudyRecord&) = default;
};

// What indices stand for, for people who read the store with SQL. By setting, in the order of the study.
struct AlgorithmName {
    std::string id;
    std::uint32_t first_configuration, configurations;  // within the setting
};
struct SettingNames {
    std::vector<std::string> metrics;
    std::vector<AlgorithmName> algorithms;
};

// The sizes that the store was last asked to grow to, per setting: what "complete" means.
struct Extent {
    std::uint32_t setting;
    std::string setting_id;
    std::uint64_t instances, runs;
    friend bool operator==(const Extent&, const Extent&) = default;
};

// Used by one thread at a time.
class Store {
public:
    // For writing: makes the directory and the store where they are missing, and holds a lock until the end. UsageError
    // where another process holds it, where the store is of another study (naming the first difference between the
    // identities), of another version of the program, of another schema, or not a store at all; WorkError where the
    // directory cannot be written. The text, the name and the models' texts may differ and are brought up to date.
    static Store create(const std::filesystem::path& directory, const StudyRecord& study);
    // For reading, also while another process writes and where nothing may be written. UsageError where there is no
    // store.
    static Store open(const std::filesystem::path& directory);
    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    StudyRecord study() const;

    // Files that reports need beside the study's own, by their names: their texts, so that results can be moved.
    void set_files(const std::map<std::string, std::string>& files);
    std::map<std::string, std::string> files() const;

    void set_extents(std::span<const Extent> extents);
    std::vector<Extent> extents() const;
    void set_names(std::span<const SettingNames> settings);

    // Units that have some run done, with how many, in the order of their keys.
    struct UnitProgress {
        UnitKey key;
        std::uint64_t runs;
        friend bool operator==(const UnitProgress&, const UnitProgress&) = default;
    };
    std::vector<UnitProgress> units() const;
    // Summaries of the configurations first … first + count − 1 in one instance, metric by metric; empty summaries
    // where nothing is stored.
    std::vector<ScoreSummary> summaries(std::uint32_t setting, std::uint32_t instance,
                                        std::uint32_t first_configuration, std::uint32_t count,
                                        std::uint32_t metrics) const;
    // One transaction. WorkError where the disk is full; nothing that was stored before is lost.
    void write(const UnitResult& unit);
    void write(std::span<const UnitResult> units);
    // What is written within, all or nothing.
    void in_one_transaction(const std::function<void()>& writes);

    std::optional<std::uint64_t> recorded_runs(const RecordingKey& key) const;
    std::optional<Recording> recording(const RecordingKey& key) const;
    std::vector<RecordingKey> recordings() const;  // in the order of the keys
    void write(const RecordingKey& key, const Recording& recording);

    // Facts about how the results were made, for people, in the order of their names: machine, instruction set,
    // seconds. Not part of any export.
    void note(std::string_view name, std::string_view value);
    std::vector<std::pair<std::string, std::string>> notes() const;

    // Whether some process holds the lock of that directory now.
    static bool is_locked(const std::filesystem::path& directory);

private:
    struct Connection;
    explicit Store(std::unique_ptr<Connection> connection);
    std::unique_ptr<Connection> connection_;
};

}  // namespace bellwether
