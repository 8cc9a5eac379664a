#include "analysis/atlas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "analysis/names.hpp"
#include "bellwether/catalogue.hpp"
#include "support/infinity.hpp"

namespace bellwether {

namespace {

// A score above the error of w_0 is worth no more than not learning.
double clipped(double score, const MetricFindings& findings) {
    return findings.initial_error > 0 ? std::min(score, findings.initial_error) : score;
}

AtlasProblem problem_of(const AtlasSource& source, const MetricFindings& findings) {
    const Study& study = *source.findings->study;
    const Problem& problem = findings.setting->problem;
    AtlasProblem result{
        .study = study.name,
        .findings = &findings,
        .on_policy = problem.request() ? problem.request()->on_policy : problem.make(study.seed, 0, 0).on_policy()};
    const auto setting = static_cast<std::size_t>(findings.setting - study.settings.data());
    double best = infinity;
    for (const AlgorithmFindings& algorithm : findings.algorithms)
        best = std::min(best, clipped(algorithm.estimate().score, findings));
    for (std::size_t a = 0; a < findings.algorithms.size(); ++a) {
        const AlgorithmFindings& algorithm = findings.algorithms[a];
        AtlasEntry entry{
            .findings = &algorithm, .place = a, .ratio = ratio_of(clipped(algorithm.estimate().score, findings), best)};
        if (!source.costs.empty()) entry.cost = source.costs[setting][a];
        result.entries.push_back(entry);
    }
    return result;
}

// Not where a variance is learned, nor where one algorithm is alone, nor where nobody chose: with one configuration of
// each, as a figure shows them, the best of an algorithm is whatever that one is.
bool says_which_to_use(const MetricFindings& findings) {
    const Setting& setting = *findings.setting;
    const auto has_choice = [](const AlgorithmGrid& grid) { return grid.configurations() > 1; };
    return setting.target == LearningTarget::value && setting.algorithms.size() > 1 &&
           std::any_of(setting.algorithms.begin(), setting.algorithms.end(), has_choice);
}

double cheapest(const AtlasProblem& problem) {
    double least = infinity;
    for (const AtlasEntry& entry : problem.entries) least = std::min(least, entry.cost.value_or(infinity));
    return least;
}

AtlasSummary summary_of(const Atlas& atlas, std::string_view algorithm) {
    AtlasSummary summary{.algorithm = std::string(algorithm)};
    double ratios = 0, costs = 0;
    std::size_t costed = 0;
    for (const AtlasProblem& problem : atlas.problems) {
        const AtlasEntry* entry = problem.find(algorithm);
        if (!entry) continue;
        ++summary.problems;
        ratios += std::log(entry->ratio);
        if (entry->ratio > summary.worst) summary.worst = entry->ratio, summary.worst_in = &problem;
        summary.within_50 += entry->findings->distribution.within_50;
        if (entry->findings->robust)
            summary.failure_rate = std::max(summary.failure_rate, entry->findings->robust->failure_rate());
        if (entry->cost) costs += std::log(*entry->cost / cheapest(problem)), ++costed;
    }
    const auto count = static_cast<double>(summary.problems);
    summary.typical = std::exp(ratios / count);
    summary.within_50 /= count;
    if (costed == summary.problems) summary.cost = std::exp(costs / count);
    return summary;
}

// ---- Recommendations.

std::string name_of_algorithm(std::string_view id) {
    const AlgorithmInfo* info = find_algorithm(id);
    return info ? short_name(info->name) : std::string(id);
}

Verdict verdict_of(const std::optional<Interval>& interval, double estimate, const Interval& target) {
    const double low = interval ? interval->low : estimate, high = interval ? interval->high : estimate;
    if (std::isnan(estimate)) return Verdict::undecided;
    if (high <= target.high && low >= target.low) return Verdict::held;
    if (low > target.high || high < target.low) return Verdict::not_held;
    return Verdict::undecided;
}

std::string problems_text(std::size_t count) {
    return fmt::format("{} problem{}", count, count == 1 ? "" : "s");
}

class AtlasJudge {
public:
    explicit AtlasJudge(const Atlas& atlas) : atlas_(atlas) {}

