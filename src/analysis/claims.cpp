#include "analysis/claims.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/checks.hpp"
#include "analysis/claim_evidence.hpp"
#include "analysis/paper.hpp"

namespace bellwether {

namespace {

// Of all that has to hold together.
Verdict worst_of(const std::vector<Evidence>& evidence) {
    if (evidence.empty()) return Verdict::undecided;
    return std::max_element(evidence.begin(), evidence.end(),
                            [](const Evidence& a, const Evidence& b) { return a.verdict < b.verdict; })
        ->verdict;
}

class Judge {
public:
    Judge(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes)
        : paper_(paper), findings_(findings), runtimes_(runtimes), quantities_(findings) {}

    Claim judge_claim(const PaperClaim& claim) {
        ClaimCase all = new_case();
        std::vector<std::size_t> ends;
        for (const PaperClaimPart& part : claim.parts) {
            judge(part.checks, all);
            ends.push_back(all.size());
        }
        const double critical = all.critical();
        Claim judged{.id = claim.id, .statement = claim.statement};
        std::vector<Verdict> verdicts;
        for (std::size_t k = 0; k < ends.size(); ++k) {
            const PaperClaimPart& part = claim.parts[k];
            ClaimPart& result = judged.parts.emplace_back();
            result = {.id = part.id, .statement = part.statement, .rule = part.rule};
            result.evidence = all.decide(critical, k == 0 ? 0 : ends[k - 1], ends[k]);
            result.verdict = worst_of(result.evidence);
            result.thresholds = ranges_of(part.checks, critical);
            verdicts.push_back(result.verdict);
        }
        judged.verdict = verdict_of_parts(verdicts);
        return judged;
    }

    std::vector<Evidence> judge_checks(std::span<const Check> checks) {
        ClaimCase all = new_case();
        judge(checks, all);
        return all.decide(all.critical(), 0, all.size());
    }

private:
    ClaimCase new_case() { return {quantities_, findings_, paper_.published, runtimes_}; }

    std::vector<ThresholdRange> ranges_of(const std::vector<Check>& checks, double critical) {
        std::vector<ThresholdRange> ranges;
        for (const Check& check : checks)
            for (const CheckKey& key : check.kind().keys)
                if (const auto& range = check.range(key.name)) {
                    ranges.push_back({std::string(check.kind().id), std::string(key.name), check.number(key.name), {}});
                    ranges.back().pieces = pieces_of(*range, [&](double value) {
                        Check other = check;
                        other.set(key.name, value);
                        ClaimCase alone = new_case();
                        judge({&other, 1}, alone);
                        return worst_of(alone.decide(critical, 0, alone.size()));
                    });
                }
        return ranges;
    }

    // Looks at some values, and between two that differ for where it turns.
    template <class At>
    static std::vector<ThresholdRange::Piece> pieces_of(const Check::Range& range, At verdict_at) {
        constexpr int values = 9, halvings = 10;
        const auto value = [&](double part) {
            return range.from > 0 ? range.from * std::pow(range.to / range.from, part)
                                  : range.from + part * (range.to - range.from);
        };
        std::vector<ThresholdRange::Piece> pieces{{range.from, range.to, verdict_at(range.from)}};
        for (int k = 1; k < values; ++k) {
            double low = (k - 1.0) / (values - 1), high = static_cast<double>(k) / (values - 1);
            const Verdict verdict = verdict_at(value(high));
            if (verdict == pieces.back().verdict) continue;
            for (int halving = 0; halving < halvings; ++halving) {
                const double middle = (low + high) / 2;
                (verdict_at(value(middle)) == pieces.back().verdict ? low : high) = middle;
            }
            pieces.back().to = value(high);
            pieces.push_back({value(high), range.to, verdict});
        }
        return pieces;
    }

    const Paper& paper_;
    const Findings& findings_;
    const RuntimeTable* runtimes_;
    ClaimQuantities quantities_;
};

}  // namespace

std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::held:
            return "held";
        case Verdict::undecided:
            return "undecided";
        case Verdict::not_held:
            return "not held";
        case Verdict::mixed:
            return "mixed";
    }
    return {};
}

std::string_view name_of(Evidence::Unit unit) {
    return unit == Evidence::Unit::ratio ? "ratio" : unit == Evidence::Unit::difference ? "difference" : "share";
}

std::vector<std::string> numbers_of(const std::vector<Evidence>& evidence) {
    std::vector<std::string> lines;
    for (const Verdict verdict : {Verdict::not_held, Verdict::undecided, Verdict::held})
        for (const Evidence& one : evidence)
            if (one.verdict == verdict) lines.push_back(fmt::format("{}: {}", mark_of(verdict), one.words));
    return lines;
}

std::string text_of(const ThresholdRange& range) {
    std::string text = fmt::format("{}, {} {}:", range.check, range.key, text_of(range.value));
    for (std::size_t k = 0; k < range.pieces.size(); ++k) {
        const ThresholdRange::Piece& piece = range.pieces[k];
        text += fmt::format("{} {} from {:.3g}", k == 0 ? "" : ",", name_of(piece.verdict), piece.from);
    }
    return text + fmt::format(" to {:.3g}", range.pieces.back().to);
}

Verdict verdict_of_parts(const std::vector<Verdict>& parts) {
    const auto some = [&](Verdict verdict) { return std::find(parts.begin(), parts.end(), verdict) != parts.end(); };
    if (some(Verdict::not_held)) return some(Verdict::held) ? Verdict::mixed : Verdict::not_held;
    return some(Verdict::undecided) || parts.empty() ? Verdict::undecided : Verdict::held;
}

std::vector<Claim> judge_claims(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes) {
    Judge judge(paper, findings, runtimes);
    std::vector<Claim> claims;
    for (const PaperClaim& claim : paper.claims) claims.push_back(judge.judge_claim(claim));
    return claims;
}

std::vector<Advice> give_advice(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes) {
    Judge judge(paper, findings, runtimes);
    std::vector<Advice> advice;
    for (const PaperRecommendation& one : paper.recommendations) {
        std::vector<Evidence> evidence = judge.judge_checks(one.checks);
        const Verdict verdict = worst_of(evidence);
        advice.push_back({one.situation, one.advice, verdict, std::move(evidence)});
    }
    return advice;
}

}  // namespace bellwether
