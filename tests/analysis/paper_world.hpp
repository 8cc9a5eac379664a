// A world in which everything the paper claims is true: findings made by hand, for tests that change one thing in it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/claims.hpp"
#include "analysis/findings.hpp"
#include "analysis/paper.hpp"
#include "plan/study_text.hpp"

namespace bellwether::test {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// The verdict of a part and all that speaks for and against it.
inline std::string evidence(const ClaimPart& part) {
    std::string text = "part " + part.id + ": " + std::string(name_of(part.verdict));
    for (const std::string& line : numbers_of(part.evidence)) text += "\n  " + line;
    return text;
}

// What an algorithm does in a setting.
struct Behaviour {
    double score = 1;         // of the best configuration, on fresh runs and on those of the selection
    double deviation = 0.01;  // between runs
    double steepness = 0.1;   // the score grows by this part with every step away from the best alpha or lambda
    double eta_steepness = 0.1;
    double best_alpha = 0.2, best_eta = 2, best_lambda = 0.1;
    double probability_of_best = 1;  // the rest falls to lambda = 0
    std::size_t diverged_runs = 0;
    bool every_configuration_diverges = false;
    std::vector<double> curve{};  // 501 errors
};

class PaperWorld {
public:
    using Key = std::pair<std::string, std::string>;  // setting and algorithm

    PaperWorld() : paper(the_paper()), study(study_of(text())) {
        for (const Setting& setting : study.settings)
            for (const AlgorithmGrid& grid : setting.algorithms)
                behaviours[{setting.id, std::string(grid.info->id)}].curve.assign(501, 0.5);
        for (const char* setting : {"on-tabular", "on-aliased", "on-binary"}) set_on_policy(setting);
        for (const char* setting : {"off-tabular", "off-aliased", "off-binary"}) set_off_policy(setting);
        set_baird();
        set_curves();
        for (const TimedFeatures features : both_timed_features)
            for (const PublishedRuntime& row : paper.published.runtimes->rows)
                for (const Policy policy : both_policies)
                    if (const auto published = row.microseconds(policy))
                        add_runtime(policy, row.algorithm, features, *published);
    }

    Behaviour& at(const std::string& setting, const std::string& algorithm) {
        return behaviours.at({setting, algorithm});
    }
    Runtime& runtime(Policy policy, std::string_view algorithm, TimedFeatures features = TimedFeatures::one_hot) {
        return *std::find_if(runtimes.rows.begin(), runtimes.rows.end(), [&](const Runtime& row) {
            return row.policy == policy && row.algorithm == algorithm && row.features == features;
        });
    }

    static const Paper& the_paper() {
        static const Paper read_once = read_paper(BELLWETHER_SOURCE "/studies/white2016");
        return read_once;
    }

    Findings findings() const {
        Findings all{.study = &study};
        for (std::size_t s = 0; s < study.settings.size(); ++s)
            if (study.settings[s].id != missing_setting) all.metrics.push_back(metric(s));
        return all;
    }
    // A part of a claim, or a claim that is not in parts.
    ClaimPart judge(const std::string& id) const {
        const Findings all = findings();
        for (const Claim& claim : judge_claims(only_with(id), all, has_runtimes ? &runtimes : nullptr))
            for (const ClaimPart& part : claim.parts)
                if (part.id == id) return part;
        ADD_FAILURE() << "no part " << id;
        return {};
    }

    const Paper& paper;
    Study study;
    std::map<Key, Behaviour> behaviours{};
    std::string missing_setting{};
    bool has_recordings = true, has_runtimes = true;
    RuntimeTable runtimes{.machine = "none", .instruction_set = "none", .steps = 500};

private:
    // The claim that has this part: its comparisons are decided together.
    Paper only_with(const std::string& id) const {
        Paper one = paper;
        std::erase_if(one.claims, [&](const PaperClaim& claim) {
            return std::none_of(claim.parts.begin(), claim.parts.end(),
                                [&](const PaperClaimPart& part) { return part.id == id; });
        });
        return one;
    }