    std::vector<Evidence> evidence(const AtlasRule& rule) const {
        switch (rule.kind) {
            case AtlasRuleKind::lowest:
                return compare_scores(rule);
            case AtlasRuleKind::cheaper:
                return compare_costs(rule);
            case AtlasRuleKind::never_fails:
                return look_for_failures(rule);
        }
        return {};
    }

private:
    static bool is_about(const AtlasRule& rule, const AtlasProblem& problem) {
        const DomainRequest* request = problem.findings->setting->problem.request();
        const auto is_left_out = [&](const std::string& domain) { return request && request->info->id == domain; };
        return (!rule.on_policy || *rule.on_policy == problem.on_policy) &&
               std::none_of(rule.without.begin(), rule.without.end(), is_left_out);
    }

    // The first of the advised that the problem has.
    static const AtlasEntry* advised_in(const AtlasRule& rule, const AtlasProblem& problem) {
        for (const std::string& id : rule.algorithms)
            if (const AtlasEntry* entry = problem.find(id)) return entry;
        return nullptr;
    }

    std::vector<std::string> others_of(const AtlasRule& rule) const {
        if (!rule.others.empty()) return rule.others;
        std::vector<std::string> others;
        for (const AtlasSummary& summary : atlas_.summaries)
            if (std::find(rule.algorithms.begin(), rule.algorithms.end(), summary.algorithm) == rule.algorithms.end())
                others.push_back(summary.algorithm);
        return others;
    }

    // Problems with one of the advised and that other one.
    struct Shared {
        const AtlasProblem* problem;
        const AtlasEntry *advised, *other;
    };
    std::vector<Shared> shared(const AtlasRule& rule, std::string_view other) const {
        std::vector<Shared> all;
        for (const AtlasProblem& problem : atlas_.problems) {
            if (!is_about(rule, problem)) continue;
            const AtlasEntry *advised = advised_in(rule, problem), *found = problem.find(other);
            if (advised && found) all.push_back({&problem, advised, found});
        }
        return all;
    }

    std::vector<Evidence> compare_scores(const AtlasRule& rule) const {
        std::vector<Evidence> all;
        for (const std::string& other : others_of(rule)) {
            const std::vector<Shared> problems = shared(rule, other);
            if (problems.empty()) continue;
            double estimate = 0;
            std::vector<double> resampled(bootstrap_resamples);
            bool has_interval = true;
            for (const Shared& one : problems) {
                const MetricFindings& findings = *one.problem->findings;
                const auto log_ratio = [&](double advised, double compared) {
                    return std::log(ratio_of(clipped(advised, findings), clipped(compared, findings)));
                };
                estimate += log_ratio(one.advised->findings->estimate().score, one.other->findings->estimate().score);
                has_interval = has_interval && findings.spread;
                for (std::size_t b = 0; has_interval && b < resampled.size(); ++b)
                    resampled[b] += log_ratio(findings.spread->scores(one.advised->place)[b],
                                              findings.spread->scores(one.other->place)[b]);
            }
            const auto count = static_cast<double>(problems.size());
            const auto mean = [&](double sum) { return std::exp(sum / count); };
            std::transform(resampled.begin(), resampled.end(), resampled.begin(), mean);
            std::optional<Interval> interval;
            if (has_interval) interval = central_interval(std::move(resampled));
            add(all, rule, other, problems.size(), mean(estimate), interval, "error");
        }
        return all;
    }

    std::vector<Evidence> compare_costs(const AtlasRule& rule) const {
        std::vector<Evidence> all;
        for (const std::string& other : others_of(rule)) {
            double estimate = 0;
            std::size_t count = 0;
            for (const Shared& one : shared(rule, other))
                if (one.advised->cost && one.other->cost)
                    estimate += std::log(*one.advised->cost / *one.other->cost), ++count;
            if (count == 0) {
                all.push_back({.place = "",
                               .label = name_of_algorithm(other),
                               .words = "costs were not measured",
                               .estimate = std::nan("")});
                continue;
            }
            add(all, rule, other, count, std::exp(estimate / static_cast<double>(count)), {}, "cost");
        }
        return all;
    }

