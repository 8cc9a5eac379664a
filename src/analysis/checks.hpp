// The kinds of checks that a claims file may ask for (docs/paper-folder.md). What is declared here is all there is: the
// reader refuses other keys, 'bellwether list checks' prints it, and the documentation is made of it.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/claim_case.hpp"

namespace bellwether {

// What stands at a key.
enum class CheckValue {
    settings,    // one or several
    metric,      // which those settings score
    algorithms,  // one or several, or "all" of the setting
    others,      // one or several, or "rest": all of the setting that are not among the algorithms
    named,       // one or several algorithms
    parameter,   // of algorithms
    parameters,  // one or several
    policies,    // "on", "off" or both
    policy,      // one of them
    features,    // one-hot, dense or both
    times,       // readings of time: quantised, proportional or both
    parts,       // one or several numbers above 0
    relation,    // "above", "below", "at least", "at most"
    part,        // a number above 0
    share,       // a number in [0, 1]
    number,      // any
};
std::string_view describe(CheckValue value);

struct CheckKey {
    std::string_view name;
    CheckValue value;
    std::string_view help;
    bool is_required = true;
};

class Check;

struct CheckKind {
    std::string_view id;
    std::string_view help;
    std::vector<CheckKey> keys;
    void (*judge)(ClaimCase& claim, const Check& check);
    // What of the paper's published numbers it looks at.
    enum class Needs { nothing, runtimes, real_time } needs = Needs::nothing;

    const CheckKey* find(std::string_view key) const;
};
std::span<const CheckKind> check_table();

// One check of a claim: a kind, and what it is about.
class Check {
public:
    using Names = std::vector<std::string>;

    explicit Check(const CheckKind& kind) : kind_(&kind) {}
    void set(std::string_view key, Names names) { values_.insert_or_assign(std::string(key), std::move(names)); }
    void set(std::string_view key, double number) { values_.insert_or_assign(std::string(key), number); }
    void set(std::string_view key, std::vector<double> numbers) {
        values_.insert_or_assign(std::string(key), std::move(numbers));
    }

    const CheckKind& kind() const { return *kind_; }
    bool has(std::string_view key) const { return values_.find(key) != values_.end(); }
    // What stands at a key that the kind requires, or that the check has. No names where it has none.
    const Names& names(std::string_view key) const;
    const std::string& name(std::string_view key) const { return names(key).front(); }
    double number(std::string_view key) const { return std::get<double>(values_.find(key)->second); }
    // No numbers where it has none.
    std::vector<double> numbers(std::string_view key) const;
    Policy policy() const;  // what stands at "policy"

    // Whether it is about the same settings, metric and policies.
    bool is_at_the_places_of(const Check& other) const;

private:
    const CheckKind* kind_;
    std::map<std::string, std::variant<Names, double, std::vector<double>>, std::less<>> values_;
};

inline constexpr std::string_view all_algorithms = "all";
inline constexpr std::string_view rest_of_algorithms = "rest";

// Makes the checks in their order; those that follow each other at the same places are made place by place.
void judge(std::span<const Check> checks, ClaimCase& claim);

}  // namespace bellwether
