// Tables of runtimes and of costs.
#include "harness.hpp"
#include "runtime/real_time.hpp"
#include "runtime/runtime_table.hpp"

namespace bellwether::fuzz {
namespace {

void runtimes(Bytes bytes) {
    std::optional<RuntimeTable> table;
    if (const auto problem = refusal([&] { table = parse_runtimes("runtimes.csv", text_of(bytes)); }))
        return must_name_place(*problem, "runtimes.csv");
    must(parse_runtimes("again.csv", runtimes_csv(*table)) == *table, "runtimes are read back the same");
}

void costs(Bytes bytes) {
    std::optional<CostTable> table;
    if (const auto problem = refusal([&] { table = parse_costs("costs.csv", text_of(bytes)); }))
        return must_name_place(*problem, "costs.csv");
    must(parse_costs("again.csv", costs_csv(*table)) == *table, "costs are read back the same");
}

const Registration registrations[]{Registration({"runtimes", runtimes, Form::table}),
                                   Registration({"costs", costs, Form::table})};

}  // namespace
}  // namespace bellwether::fuzz
