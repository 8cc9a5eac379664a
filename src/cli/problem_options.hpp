// The options that choose a problem: a built-in domain with its parameters, or a model file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "problems/finite_mdp.hpp"

namespace bellwether {

class ProblemOptions {
public:
    // Declares the options on a command; their values are there when it runs.
    explicit ProblemOptions(Command& command);

    // The problem that was asked for; UsageError where there is none such.
    FiniteMdp make() const;

    std::uint64_t seed() const;
    std::uint32_t instance() const;
    std::uint32_t run() const;

private:
    std::string problem_, features_, policy_ = "off", seed_ = "0", instance_ = "0", run_ = "0";
    std::map<std::string, std::string> parameters_;
};

}  // namespace bellwether
