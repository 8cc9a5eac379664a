#include "analysis/claims.hpp"

#include "analysis/checks.hpp"
#include "analysis/paper.hpp"

namespace bellwether {

std::string_view name_of(Verdict verdict) {
    return verdict == Verdict::held ? "held" : verdict == Verdict::not_held ? "not held" : "undecided";
}

std::vector<Claim> judge_claims(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes) {
    std::vector<Claim> claims;
    for (const PaperClaim& claim : paper.claims) {
        ClaimCase evidence(findings, paper.published, runtimes);
        judge(claim.checks, evidence);
        claims.push_back({claim.id, claim.statement, claim.rule, evidence.verdict(), evidence.numbers()});
    }
    return claims;
}

std::vector<Advice> give_advice(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes) {
    std::vector<Advice> advice;
    for (const PaperRecommendation& one : paper.recommendations) {
        ClaimCase evidence(findings, paper.published, runtimes);
        judge(one.checks, evidence);
        advice.push_back({one.situation, one.advice, evidence.verdict(), evidence.numbers()});
    }
    return advice;
}

}  // namespace bellwether
