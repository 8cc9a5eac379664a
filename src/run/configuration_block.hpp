// Configurations of one algorithm, run after run through the trajectories of one instance. Where a problem has several
// questions, scores and curves are means over them, summed up in their order; scores are there for each alone as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/backend.hpp"
#include "plan/study.hpp"
#include "run/errors.hpp"
#include "run/instance.hpp"

namespace bellwether {

// How many of `runs` runs of so many configurations one batch of a backend should have.
std::size_t runs_at_once(const Backend& backend, const Setting& setting, std::size_t configurations, std::size_t runs);

class ConfigurationBlock {
public:
    // `configurations`: numbers within the algorithm's grid.
    ConfigurationBlock(InstanceCache& instances, const Backend* backend, std::size_t setting, std::size_t algorithm,
                       std::uint32_t instance, std::span<const std::size_t> configurations);

    // Runs from `first` on, measured by these metrics (numbers in the setting's list): whole ones, or so many steps of
    // them, to see how long they take.
    void run(std::uint32_t first, std::size_t runs, std::span<const std::size_t> metrics,
             std::optional<std::size_t> steps = std::nullopt);
    void run(std::uint32_t run_number, std::span<const std::size_t> metrics) { run(run_number, 1, metrics); }
    void keep_curves() { keeps_curves_ = true; }

    std::size_t configurations() const { return count_; }
    // Of the n-th of the last runs; `place` is the place of the metric in its list.
    double score(std::size_t place, std::size_t configuration, std::size_t n = 0) const {
        return scores_[(n * metric_count_ + place) * count_ + configuration];
    }
    // The same for one question alone.
    double score_of_question(std::size_t question, std::size_t place, std::size_t configuration,
                             std::size_t n = 0) const {
        return scores_apart_[question][(n * metric_count_ + place) * count_ + configuration];
    }
    // The error of w_0, and each that was measured.
    std::span<const double> curve(std::size_t place, std::size_t configuration, std::size_t n = 0) const;
    // The error of w_0 by metric m of the setting, as the kernels compute it.
    double initial_error(std::size_t m, std::size_t configuration) const {
        return initial_[m * count_ + configuration];
    }
    double initial_error_of_question(std::size_t question, std::size_t m, std::size_t configuration) const {
        return initial_apart_[question][m * count_ + configuration];
    }

private:
    // A question that is asked, with its errors.
    struct Question {
        std::shared_ptr<Instance> instance;
        std::vector<ErrorData> errors;        // of every metric of the setting, whatever its score
        std::vector<ErrorData> later_errors;  // likewise, where the problem changes in mid-run; else empty
    };
    // What a question brings in a batch.
    struct Asked {
        LaneRequest request{};
        std::vector<LaneError> errors{}, later_errors{};
        std::vector<std::size_t> scored{};  // by error
        std::vector<double> scores{}, curves{};
    };

    void enter(std::uint32_t first_run);
    // Of a whole run, or of so many steps.
    std::size_t measurements(std::optional<std::size_t> steps) const;
    LaneRequest request(const Question& question) const;
    Asked ask(const Question& question, std::uint32_t first, std::size_t runs, std::span<const std::size_t> metrics,
              std::optional<std::size_t> steps);
    void run(std::vector<Asked>& asked);
    // Adds the error of w_0 to the scores that count it, which have the others.
    void count_initial_errors(std::vector<Asked>& asked, std::span<const std::size_t> metrics) const;
    void take_means(std::vector<Asked>& asked);
    // What each question has of these, where there are several: taken out of `asked`.
    static std::vector<std::vector<double>> apart(std::vector<Asked>& asked, std::vector<double> Asked::*numbers);

    InstanceCache& instances_;
    const Backend* backend_;
    std::size_t setting_number_;
    const Setting& setting_;
    std::uint32_t instance_number_;
    std::size_t algorithm_;  // in the registry
    std::size_t count_;
    std::vector<double> parameters_;  // parameter by parameter
    std::vector<double> lambda_;
    bool keeps_curves_ = false;

    std::vector<std::size_t> error_number_;  // by entry of the setting's list: which of a question's errors
    std::vector<Question> questions_;
    std::vector<double> initial_, scores_, curves_;                  // means over the questions
    std::vector<std::vector<double>> initial_apart_, scores_apart_;  // by question, where there are several
    std::size_t metric_count_ = 0, curve_length_ = 0;                // of the last runs
};

}  // namespace bellwether
