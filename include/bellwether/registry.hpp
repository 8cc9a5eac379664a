// Every algorithm, one line each. Nothing else lists them: the run-time learner, the command line, the conformance
// tests and docs/algorithms.md walk this list.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "bellwether/algorithm.hpp"
#include "bellwether/algorithms/abtd.hpp"
#include "bellwether/algorithms/alpha_bound.hpp"
#include "bellwether/algorithms/auto_tidbd.hpp"
#include "bellwether/algorithms/differential_td.hpp"
#include "bellwether/algorithms/etd.hpp"
#include "bellwether/algorithms/etd_beta.hpp"
#include "bellwether/algorithms/gtd.hpp"
#include "bellwether/algorithms/gtd2.hpp"
#include "bellwether/algorithms/gtd2_mp.hpp"
#include "bellwether/algorithms/gtd2_trace.hpp"
#include "bellwether/algorithms/htd.hpp"
#include "bellwether/algorithms/implicit_td.hpp"
#include "bellwether/algorithms/lstd.hpp"
#include "bellwether/algorithms/obgd_td.hpp"
#include "bellwether/algorithms/off_policy_td.hpp"
#include "bellwether/algorithms/offline_td.hpp"
#include "bellwether/algorithms/ptd.hpp"
#include "bellwether/algorithms/ptd_as_printed.hpp"
#include "bellwether/algorithms/swift_td.hpp"
#include "bellwether/algorithms/td.hpp"
#include "bellwether/algorithms/td0.hpp"
#include "bellwether/algorithms/td_replacing.hpp"
#include "bellwether/algorithms/tdc_mp.hpp"
#include "bellwether/algorithms/tdrc.hpp"
#include "bellwether/algorithms/tdrc_trace.hpp"
#include "bellwether/algorithms/tidbd.hpp"
#include "bellwether/algorithms/tidbd_full.hpp"
#include "bellwether/algorithms/to_etd.hpp"
#include "bellwether/algorithms/to_etd_beta.hpp"
#include "bellwether/algorithms/to_gtd.hpp"
#include "bellwether/algorithms/to_htd.hpp"
#include "bellwether/algorithms/to_htd_as_printed.hpp"
#include "bellwether/algorithms/to_td.hpp"
#include "bellwether/algorithms/tree_backup.hpp"
#include "bellwether/algorithms/variance.hpp"
#include "bellwether/algorithms/vtrace.hpp"
#include "bellwether/algorithms/vtrace_clipped.hpp"
#include "bellwether/algorithms/wis_lstd.hpp"
#include "bellwether/algorithms/wis_td.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

template <template <class, class> class... Algorithm>
struct AlgorithmList {
    static constexpr std::size_t count = sizeof...(Algorithm);

    // Calls visit.template operator()<A>() for every algorithm A, in order.
    template <class Visit>
    static constexpr void for_each(Visit&& visit) {
        (visit.template operator()<Algorithm>(), ...);
    }
};

using Algorithms = AlgorithmList<  // the twelve of the paper, in its order
    Td0, Td, ToTd, Ptd, Gtd, ToEtd, ToEtdBeta, Htd, ToGtd, Gtd2Mp, TdcMp, ToHtd,
    // its misprints, and TD(λ) with importance weights
    PtdAsPrinted, ToHtdAsPrinted, OffPolicyTd,
    // the family beyond it
    Etd, EtdBeta, Gtd2, Tdrc, TreeBackup, Vtrace, Abtd, Lstd,
    // step sizes that take care of themselves
    ImplicitTd, SwiftTd, Tidbd, TidbdFull, AutoTidbd, ObgdTd, AlphaBound,
    // weighted importance sampling, traces of h·x, and what is learned beside values
    WisTd, WisLstd, TdrcTrace, Gtd2Trace, Variance, DifferentialTd,
    // forms that papers compare with
    TdReplacing, OfflineTd, VtraceClipped>;

// Other names an algorithm is known by.
struct AlgorithmAlias {
    std::string_view name, id;
};
inline constexpr std::array algorithm_aliases{AlgorithmAlias{"tdc", "gtd"}};

// The parameters of an algorithm, with the defaults read from its Parameters struct.
template <template <class, class> class Algorithm>
constexpr auto make_parameter_table() {
    using Parameters = typename Algorithm<double, DenseTraces>::Parameters;
    constexpr auto declared = Parameters::declare();
    std::array<ParameterInfo, declared.size()> table{};
    for (std::size_t i = 0; i < declared.size(); ++i)
        table[i] = {declared[i].name, declared[i].range, declared[i].help, Parameters{}.*declared[i].field};
    return table;
}
template <template <class, class> class Algorithm>
inline constexpr auto parameter_table = make_parameter_table<Algorithm>();

template <template <class, class> class Algorithm>
inline constexpr AlgorithmInfo info_of{Algorithm<double, DenseTraces>::text, parameter_table<Algorithm>};

// What is known of every algorithm, in the order of the list.
constexpr auto make_algorithm_table() {
    std::array<AlgorithmInfo, Algorithms::count> table{};
    std::size_t i = 0;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() { table[i++] = info_of<Algorithm>; });
    return table;
}
inline constexpr auto algorithm_table = make_algorithm_table();

// The algorithm of that id or alias; null where there is none.
constexpr const AlgorithmInfo* find_algorithm(std::string_view name) {
    for (const AlgorithmAlias& alias : algorithm_aliases)
        if (alias.name == name) name = alias.id;
    for (const AlgorithmInfo& info : algorithm_table)
        if (info.id == name) return &info;
    return nullptr;
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
