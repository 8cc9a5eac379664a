// What a study's results say of a paper's claims.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

struct Paper;

// A part of a claim is held, undecided or not held; a claim of several parts may be mixed.
enum class Verdict { held, undecided, not_held, mixed };
std::string_view name_of(Verdict verdict);

// One comparison: what was found, where it should lie, and what its interval says of that.
struct Evidence {
    enum class Unit { ratio, difference, share };
    std::string place;  // "on-tabular"
    std::string label;  // what is compared: "GTD over TD"
    std::string words;  // all of it, numbers included
    Unit unit = Unit::ratio;
    double estimate = 0;
    std::optional<Interval> interval{};  // none where there is nothing but the number, or not even that
    Interval target{};                   // where it should lie; an end may be infinite
    Verdict verdict = Verdict::undecided;
};
std::string_view name_of(Evidence::Unit unit);
// Lines with the verdict of each: what speaks against, what is open, what speaks for it.
std::vector<std::string> numbers_of(const std::vector<Evidence>& evidence);

// A threshold that the claims file gives a range: what its check says where it is another one.
struct ThresholdRange {
    std::string check, key;  // "similar", "within"
    double value = 0;
    struct Piece {
        double from, to;  // of the threshold
        Verdict verdict;
    };
    std::vector<Piece> pieces{};  // from the lower end of the range to the upper one
};
std::string text_of(const ThresholdRange& range);

struct ClaimPart {
    std::string id;         // "1a"; that of the claim where it is not in parts
    std::string statement;  // what the paper says
    std::string rule;       // what decides, in words
    Verdict verdict = Verdict::undecided;
    std::vector<Evidence> evidence{};
    std::vector<ThresholdRange> thresholds{};
};

struct Claim {
    std::string id;
    std::string statement;
    Verdict verdict = Verdict::undecided;
    std::vector<ClaimPart> parts{};  // one where the claim is not in parts
    bool is_in_parts() const { return parts.size() > 1 || parts.front().id != id; }
};

// Held where all parts are; not held where some part is not and none is held; mixed where some are held and some are
// not; else undecided.
Verdict verdict_of_parts(const std::vector<Verdict>& parts);

// A claim is judged by the fresh runs of every algorithm's best configuration. Its intervals hold together with 95%
// (simultaneous.hpp), over all comparisons of all its parts. Without runtimes the claims about them are undecided.
std::vector<Claim> judge_claims(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes);

// What the paper recommends, and what the results say of it.
struct Advice {
    std::string situation;
    std::string paper;
    Verdict verdict;
    std::vector<Evidence> evidence;
};
std::vector<Advice> give_advice(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes);

}  // namespace bellwether
