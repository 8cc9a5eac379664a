// What a study's results say of a paper's claims.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether {

struct Paper;

enum class Verdict { held, undecided, not_held };
std::string_view name_of(Verdict verdict);

struct Claim {
    std::string id;
    std::string statement;  // what the paper says
    std::string rule;       // what decides, in words
    Verdict verdict;
    std::vector<std::string> numbers;  // the evidence, line by line
};

// A claim is judged by the fresh runs of every algorithm's best configuration; intervals are of 95%. Without runtimes
// the claims about them are undecided.
std::vector<Claim> judge_claims(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes);

// What the paper recommends, and what the results say of it.
struct Advice {
    std::string situation;
    std::string paper;
    Verdict verdict;
    std::vector<std::string> numbers;
};
std::vector<Advice> give_advice(const Paper& paper, const Findings& findings, const RuntimeTable* runtimes);

}  // namespace bellwether
