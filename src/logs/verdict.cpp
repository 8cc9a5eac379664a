#include "logs/verdict.hpp"

namespace bellwether {

namespace {

constexpr double most_unsupported = 0.02;  // and how far ratios may average above 1
constexpr double deviations = 3;
constexpr std::size_t least_segments = 20;

}  // namespace

std::string_view name_of(LogVerdict verdict) {
    switch (verdict) {
        case LogVerdict::unsupported:
            return "cannot tell: support";
        case LogVerdict::ratios:
            return "cannot tell: ratios";
        case LogVerdict::too_few:
            return "cannot tell: too few";
        case LogVerdict::too_wide:
            return "cannot tell: too wide";
        case LogVerdict::supported:
            return "supported";
        case LogVerdict::features:
            return "cannot tell: features";
        case LogVerdict::depends:
            break;
    }
    return "depends on the features";
}

bool answers(LogVerdict verdict) {
    return verdict == LogVerdict::supported || verdict == LogVerdict::depends;
}

LogVerdict verdict_of(const LogEvidence& e) {
    const double lacking = e.support_known ? e.unsupported : e.ratio_deficit - deviations * e.ratio_deficit_se;
    if (lacking > most_unsupported) return LogVerdict::unsupported;
    if (-e.ratio_deficit - deviations * e.ratio_deficit_se > most_unsupported) return LogVerdict::ratios;
    if (e.segments < least_segments || !(e.effective_after_one >= least_effective)) return LogVerdict::too_few;
    if (!(e.half_width <= e.spread)) return LogVerdict::too_wide;
    if (e.rest <= most_rest) return LogVerdict::supported;
    return e.values_contradicted ? LogVerdict::features : LogVerdict::depends;
}

}  // namespace bellwether