    static std::string text() {
        std::string all =
            "[grids.all]\nalpha = [0.05, 0.1, 0.2, 0.4, 0.8]\n"
            "eta = [0.5, 1, 2, 4]\nlambda = [0, 0.1, 0.5, 0.9, 1]\nbeta-scale = 0.5\n";
        const std::string common =
            "'ptd', 'gtd', 'to-etd', 'to-etd-beta', 'htd', 'to-gtd', 'gtd2-mp', 'tdc-mp', 'to-htd'";
        for (const std::string policy : {"on", "off"})
            for (const std::string features : {"tabular", "aliased", "binary"})
                all +=
                    "[[settings]]\nid = '" + policy + "-" + features + "'\ndomain = 'random-mdp'\npolicy = '" + policy +
                    "'\nfeatures = '" + features + "'\nsteps = 500\ninstances = 4\nruns = 5\nmetrics = ['mave']\n" +
                    "grid = 'all'\nalgorithms = ['td0', " + (policy == "on" ? "'td', 'to-td', " : "") + common + "]\n";
        return all +
               "[[settings]]\nid = 'baird'\ndomain = 'baird'\nsteps = 500\nruns = 20\nmetrics = ['rmsve']\n"
               "grid = 'all'\nalgorithms = [" +
               common + "]\n";
    }

    void set_scores(const std::string& setting, const std::map<std::string, double>& scores) {
        for (const auto& [algorithm, score] : scores) at(setting, algorithm).score = score;
    }
    void set_random(const std::string& setting) {
        set_scores(setting, {{"td0", 1.2},
                             {"to-etd", 0.7},
                             {"to-etd-beta", 0.5},
                             {"to-gtd", 0.85},
                             {"gtd2-mp", 1.5},
                             {"tdc-mp", 1.35},
                             {"to-htd", 0.92}});
        at(setting, "tdc-mp").deviation = 0.1;
        at(setting, "tdc-mp").steepness = 1;
        for (const char* one : {"gtd2-mp", "tdc-mp"}) at(setting, one).best_lambda = 0.5;
    }
    void set_on_policy(const std::string& setting) {
        set_random(setting);
        const bool is_binary = setting == "on-binary";
        for (const char* one : {"td", "ptd", "htd"}) {
            at(setting, one).score = is_binary ? 0.97 : 1;
            at(setting, one).steepness = 0.3;
        }
        set_scores(setting, {{"gtd", is_binary ? 1 : 0.8}, {"to-td", 0.9}});
        at(setting, "htd").eta_steepness = 0;
    }
    void set_off_policy(const std::string& setting) {
        set_random(setting);
        set_scores(setting, {{"gtd", 1}, {"ptd", 1.01}, {"htd", 0.99}});
        at(setting, "to-etd").deviation = 0.03;
        at(setting, "to-etd").steepness = 1;
    }
    void set_baird() {
        set_scores("baird", {{"gtd2-mp", 0.5},
                             {"tdc-mp", 0.6},
                             {"gtd", 1},
                             {"to-gtd", 1.1},
                             {"htd", 2},
                             {"to-htd", 2.1},
                             {"ptd", 4},
                             {"to-etd", 4.5},
                             {"to-etd-beta", 4.2}});
        for (const char* one : {"ptd", "to-etd", "to-etd-beta"}) at("baird", one).best_lambda = 0.9;
        for (const char* one : {"gtd", "to-gtd"}) at("baird", one).eta_steepness = 0.3;
    }
    // After 500 iterations of 0.1 ms TO-TD has processed 84.6 samples in the mean, and TD(0) 101.4, neither of them ten
    // more or less: with other numbers of samples the curves say the opposite.
    void set_curves() {
        std::vector<double>& to_td = at("on-tabular", "to-td").curve;
        std::vector<double>& td0 = at("on-tabular", "td0").curve;
        for (std::size_t t = 0; t < to_td.size(); ++t) {
            to_td[t] = t >= 75 && t <= 94 ? 0.3 : 0.9;
            td0[t] = t >= 91 && t <= 111 ? 0.5 : 0.1;
        }
        for (const char* one : {"htd", "ptd"}) at("off-tabular", one).curve.assign(501, 0.3);
    }
    // The paper's order, but closer together: by its own numbers TO-ETD(λ,β) takes 1.9 times as long as TO-TD.
    void add_runtime(Policy policy, std::string_view algorithm, TimedFeatures features, double published) {
        const double here = 100 + published / 5;
        runtimes.rows.push_back(
            {policy, std::string(algorithm), here, here * 0.999, here * 1.001, std::nullopt, std::nullopt, features});
    }

