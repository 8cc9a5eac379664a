// The built-in problems. Each is one file under domains/, with its source; this is what they have in common.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/info.hpp"
#include "bellwether/state.hpp"
#include "problems/domains/registry.hpp"
#include "problems/finite_mdp.hpp"

namespace bellwether {

struct DomainRequest;

struct DomainParameter : ParameterInfo {
    bool whole = false;  // a count: 30, not 30.5
    // Came when there were results already: at its default it has no part in a study's identity.
    bool is_addition = false;
};

// The parameter of a domain that has several questions about one stream of behaviour: target policies with their
// rewards and discounts. Whichever is asked, a run goes through the same states.
inline constexpr std::string_view question_parameter = "question";

// What every feature vector is divided by: the sum of its components' magnitudes, its length, or nothing.
enum class Normalisation { l1, l2, none };
inline constexpr std::array<std::string_view, 3> normalisation_names{"l1", "l2", "none"};
inline std::string_view name_of(Normalisation normalisation) {
    return normalisation_names[static_cast<std::size_t>(normalisation)];
}

struct DomainInfo {
    std::string_view id;
    std::string_view summary;
    std::string_view source;
    std::span<const DomainParameter> parameters;
    std::span<const std::string_view> features;  // the first one is the default
    bool has_instances = false;                  // instance k of a seed is another problem than instance k + 1
    bool has_runs = false;                       // so is run r: its features are drawn per run
    MdpDescription (*make)(const DomainRequest& request);
};

// Which problem is wanted. Made by request_domain(), which checks it.
struct DomainRequest {
    const DomainInfo* info = nullptr;
    std::vector<double> values;  // of info->parameters, as given or by default
    std::vector<bool> given;     // whether the request named the parameter
    std::string_view features;
    bool on_policy = false;                        // the behaviour policy is the target policy
    std::optional<Normalisation> normalisation{};  // of the features; none given: as the domain has it
    // Any problem with these states and features will do, the quicker made the better: see Study::is_outline.
    bool is_outline = false;
    std::uint64_t seed = 0;
    std::uint32_t instance = 0;
    std::uint32_t run = 0;

    double value(std::string_view parameter) const;
    std::size_t count(std::string_view parameter) const { return static_cast<std::size_t>(value(parameter)); }
    bool is_given(std::string_view parameter) const;
};

// Each is defined in its file under domains/.
namespace builtin {
#define BELLWETHER_DECLARE(domain) extern const DomainInfo domain;
BELLWETHER_DOMAINS(BELLWETHER_DECLARE)
#undef BELLWETHER_DECLARE
}  // namespace builtin

// Every built-in domain, in the order of domains/registry.hpp.
std::span<const DomainInfo* const> domains();

// The domain of that id; UsageError with the nearest name where there is none.
const DomainInfo& require_domain(std::string_view id);

// A request with everything checked: parameters in range, features that the domain has ("" for its default).
DomainRequest request_domain(const DomainInfo& info, std::span<const NamedValue> parameters, std::string_view features,
                             bool on_policy = false);

FiniteMdp make_domain(const DomainRequest& request);

}  // namespace bellwether
