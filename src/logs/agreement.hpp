// Whether two estimates of the same thing agree: z = difference / (sd(ψ − ψ')/√n). Flagged where |z| > 3 and the
// difference exceeds 0.1 of the spread of returns.
#pragma once

#include <string_view>

#include "logs/estimate.hpp"

namespace bellwether {

struct Agreement {
    std::string_view name;
    double z;
    double difference;
    bool flagged;
};

Agreement compare(std::string_view name, const PolicyEstimate& one, const PolicyEstimate& other, double spread);
// The same of a difference that is an estimate itself, with its standard error.
Agreement compare(std::string_view name, const PolicyEstimate& difference, double spread);

}  // namespace bellwether