    MetricFindings metric(std::size_t number) const {
        const Setting& setting = study.settings[number];
        MetricFindings result{.setting = &setting, .metric = 0, .instances = setting.instances, .runs = setting.runs};
        result.initial_error = setting.id == "baird" ? 5 : 10;
        result.address = result.selection_address = setting.id == "baird" ? static_cast<std::uint32_t>(number) : 0;
        std::vector<RunScores> competitors;
        for (const AlgorithmGrid& grid : setting.algorithms) {
            const Behaviour& behaviour = behaviours.at({setting.id, std::string(grid.info->id)});
            result.algorithms.push_back(algorithm(setting, grid, behaviour));
            competitors.push_back(run_scores(setting, behaviour, result.algorithms.size()));
        }
        if (has_recordings) record(result, competitors);
        return result;
    }

    // Where a value stands in its parameter's list; 0 where the algorithm does not have it.
    static double distance(const AlgorithmGrid& grid, std::size_t configuration, std::string_view parameter,
                           double best) {
        const ParameterInfo* found = grid.info->find(parameter);
        if (!found) return 0;
        const auto p = static_cast<std::size_t>(found - grid.info->parameters.data());
        const std::vector<double>& values = grid.values[p];
        const auto place = std::find(values.begin(), values.end(), best) - values.begin();
        return std::abs(static_cast<double>(place) - static_cast<double>(grid.place(configuration, p)));
    }

    static AlgorithmFindings algorithm(const Setting& setting, const AlgorithmGrid& grid, const Behaviour& behaviour) {
        AlgorithmFindings result{.grid = &grid};
        const std::size_t count = grid.configurations();
        for (std::size_t c = 0; c < count; ++c) {
            const double away =
                distance(grid, c, "alpha", behaviour.best_alpha) + distance(grid, c, "lambda", behaviour.best_lambda);
            const double eta_away = distance(grid, c, "eta", behaviour.best_eta);
            const double mean = behaviour.score * (1 + behaviour.steepness * away + behaviour.eta_steepness * eta_away);
            const double score = behaviour.every_configuration_diverges ? infinity : mean;
            result.configurations.push_back({.instances = setting.instances,
                                             .runs = setting.instances * setting.runs,
                                             .diverged = behaviour.every_configuration_diverges,
                                             .mean = mean,
                                             .score = score,
                                             .standard_error = 0.01});
            for (std::size_t i = 0; i < setting.instances; ++i) result.instance_means.push_back(score);
            if (away == 0 && eta_away == 0) result.best = c;
        }
        result.selection = {.runs = setting.instances * setting.runs, .score = behaviour.score};
        if (setting.instances == 1) return result;
        result.probabilities_best.assign(count, 0.0);
        if (behaviour.every_configuration_diverges) return result;
        result.probabilities_best[0] = 1 - behaviour.probability_of_best;
        result.probabilities_best[result.best] += behaviour.probability_of_best;
        return result;
    }

    // Every algorithm has its noise in another order, so that two of them are not the same but for a shift.
    static RunScores run_scores(const Setting& setting, const Behaviour& behaviour, std::size_t algorithm) {
        constexpr double noise[] = {-1.3, -0.5, 0, 0.6, 1.2};
        RunScores scores(setting.instances, std::vector<double>(setting.runs));
        std::size_t diverged = behaviour.diverged_runs;
        for (std::size_t i = 0; i < setting.instances; ++i)
            for (std::size_t r = 0; r < setting.runs; ++r) {
                scores[i][r] =
                    behaviour.score + behaviour.deviation * noise[(r * (algorithm % 4 + 1) + i + algorithm) % 5];
                if (diverged > 0) scores[i][r] = infinity, --diverged;
            }
        return scores;
    }

    void record(MetricFindings& metric, const std::vector<RunScores>& competitors) const {
        metric.fresh_runs = metric.setting->runs;
        metric.spread.emplace(competitors, study.seed, metric.address, 2000);
        for (std::size_t a = 0; a < competitors.size(); ++a) {
            AlgorithmFindings& algorithm = metric.algorithms[a];
            const Behaviour& behaviour = behaviours.at({metric.setting->id, std::string(algorithm.id())});
            StageFindings& fresh = algorithm.fresh.emplace();
            fresh.scores = competitors[a];
            fresh.curve.mean = behaviour.curve;
            fresh.curve.instances.assign(metric.instances, behaviour.curve);
            fresh.estimate = {.runs = metric.instances * metric.runs,
                              .diverged = behaviour.diverged_runs,
                              .score = behaviour.diverged_runs > 0 ? infinity : behaviour.score,
                              .standard_error = 0.01,
                              .deviation = deviation_between_runs(competitors[a]),
                              .interval = metric.spread->score(a),
                              .first = metric.spread->probability_first(a)};
        }
    }
};

}  // namespace bellwether::test
