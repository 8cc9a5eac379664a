#include "analysis/names.hpp"

#include <array>
#include <utility>

namespace bellwether {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> symbols{{
    {"alpha", "α"},
    {"eta", "η"},
    {"alpha-h", "αₕ"},
    {"lambda", "λ"},
    {"beta-scale", "β/γ"},
    {"zeta", "ζ"},
    {"psi0", "ψ₀"},
    {"psi-max", "ψₘₐₓ"},
    {"epsilon", "ε"},
}};

}  // namespace

std::string parameter_symbol(std::string_view name) {
    for (const auto& [parameter, symbol] : symbols)
        if (parameter == name) return std::string(symbol);
    return std::string(name);
}

}  // namespace bellwether