    static void add(std::vector<Evidence>& all, const AtlasRule& rule, std::string_view other, std::size_t problems,
                    double ratio, const std::optional<Interval>& interval, std::string_view what) {
        std::vector<std::string> advised;
        for (const std::string& id : rule.algorithms) advised.push_back(name_of_algorithm(id));
        Evidence one{.place = problems_text(problems),
                     .label = fmt::format("{} over {}", fmt::join(advised, " or "), name_of_algorithm(other)),
                     .words = {},
                     .estimate = ratio,
                     .interval = interval,
                     .target = {0, 1}};
        one.verdict = verdict_of(interval, ratio, one.target);
        one.words =
            fmt::format("{}: {} {:.3g}{} in the geometric mean over {}", one.label, what, ratio,
                        interval ? fmt::format(" ({:.3g} to {:.3g})", interval->low, interval->high) : "", one.place);
        all.push_back(std::move(one));
    }

    std::vector<Evidence> look_for_failures(const AtlasRule& rule) const {
        std::vector<Evidence> all;
        for (const std::string& id : rule.algorithms)
            for (const AtlasProblem& problem : atlas_.problems) {
                const AtlasEntry* entry = is_about(rule, problem) ? problem.find(id) : nullptr;
                if (!entry || !entry->findings->robust) continue;
                const RobustStatistics& robust = *entry->findings->robust;
                Evidence one{.place = problem.id(),
                             .label = name_of_algorithm(id),
                             .words = {},
                             .unit = Evidence::Unit::share,
                             .estimate = robust.failure_rate(),
                             .interval = robust.failure_interval,
                             .target = {0, rule.below}};
                one.verdict = verdict_of(one.interval, one.estimate, one.target);
                one.words =
                    fmt::format("{}, {}: {} of {} runs fail ({:.2g} to {:.2g} of them)", one.place, one.label,
                                robust.failed, robust.runs, robust.failure_interval.low, robust.failure_interval.high);
                all.push_back(std::move(one));
            }
        return all;
    }

    const Atlas& atlas_;
};

}  // namespace

std::string AtlasProblem::id() const {
    return fmt::format("{}/{} {}", study, findings->setting->id, findings->metric_id());
}

const AtlasEntry* AtlasProblem::find(std::string_view algorithm) const {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const AtlasEntry& entry) { return entry.findings->id() == algorithm; });
    return found == entries.end() ? nullptr : &*found;
}

Atlas make_atlas(std::span<const AtlasSource> sources) {
    Atlas atlas;
    for (const AtlasSource& source : sources)
        for (const MetricFindings& findings : source.findings->metrics)
            if (says_which_to_use(findings)) atlas.problems.push_back(problem_of(source, findings));
    std::set<std::string_view> algorithms;
    for (const AtlasProblem& problem : atlas.problems)
        for (const AtlasEntry& entry : problem.entries) algorithms.insert(entry.findings->id());
    for (const std::string_view algorithm : algorithms) atlas.summaries.push_back(summary_of(atlas, algorithm));
    std::stable_sort(atlas.summaries.begin(), atlas.summaries.end(),
                     [](const AtlasSummary& a, const AtlasSummary& b) { return a.typical < b.typical; });
    return atlas;
}

std::vector<Advice> judge_on_atlas(const Atlas& atlas, std::span<const PaperRecommendation> recommendations) {
    const AtlasJudge judge(atlas);
    std::vector<Advice> all;
    for (const PaperRecommendation& recommendation : recommendations) {
        if (recommendation.atlas.empty()) continue;
        Advice advice{.situation = recommendation.situation,
                      .paper = recommendation.advice,
                      .verdict = Verdict::undecided,
                      .evidence = {}};
        for (const AtlasRule& rule : recommendation.atlas)
            for (Evidence& one : judge.evidence(rule)) advice.evidence.push_back(std::move(one));
        const auto has = [&](Verdict verdict) {
            return std::any_of(advice.evidence.begin(), advice.evidence.end(),
                               [&](const Evidence& one) { return one.verdict == verdict; });
        };
        if (!advice.evidence.empty())
            advice.verdict = has(Verdict::not_held)    ? Verdict::not_held
                             : has(Verdict::undecided) ? Verdict::undecided
                                                       : Verdict::held;
        all.push_back(std::move(advice));
    }
    return all;
}

}  // namespace bellwether
