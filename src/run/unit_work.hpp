// The computation of a unit.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/study.hpp"
#include "plan/unit.hpp"
#include "run/configuration_block.hpp"
#include "store/store.hpp"

namespace bellwether {

// A unit on its way, run by run. Which runs are missing is known for each metric by its summaries. Scores of single
// questions are kept beside them (plan/stored_scores.hpp) as long as they are of the same runs: a store of a program
// that did not keep them stays without.
class UnitWork {
public:
    // `so_far` has the summaries that are stored, if there are any.
    UnitWork(InstanceCache& instances, const Backend* backend, const Unit& unit,
             const std::optional<UnitResult>& so_far);

    bool done() const;
    // The next run, or the next few where the backend takes so many at once: how many. 0 where it was stopped on the
    // way, and then nothing is added.
    std::size_t run_next(const std::atomic<bool>& stop);
    // What there is to store. A median needs all runs at once: then there is nothing before the unit is done.
    const UnitResult& result() const { return result_; }
    bool has_result() const { return setting_.aggregate == Aggregate::mean || done(); }

private:
    std::uint64_t runs_summed_up(std::size_t metric) const {
        return result_.summaries[metric * result_.configurations].runs;
    }
    std::uint64_t runs_done(std::size_t metric) const {
        return kept_[metric].empty() ? runs_summed_up(metric) : kept_[metric].size() / result_.configurations;
    }
    bool is_done(std::size_t metric) const { return runs_summed_up(metric) >= setting_.metrics[metric].runs; }
    void forget(std::size_t metric);
    bool has_questions_apart(std::size_t metric) const;
    void add_scores(std::size_t metric, std::size_t place, std::size_t run);
    // Use add(score of a block's configuration, its error of w_0) for all configurations of the unit.
    template <class Add>
    void for_each_score(std::size_t metric, std::size_t place, std::size_t run, std::optional<std::size_t> question,
                        Add add) const;
    // `score` is the place of its summaries.
    void keep_scores(std::size_t score, std::size_t metric, std::size_t place, std::size_t run,
                     std::optional<std::size_t> question);

    const Setting& setting_;
    const Backend* backend_;
    UnitResult result_;
    // By stored score, run by run: those of all configurations, where the median of their runs is wanted.
    std::vector<std::vector<double>> kept_;
    std::vector<ConfigurationBlock> blocks_;  // parts of the unit: between two of them the work can stop
};

}  // namespace bellwether
