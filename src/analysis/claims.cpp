// Each claim with its rule, in words and in checks, next to each other. A claim is judged by the fresh runs of every
// algorithm's best configuration; intervals are of 95%.
#include "analysis/claims.hpp"

#include <algorithm>
#include <array>

#include "analysis/claim_case.hpp"

namespace bellwether {

namespace {

constexpr std::array<std::string_view, 3> on_policy_settings{"on-tabular", "on-aliased", "on-binary"};
constexpr std::array<std::string_view, 3> off_policy_settings{"off-tabular", "off-aliased", "off-binary"};
constexpr std::array<std::string_view, 6> random_settings{"on-tabular",  "on-aliased",  "on-binary",
                                                          "off-tabular", "off-aliased", "off-binary"};
constexpr std::array<std::string_view, 2> mirror_prox{"gtd2-mp", "tdc-mp"};

// The checks on each setting of random MDPs.
template <class Settings, class Check>
void in_each(ClaimCase& claim, const Settings& settings, Check check) {
    for (const std::string_view setting : settings) {
        claim.at(setting, "mave");
        check();
    }
}

struct Rule {
    std::string_view statement, rule;
    void (*judge)(ClaimCase& claim);
};

void gtd_on_policy(ClaimCase& claim) {
    in_each(claim, std::array<std::string_view, 2>{"on-tabular", "on-aliased"}, [&] {
        for (const std::string_view other : {"td", "ptd", "htd"}) {
            claim.lower("gtd", other);
            claim.less_sensitive("gtd", other);
        }
        claim.reasonable("gtd", "eta");
    });
}

void binary_on_policy(ClaimCase& claim) {
    claim.at("on-binary", "mave");
    for (const std::string_view one : {"td", "ptd", "htd"}) {
        claim.lower(one, "gtd");
        claim.similar(one, "gtd");
    }
}

void no_sensitivity_to_eta(ClaimCase& claim) {
    in_each(claim, on_policy_settings, [&] {
        claim.indifferent("ptd", "eta");
        claim.indifferent("htd", "eta");
    });
}

void little_difference_off_policy(ClaimCase& claim) {
    in_each(claim, off_policy_settings, [&] {
        claim.similar("gtd", "ptd");
        claim.similar("gtd", "htd");
        claim.similar("ptd", "htd");
    });
}

void gtd2_mp_off_policy(ClaimCase& claim) {
    in_each(claim, off_policy_settings, [&] { claim.lower("td0", "gtd2-mp"); });
}

void tdc_mp_varies(ClaimCase& claim) {
    constexpr std::array<std::string_view, 5> settings{"on-tabular", "on-aliased", "off-tabular", "off-aliased",
                                                       "off-binary"};
    in_each(claim, settings, [&] {
        claim.most_variable("tdc-mp");
        claim.sensitive("tdc-mp");
    });
}

void mirror_prox_needs_traces(ClaimCase& claim) {
    in_each(claim, random_settings, [&] {
        for (const std::string_view one : mirror_prox)
            claim.best_value(one, "lambda", "above 0", [](double lambda) { return lambda > 0; });
    });
}

void mirror_prox_on_baird(ClaimCase& claim) {
    claim.at("baird", "rmsve");
    for (const std::string_view one : mirror_prox)
        for (const std::string_view other : claim.algorithms())
            if (std::find(mirror_prox.begin(), mirror_prox.end(), other) == mirror_prox.end()) claim.lower(one, other);
}

void no_convergence_on_baird(ClaimCase& claim) {
    claim.at("baird", "rmsve");
    for (const std::string_view one : {"ptd", "to-etd", "to-etd-beta"}) claim.does_not_halve_the_error(one);
}

void small_lambda_on_baird(ClaimCase& claim) {
    claim.at("baird", "rmsve");
    bool some = false;
    for (const std::string_view one : claim.algorithms()) {
        if (!claim.can_halve_the_error(one)) continue;
        claim.best_value(one, "lambda", "at most 0.2", [](double lambda) { return lambda <= 0.2; });
        some = true;
    }
    if (!some) claim.leave_open("baird: no algorithm halves the value error of w_0");
}

void large_eta_on_baird(ClaimCase& claim) {
    claim.at("baird", "rmsve");
    for (const std::string_view one : {"gtd", "to-gtd"}) claim.needs_more_than(one, "eta", 1);
}

void hybrids_on_baird(ClaimCase& claim) {
    claim.at("baird", "rmsve");
    for (const std::string_view one : {"htd", "to-htd"}) {
        claim.never_diverges(one);
        claim.lower("gtd", one);
        claim.lower("to-gtd", one);
    }
}

void emphatic_beta_is_best(ClaimCase& claim) {
    in_each(claim, random_settings, [&] { claim.lowest("to-etd-beta"); });
}

void emphatic_beta(ClaimCase& claim) {
    emphatic_beta_is_best(claim);
    claim.at("off-binary", "mave");
    claim.lower_by_far("to-etd-beta", "to-etd");
}

void emphatic_varies(ClaimCase& claim) {
    in_each(claim, off_policy_settings, [&] {
        claim.variable("to-etd");
        claim.sensitive("to-etd");
    });
}

void runtimes(ClaimCase& claim) {
    for (const Policy policy : both_policies) {
        claim.runtime_order_of_paper(policy);
        claim.fast("to-etd-beta", policy, 1.5, {"gtd", "to-gtd", "htd", "to-htd", "gtd2-mp", "tdc-mp", "to-etd"});
    }
}

void aliased_like_tabular(ClaimCase& claim) {
    claim.at("on-tabular", "mave");
    claim.same_order("on-aliased", "mave");
    in_each(claim, on_policy_settings, [&] { claim.similar("to-htd", "to-td"); });
}

void real_time(ClaimCase& claim) {
    claim.at("on-tabular", "mave");
    claim.lower_in_time("to-td", "td0", Policy::on, 0.1);
    claim.at("off-tabular", "mave");
    claim.similar_in_time("htd", "ptd", Policy::off, 1.25);
    claim.lowest_in_time("htd", "ptd", Policy::off, 1.25);
    claim.lowest_in_time("ptd", "htd", Policy::off, 1.25);
}

void robust_under_off_policy_sampling(ClaimCase& claim) {
    claim.at("baird", "rmsve");
    for (const std::string_view one : {"gtd", "to-gtd"}) claim.halves_the_error(one);
    in_each(claim, off_policy_settings, [&] {
        for (const std::string_view one : {"gtd", "to-gtd"}) claim.never_diverges(one);
    });
}

void gtd_where_computation_is_scarce(ClaimCase& claim) {
    for (const Policy policy : both_policies) claim.faster("gtd", "to-gtd", policy);
}

void recommendations(ClaimCase& claim) {
    robust_under_off_policy_sampling(claim);
    gtd_where_computation_is_scarce(claim);
    emphatic_beta_is_best(claim);
}

constexpr std::array<Rule, 18> rules{{
    {"On-policy with tabular and aliased features, GTD(λ) learns faster than TD(λ), PTD(λ) and HTD(λ) and is less "
     "sensitive to its "
     "parameters; its sensitivity to η is reasonable.",
     "In both settings the score of GTD is lower than that of each of the three; a larger share of the values of α and "
     "λ, the other "
     "parameters at their best, keeps it within 50% of its best score; and so do at least half of the values of η.",
     gtd_on_policy},
    {"On-policy with binary features, TD(λ), PTD(λ) and HTD(λ) have a slight advantage over GTD(λ).",
     "The score of each is lower than that of GTD, by at most 10%.", binary_on_policy},
    {"On-policy, PTD(λ) and HTD(λ) have no sensitivity to α_h.",
     "In no on-policy setting do finite scores differ between configurations alike but for η. PTD has no such "
     "parameter here.",
     no_sensitivity_to_eta},
    {"Off-policy there is little difference between GTD(λ), PTD(λ) and HTD(λ).",
     "In every off-policy setting of random MDPs the three scores are within 10% of each other.",
     little_difference_off_policy},
    {"GTD2(λ)-MP is worse than off-policy TD(0) in all off-policy random MDPs.",
     "In each of these settings the score of TD(0) is lower.", gtd2_mp_off_policy},
    {"TDC(λ)-MP has a higher variance than the others in all but the on-policy binary case, and a high sensitivity to "
     "its parameters.",
     "In the five other settings of random MDPs its deviation between runs is higher than that of each other "
     "algorithm, and the share of "
     "the values of α and λ that keep it within 50% of its best score is below the median of the others.",
     tdc_mp_varies},
    {"Except on Baird's counterexample, both mirror-prox methods do best with λ > 0.",
     "In all settings of random MDPs the best λ of both is above 0, with a probability of 95% were the instances drawn "
     "again.",
     mirror_prox_needs_traces},
    {"Both mirror-prox methods are best on Baird's counterexample.",
     "The value error of both is lower than that of every other algorithm.", mirror_prox_on_baird},
    {"PTD(λ), TO-ETD(λ) and TO-ETD(λ,β) do not converge on Baird's counterexample.",
     "None of them halves the value error of w_0.", no_convergence_on_baird},
    {"All methods that reduce the error reliably on Baird's counterexample do so with λ near 0.",
     "The best λ of every algorithm that halves the value error of w_0, with no run diverged, is at most 0.2.",
     small_lambda_on_baird},
    {"GTD(λ) and TO-GTD(λ) need a large η on Baird's counterexample.",
     "Their best η is above 1, and with values up to 1 the best score is worse by more than 10%.", large_eta_on_baird},
    {"HTD(λ) and TO-HTD(λ) do not diverge on Baird's counterexample at their best parameters, but do poorly.",
     "No run of theirs diverges, and the value errors of GTD and TO-GTD are lower.", hybrids_on_baird},
    {"TO-ETD(λ,β) is best across the random MDPs, and β helps TO-ETD(λ) much off-policy with binary features.",
     "In all six settings the score of TO-ETD(λ,β) is lower than every other; off-policy with binary features it is "
     "lower than that "
     "of TO-ETD by more than 10%.",
     emphatic_beta},
    {"TO-ETD(λ) has a high variance off-policy and a sharp sensitivity to its parameters.",
     "In every off-policy setting of random MDPs its deviation between runs is above the median of the others, and the "
     "share of the "
     "values of α and λ that keep it within 50% of its best score below.",
     emphatic_varies},
    {"The runtimes have the order of the paper's table; TO-ETD(λ,β) is near the best of the true-online and gradient "
     "methods.",
     "Of algorithms whose runtimes differ by more than 10% in the paper none are in the opposite order here, and "
     "TO-ETD(λ,β) takes at "
     "most 1.5 times as long as the fastest true-online or gradient method that may be used off-policy.",
     runtimes},
    {"On-policy, results with aliased features are similar to tabular ones, and TO-HTD(λ) performs like TO-TD(λ).",
     "Algorithms whose scores differ by more than 10% with tabular features are in the same order with aliased ones; "
     "in every "
     "on-policy setting the scores of TO-HTD and TO-TD are within 10%.",
     aliased_like_tabular},
    {"In real time, on-policy with c = 0.1 ms TO-TD(λ) beats TD(0) although TD(0) processes more samples; off-policy "
     "with c = 1.25 ms "
     "HTD(λ) ties with PTD(λ) for the best.",
     "With the paper's costs, after the last iteration: the error of TO-TD is lower than that of TD(0); those of HTD "
     "and PTD are within "
     "10% of each other, and no other is lower.",
     real_time},
    {"GTD(λ) and TO-GTD(λ) where robustness to off-policy sampling matters; GTD(λ) of the two where computation is "
     "scarce; otherwise "
     "TO-ETD(λ,β).",
     "GTD and TO-GTD halve the value error on Baird's counterexample and never diverge off-policy at their best; GTD "
     "takes less time "
     "than TO-GTD; TO-ETD(λ,β) has the lowest score in the six settings of random MDPs.",
     recommendations},
}};

}  // namespace

std::string_view name_of(Verdict verdict) {
    return verdict == Verdict::held ? "held" : verdict == Verdict::not_held ? "not held" : "undecided";
}

std::vector<Claim> judge_claims(const Findings& findings, const RuntimeTable* runtimes_here) {
    std::vector<Claim> claims;
    if (findings.study->paper != Paper::white2016) return claims;
    for (const Rule& rule : rules) {
        ClaimCase evidence(findings, runtimes_here);
        rule.judge(evidence);
        const Verdict verdict = evidence.verdict();
        claims.push_back({static_cast<int>(claims.size()) + 1, std::string(rule.statement), std::string(rule.rule),
                          verdict, evidence.numbers()});
    }
    return claims;
}

std::vector<Advice> give_advice(const Findings& findings, const RuntimeTable* runtimes_here) {
    std::vector<Advice> advice;
    if (findings.study->paper != Paper::white2016) return advice;
    const auto add = [&](std::string situation, std::string paper, void (*judge)(ClaimCase&)) {
        ClaimCase evidence(findings, runtimes_here);
        judge(evidence);
        advice.push_back({std::move(situation), std::move(paper), evidence.verdict(), evidence.numbers()});
    };
    add("Robustness to off-policy sampling matters", "GTD(λ) or TO-GTD(λ)", robust_under_off_policy_sampling);
    add("The same, and computation is scarce", "GTD(λ)", gtd_where_computation_is_scarce);
    add("Otherwise", "TO-ETD(λ,β)", emphatic_beta_is_best);
    return advice;
}

}  // namespace bellwether
