#include "cli/problem_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "bellwether/number_text.hpp"
#include "cli/arguments.hpp"
#include "problems/domain.hpp"
#include "problems/model_file.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::uint64_t largest_32_bits = UINT32_MAX;

bool is_model_file(const std::string& problem) {
    return problem.ends_with(".toml") || problem.ends_with(".json") || std::filesystem::exists(problem);
}

}  // namespace

ProblemOptions::ProblemOptions(Command& command) {
    const auto option = [&](const char* name, std::string& value, const char* type, const char* help) {
        return command.add_option(name, value, help)->type_name(type);
    };
    std::vector<std::string> ids;
    for (const DomainInfo* domain : domains()) ids.emplace_back(domain->id);
    option("PROBLEM", problem_, "DOMAIN|FILE", "A domain ('bellwether list domains') or a model file (.toml, .json)")
        ->choices(std::move(ids))
        ->required();
    option("--features", features_, "NAME", "The domain's features (default: its first)");
    option("--policy", policy_, "off|on", "on: behave as the target policy does (default off)")->choices({"off", "on"});
    option("--seed", seed_, "COUNT", "Seed of everything random (default 0)");
    option("--instance", instance_, "COUNT", "Which of the seed's problems (default 0)");
    option("--run", run_, "COUNT", "Which of the instance's runs (default 0)");
    std::vector<std::string_view> declared;
    for (const DomainInfo* domain : domains()) {
        for (const DomainParameter& p : domain->parameters) {
            if (std::find(declared.begin(), declared.end(), p.name) != declared.end()) continue;
            declared.push_back(p.name);
            std::vector<std::string> owners;
            for (const DomainInfo* other : domains())
                for (const DomainParameter& q : other->parameters)
                    if (q.name == p.name)
                        owners.push_back(fmt::format("{} {}", other->id, number_text(q.default_value)));
            const std::string name(p.name);
            command
                .add_option_function(
                    "--" + name, [this, name](const std::string& text) { parameters_[name] = text; },
                    fmt::format("{} ({}; default: {})", p.help, describe(p.range), fmt::join(owners, ", ")))
                ->type_name("NUMBER")
                ->group("Parameters of domains");
        }
    }
}

std::uint64_t ProblemOptions::seed() const {
    return count_option("seed", seed_, 0);
}
std::uint32_t ProblemOptions::instance() const {
    return static_cast<std::uint32_t>(count_option("instance", instance_, 0, largest_32_bits));
}
std::uint32_t ProblemOptions::run() const {
    return static_cast<std::uint32_t>(count_option("run", run_, 0, largest_32_bits));
}

FiniteMdp ProblemOptions::make() const {
    if (policy_ != "off" && policy_ != "on")
        throw UsageError(fmt::format("--policy: '{}' is neither off nor on", policy_));
    const auto is_domain = [&](const DomainInfo* domain) { return domain->id == problem_; };
    if (std::any_of(domains().begin(), domains().end(), is_domain) || !is_model_file(problem_)) {
        const DomainInfo& domain = require_domain(problem_);
        std::vector<NamedValue> given;
        for (const auto& [name, text] : parameters_) given.push_back({name, number_option(name, text)});
        DomainRequest request = request_domain(domain, given, features_, policy_ == "on");
        request.seed = seed();
        request.instance = instance();
        request.run = run();
        return make_domain(request);
    }
    std::map<std::string, std::string> others = parameters_;
    const auto question = others.extract(std::string(question_parameter));
    if (!features_.empty() || !others.empty() || policy_ == "on")
        throw UsageError(fmt::format("{}: a model file has its own features, policies and numbers; --{} is for domains",
                                     problem_,
                                     !features_.empty() ? "features"
                                     : policy_ == "on"  ? "policy"
                                                        : others.begin()->first));
    return read_model_file(
        problem_, question ? count_option(std::string(question_parameter), question.mapped(), 0, largest_32_bits) : 0);
}

}  // namespace bellwether
