#include "analysis/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bellwether {

namespace {

using Names = Check::Names;

// ---- What checks are about.

Names algorithms_of(const ClaimCase& claim, const Check& check) {
    const Names& names = check.names("algorithms");
    return names.front() == all_algorithms ? claim.algorithms() : names;
}

Names others_of(const ClaimCase& claim, const Check& check) {
    const Names& names = check.names("others");
    if (names.front() != rest_of_algorithms) return names;
    Names rest = claim.algorithms();
    const Names ones = algorithms_of(claim, check);
    std::erase_if(rest, [&](const std::string& id) { return std::find(ones.begin(), ones.end(), id) != ones.end(); });
    return rest;
}

template <class Judge>
void for_each(const ClaimCase& claim, const Check& check, Judge judge_one) {
    for (const std::string& one : algorithms_of(claim, check)) judge_one(one);
}

template <class Judge>
void for_each_pair(const ClaimCase& claim, const Check& check, Judge judge_pair) {
    for (const std::string& one : algorithms_of(claim, check))
        for (const std::string& other : others_of(claim, check)) judge_pair(one, other);
}

template <class Judge>
void for_each_elsewhere(const ClaimCase& claim, const Check& check, Judge judge_pair) {
    for_each_pair(claim, check, [&](const std::string& one, const std::string& other) {
        for (const std::string& setting : check.names("other-settings")) judge_pair(one, other, setting);
    });
}

// With each kind of features that the check names, or with both.
template <class Judge>
void for_each_features(const Check& check, Judge judge_features) {
    const Names& named = check.names("features");
    for (const TimedFeatures features : both_timed_features)
        if (named.empty() || std::find(named.begin(), named.end(), id_of(features)) != named.end())
            judge_features(features);
}

// In each reading of time that the check names, or quantised, with each cost of the slowest update that it or else the
// paper's panels allow.
template <class Judge>
void for_each_pace(const ClaimCase& claim, const Check& check, Judge judge_pace) {
    const Names& named = check.names("time");
    const std::vector<double> slowest =
        check.has("slowest") ? check.numbers("slowest") : claim.slowest_allowed(check.policy());
    for (const TimeReading time : both_time_readings) {
        const bool is_named = std::find(named.begin(), named.end(), id_of(time)) != named.end();
        if (!(is_named || (named.empty() && time == TimeReading::quantised))) continue;
        ClaimCase::Pace pace{check.policy(), check.number("duration"), time};
        if (slowest.empty()) judge_pace(pace);
        for (const double mean : slowest) {
            pace.slowest = mean;
            judge_pace(pace);
        }
    }
}

Bound bound_of(const Check& check) {
    return {check.name("is"), check.number("bound")};
}

// Every algorithm or, where the check says so, those that reduce the error.
template <class Judge>
void for_each_reducing(ClaimCase& claim, const Check& check, Judge judge_one) {
    constexpr std::string_view condition = "reducing-error-to";
    bool some = false;
    for_each(claim, check, [&](const std::string& one) {
        if (check.has(condition) && !claim.can_reduce_error(one, check.number(condition))) return;
        judge_one(one);
        some = true;
    });
    if (!some && check.has(condition))
        claim.leave_open(fmt::format("{}: no algorithm brings the error of w_0 below {} of it", claim.place_name(),
                                     check.number(condition)));
}

// ---- The table.

constexpr CheckKey settings{"settings", CheckValue::settings, "where"};
constexpr CheckKey metric{"metric", CheckValue::metric, "of which scores"};
constexpr CheckKey algorithms{"algorithms", CheckValue::algorithms, "each of these"};
constexpr CheckKey others{"others", CheckValue::others, "against each of these"};
constexpr CheckKey parameter{"parameter", CheckValue::parameter, "whose values"};
constexpr CheckKey parameters{"parameters", CheckValue::parameters, "whose values; the mean of their areas"};
constexpr CheckKey within_best{"within", CheckValue::part, "of the best score: 0.5 is 50%"};
// What files said before sensitivities were scored by areas: still read, and not used.
constexpr CheckKey former_within{"within", CheckValue::part, "not used any more", false};
constexpr CheckKey former_share{"share", CheckValue::share, "not used any more", false};
constexpr CheckKey of_start{"within", CheckValue::part, "of the error of w_0: 0.05 is 5%"};
constexpr CheckKey is{"is", CheckValue::relation, "on which side"};
constexpr CheckKey bound{"bound", CheckValue::number, "of which number"};
constexpr CheckKey reducing{"reducing-error-to", CheckValue::part,
                            "only algorithms below this part of the error of w_0", false};
constexpr CheckKey within{"within", CheckValue::part, "of each other: 0.1 is 10%"};
constexpr CheckKey by{"by", CheckValue::part, "more than this: 0.1 is 10%"};
constexpr CheckKey by_if_said{"by", CheckValue::part, "more than this: 0.1 is 10%", false};
constexpr CheckKey other_settings{"other-settings", CheckValue::settings, "where the others are"};
constexpr CheckKey policies{"policies", CheckValue::policies, "with which data"};
constexpr CheckKey policy{"policy", CheckValue::policy, "whose costs of an update"};
constexpr CheckKey duration{"duration", CheckValue::part, "milliseconds of an iteration"};
constexpr CheckKey features{"features", CheckValue::features, "given to the learner; both unless said", false};
constexpr CheckKey time_reading{"time", CheckValue::times, "how iterations are counted; quantised unless said", false};
constexpr CheckKey slowest{"slowest", CheckValue::parts,
                           "milliseconds of the slowest update; what published.toml allows unless said", false};
constexpr CheckKey error_share{"to", CheckValue::part, "of the error of w_0: 0.5 is half"};

const std::vector<CheckKind>& kinds() {
    static const std::vector<CheckKind> all{
        {"lower",
         "the score is lower than that of the others",
         {settings, metric, algorithms, others},
         [](ClaimCase& claim, const Check& check) {
             for_each_pair(claim, check, [&](const auto& one, const auto& other) { claim.lower(one, other); });
         }},
        {"lower-by-far",
         "the score is lower than that of the others by more than a part",
         {settings, metric, algorithms, others, by},
         [](ClaimCase& claim, const Check& check) {
             for_each_pair(claim, check, [&](const auto& one, const auto& other) {
                 claim.lower_by_far(one, other, check.number("by"));
             });
         }},
        {"not-lower-by-far",
         "the score is not lower than the best of the others by more than a part",
         {settings, metric, algorithms, others, by},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) {
                 claim.not_lower_by_far(one, others_of(claim, check), check.number("by"));
             });
         }},
        {"near-best",
         "the score is above the best of the others by at most a part, or lower",
         {settings, metric, algorithms, others, within_best},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check,
                      [&](const auto& one) { claim.near_best(one, others_of(claim, check), check.number("within")); });
         }},
        {"similar",
         "the scores are near each other",
         {settings, metric, algorithms, others, within},
         [](ClaimCase& claim, const Check& check) {
             for_each_pair(claim, check, [&](const auto& one, const auto& other) {
                 claim.similar(one, other, check.number("within"));
             });
         }},
        {"similar-to-start",
         "the scores differ by a small part of the error of w_0",
         {settings, metric, algorithms, others, of_start},
         [](ClaimCase& claim, const Check& check) {
             for_each_pair(claim, check, [&](const auto& one, const auto& other) {
                 claim.similar_to_start(one, other, check.number("within"));
             });
         }},
        {"lowest",
         "the score is lower than the best of the other algorithms of the setting",
         {settings, metric, algorithms},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.lowest(one); });
         }},
        {"lowest-across",
         "the mean over settings of the score, in parts of each setting's lowest, is lower than the best of the others",
         {settings, metric, algorithms, {"mean", CheckValue::mean, "which mean"}},
         [](ClaimCase& claim, const Check& check) {
             for (const std::string& one : check.names("algorithms"))
                 claim.lowest_across(one, check.names("settings"), check.name("metric"), check.name("mean"));
         },
         CheckKind::Needs::nothing,
         true},
        {"poor-in-most",
         "in more than a share of the settings the score is above the median of the others",
         {settings, metric, algorithms, {"share", CheckValue::share, "of the settings: 0.5 is half"}},
         [](ClaimCase& claim, const Check& check) {
             for (const std::string& one : check.names("algorithms"))
                 claim.poor_in_most(one, check.names("settings"), check.name("metric"), check.number("share"));
         },
         CheckKind::Needs::nothing,
         true},
        {"reduces-error",
         "the score is below a part of the error of w_0, and no run diverges",
         {settings, metric, algorithms, error_share},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.reduces_error(one, check.number("to")); });
         }},
        {"does-not-reduce-error",
         "the score is above a part of the error of w_0",
         {settings, metric, algorithms, error_share},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.does_not_reduce_error(one, check.number("to")); });
         }},
        {"never-diverges",
         "no run of the best configuration diverges",
         {settings, metric, algorithms},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.never_diverges(one); });
         }},
        {"more-variable",
         "the deviation between runs is higher than those of the others",
         {settings, metric, algorithms, others},
         [](ClaimCase& claim, const Check& check) {
             for_each_pair(claim, check, [&](const auto& one, const auto& other) { claim.more_variable(one, other); });
         }},
        {"most-variable",
         "the deviation between runs is higher than that of every other algorithm of the setting",
         {settings, metric, algorithms},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.most_variable(one); });
         }},
        {"variable",
         "the deviation between runs is above the median of the others of the setting",
         {settings, metric, algorithms},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.variable(one); });
         }},
        {"less-sensitive",
         "the area under the sensitivity curves, the other parameters selected again, is smaller than those of the "
         "others",
         {settings, metric, algorithms, others, parameters, former_within},
         [](ClaimCase& claim, const Check& check) {
             for_each_pair(claim, check, [&](const auto& one, const auto& other) {
                 claim.less_sensitive(one, other, check.names("parameters"));
             });
         }},
        {"sensitive",
         "the area under the sensitivity curves, the other parameters selected again, is above the median of the "
         "others",
         {settings, metric, algorithms, parameters, former_within},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.sensitive(one, check.names("parameters")); });
         }},
        {"reasonable",
         "the area under the sensitivity curve of a parameter, the others selected again, is near the best score",
         {settings, metric, algorithms, parameter, within_best, former_share},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check,
                      [&](const auto& one) { claim.reasonable(one, check.name("parameter"), check.number("within")); });
         }},
        {"best-value",
         "the best value of a parameter is on one side of a bound",
         {settings,
          metric,
          algorithms,
          parameter,
          is,
          bound,
          {"probability", CheckValue::share, "at least this, were the instances drawn again"},
          reducing},
         [](ClaimCase& claim, const Check& check) {
             for_each_reducing(claim, check, [&](const auto& one) {
                 claim.best_value(one, check.name("parameter"), bound_of(check), check.number("probability"));
             });
         }},
        {"better-with",
         "the best score with a parameter on one side of a bound is lower than with its other values",
         {settings, metric, algorithms, parameter, is, bound},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check,
                      [&](const auto& one) { claim.better_with(one, check.name("parameter"), bound_of(check), 0); });
         }},
        {"as-good-with",
         "the best score with a parameter on one side of a bound is lower than with its other values, or within noise",
         {settings, metric, algorithms, parameter, is, bound, reducing},
         [](ClaimCase& claim, const Check& check) {
             for_each_reducing(claim, check, [&](const auto& one) {
                 claim.as_good_with(one, check.name("parameter"), bound_of(check));
             });
         }},
        {"needs-more-than",
         "the best score with values of a parameter above a bound is lower than with its other values, by a part",
         {settings, metric, algorithms, parameter, bound, by},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) {
                 claim.better_with(one, check.name("parameter"), {"above", check.number("bound")}, check.number("by"));
             });
         }},
        {"indifferent",
         "finite scores of configurations alike but for a parameter do not differ",
         {settings, metric, algorithms, parameter},
         [](ClaimCase& claim, const Check& check) {
             for_each(claim, check, [&](const auto& one) { claim.indifferent(one, check.name("parameter")); });
         }},
        {"lower-than-elsewhere",
         "the score is lower than that of the others in other settings",
         {settings, metric, algorithms, other_settings, others, by_if_said},
         [](ClaimCase& claim, const Check& check) {
             for_each_elsewhere(claim, check, [&](const auto& one, const auto& other, const std::string& setting) {
                 claim.lower_than_in(one, other, setting, check.name("metric"),
                                     check.has("by") ? check.number("by") : 0);
             });
         }},
        {"similar-to-elsewhere",
         "the score is near that of the others in other settings",
         {settings, metric, algorithms, other_settings, others, within},
         [](ClaimCase& claim, const Check& check) {
             for_each_elsewhere(claim, check, [&](const auto& one, const auto& other, const std::string& setting) {
                 claim.similar_to_in(one, other, setting, check.name("metric"), check.number("within"));
             });
         }},
        {"less-sensitive-than-elsewhere",
         "the area under the sensitivity curves, the other parameters selected again, is smaller than those of the "
         "others in other settings",
         {settings, metric, algorithms, other_settings, others, parameters},
         [](ClaimCase& claim, const Check& check) {
             for_each_elsewhere(claim, check, [&](const auto& one, const auto& other, const std::string& setting) {
                 claim.less_sensitive_than_in(one, other, setting, check.name("metric"), check.names("parameters"));
             });
         }},
        {"less-affected",
         "the score is fewer times what it is in other settings than those of the others are",
         {settings, metric, algorithms, other_settings, others},
         [](ClaimCase& claim, const Check& check) {
             for_each_elsewhere(claim, check, [&](const auto& one, const auto& other, const std::string& setting) {
                 claim.less_affected(one, other, setting, check.name("metric"));
             });
         }},
        {"same-order",
         "algorithms whose scores differ in one setting are in the same order in others",
         {settings, metric, {"other-settings", CheckValue::settings, "where the order is the same"}, by},
         [](ClaimCase& claim, const Check& check) {
             for (const std::string& setting : check.names("other-settings"))
                 claim.same_order(setting, check.name("metric"), check.number("by"));
         }},
        {"runtime-order",
         "algorithms whose runtimes differ in the paper are in its order here",
         {policies, by, features},
         [](ClaimCase& claim, const Check& check) {
             for_each_features(check, [&](TimedFeatures with) { claim.runtime_order(check.number("by"), with); });
         },
         CheckKind::Needs::runtimes},
        {"fast",
         "the runtime is at most so many times that of the fastest of the others",
         {policies, algorithms, others, {"factor", CheckValue::part, "at most this many times"}, features},
         [](ClaimCase& claim, const Check& check) {
             for_each_features(check, [&](TimedFeatures with) {
                 for (const std::string& one : check.names("algorithms"))
                     claim.fast(one, check.names("others"), check.number("factor"), with);
             });
         }},
        {"faster",
         "the runtime is shorter than those of the others",
         {policies, algorithms, others, features},
         [](ClaimCase& claim, const Check& check) {
             for_each_features(check, [&](TimedFeatures with) {
                 for_each_pair(claim, check,
                               [&](const auto& one, const auto& other) { claim.faster(one, other, with); });
             });
         }},
        {"lower-in-time",
         "in real time, with the paper's costs, the error is lower after the last iteration",
         {settings, metric, policy, duration, algorithms, others, time_reading, slowest},
         [](ClaimCase& claim, const Check& check) {
             for_each_pace(claim, check, [&](const ClaimCase::Pace& pace) {
                 for_each_pair(claim, check,
                               [&](const auto& one, const auto& other) { claim.lower_in_time(one, other, pace); });
             });
         },
         CheckKind::Needs::real_time},
        {"similar-in-time",
         "in real time, with the paper's costs, the errors are near each other after the last iteration",
         {settings, metric, policy, duration, algorithms, others, within, time_reading, slowest},
         [](ClaimCase& claim, const Check& check) {
             for_each_pace(claim, check, [&](const ClaimCase::Pace& pace) {
                 for_each_pair(claim, check, [&](const auto& one, const auto& other) {
                     claim.similar_in_time(one, other, pace, check.number("within"));
                 });
             });
         },
         CheckKind::Needs::real_time},
        {"similar-to-start-in-time",
         "in real time, with the paper's costs, the errors differ by a small part of the error of w_0 after the last "
         "iteration",
         {settings, metric, policy, duration, algorithms, others, of_start, time_reading, slowest},
         [](ClaimCase& claim, const Check& check) {
             for_each_pace(claim, check, [&](const ClaimCase::Pace& pace) {
                 for_each_pair(claim, check, [&](const auto& one, const auto& other) {
                     claim.similar_to_start_in_time(one, other, pace, check.number("within"));
                 });
             });
         },
         CheckKind::Needs::real_time},
        {"lowest-in-time",
         "in real time, with the paper's costs, the error is lower than the best of the others after the last "
         "iteration",
         {settings,
          metric,
          policy,
          duration,
          algorithms,
          {"tied", CheckValue::named, "but for these, which may tie", false},
          time_reading,
          slowest},
         [](ClaimCase& claim, const Check& check) {
             for_each_pace(claim, check, [&](const ClaimCase::Pace& pace) {
                 for_each(claim, check, [&](const auto& one) { claim.lowest_in_time(one, check.names("tied"), pace); });
             });
         },
         CheckKind::Needs::real_time},
    };
    return all;
}

}  // namespace

std::span<const CheckKind> check_table() {
    return kinds();
}

}  // namespace bellwether
