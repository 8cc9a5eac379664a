#include "problems/domain.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "bellwether/number_text.hpp"
#include "bellwether/suggest.hpp"
#include "problems/domains/description.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

#define BELLWETHER_ADDRESS(domain) &builtin::domain,
constexpr std::array all_domains{BELLWETHER_DOMAINS(BELLWETHER_ADDRESS)};
#undef BELLWETHER_ADDRESS

std::size_t index_of(const DomainInfo& info, std::string_view parameter) {
    std::size_t index = 0;
    while (index < info.parameters.size() && info.parameters[index].name != parameter) ++index;
    return index;
}

// Where a domain's own file asks for a parameter that it has not declared.
std::size_t declared_index(const DomainInfo& info, std::string_view parameter) {
    const std::size_t index = index_of(info, parameter);
    if (index == info.parameters.size())
        throw std::logic_error(fmt::format("{} declares no parameter '{}'", info.id, parameter));
    return index;
}

std::string names_of(std::span<const DomainParameter> parameters) {
    std::string names;
    for (const DomainParameter& p : parameters) names += (names.empty() ? "" : ", ") + std::string(p.name);
    return names.empty() ? "none" : names;
}

}  // namespace

double DomainRequest::value(std::string_view parameter) const {
    return values[declared_index(*info, parameter)];
}

bool DomainRequest::is_given(std::string_view parameter) const {
    return given[declared_index(*info, parameter)];
}

std::span<const DomainInfo* const> domains() {
    return all_domains;
}

const DomainInfo& require_domain(std::string_view id) {
    std::vector<std::string_view> known;
    for (const DomainInfo* info : domains()) {
        if (info->id == id) return *info;
        known.push_back(info->id);
    }
    const std::string nearest = did_you_mean(id, known);
    throw UsageError(fmt::format("unknown domain '{}'{}", id,
                                 nearest.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : nearest));
}

DomainRequest request_domain(const DomainInfo& info, std::span<const NamedValue> parameters, std::string_view features,
                             bool on_policy) {
    DomainRequest request;
    request.info = &info;
    request.on_policy = on_policy;
    for (const DomainParameter& p : info.parameters) request.values.push_back(p.default_value);
    request.given.assign(info.parameters.size(), false);
    for (const NamedValue& wanted : parameters) {
        const std::size_t index = index_of(info, wanted.name);
        if (index == info.parameters.size())
            throw UsageError(
                fmt::format("{} has no parameter '{}'; it has {}", info.id, wanted.name, names_of(info.parameters)));
        const DomainParameter& p = info.parameters[index];
        if (request.given[index]) throw UsageError(fmt::format("{} is given twice", p.name));
        if (!p.range.contains(wanted.value))
            throw UsageError(fmt::format("{} = {} is out of range: it must be finite and {}", p.name,
                                         number_text(wanted.value), describe(p.range)));
        if (p.whole && wanted.value != std::floor(wanted.value))
            throw UsageError(fmt::format("{} = {} is not a whole number", p.name, number_text(wanted.value)));
        request.values[index] = wanted.value;
        request.given[index] = true;
    }
    for (std::size_t i = 0; i < request.values.size(); ++i)
        if (std::isnan(request.values[i]))
            throw UsageError(fmt::format("{} needs {}: {}, {}", info.id, info.parameters[i].name,
                                         info.parameters[i].help, describe(info.parameters[i].range)));
    if (features.empty()) features = info.features.front();
    for (const std::string_view known : info.features)
        if (known == features) request.features = known;  // the domain's own text, which outlives the caller's
    if (request.features.empty())
        throw UsageError(
            fmt::format("{} has no features '{}'; it has {}", info.id, features, fmt::join(info.features, ", ")));
    return request;
}

FiniteMdp make_domain(const DomainRequest& request) {
    MdpDescription description = request.info->make(request);
    if (request.normalisation) normalise_features(description, *request.normalisation);
    return FiniteMdp(std::move(description));
}

}  // namespace bellwether
