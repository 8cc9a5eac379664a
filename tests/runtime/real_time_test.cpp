// The real-time study's costs, and what an algorithm has learned when it cannot keep up.
#include "runtime/real_time.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>

#include "problems/refusal.hpp"
#include "runtime/costs.hpp"

namespace bellwether::test {
namespace {

constexpr std::size_t nine_durations = 9;

// ---- the paper ----

// The paper gives counts, not costs: what K must be for them is the duration of all iterations over the count.
TEST(SamplesProcessed, AreThePapersAtTheCostsThatTheyImply) {
    ASSERT_EQ(the_paper().real_time->samples.size(), 4U);
    for (const PublishedSamples& published : the_paper().real_time->samples) {
        const auto iterations = static_cast<double>(the_paper().runtimes->steps);
        const double implied = published.duration * iterations / static_cast<double>(published.samples);
        EXPECT_EQ(samples_processed(the_paper().runtimes->steps, published.duration, implied), published.samples)
            << published.algorithm;
    }
}

// One straight line cannot meet all four counts: TD's and TO-TD's ask for a slope of at least 3.7, TO-HTD's for less
// than 3.3. The line meets the ends, and is off by four samples and by one between them.
TEST(PaperCosts, GiveThePapersCountsAtTheEndsAndNearlyBetween) {
    const CostTable costs = paper_costs(the_paper());
    const auto samples = [&](std::string_view algorithm) {
        return samples_processed(500, 0.1, costs.on.find(algorithm).value());
    };
    EXPECT_EQ(samples("td0"), 101U);
    EXPECT_EQ(samples("td"), 93U);     // the paper: 97
    EXPECT_EQ(samples("to-td"), 84U);  // the paper: 85
    EXPECT_EQ(samples("to-htd"), 31U);
}

TEST(PaperCosts, FollowTheirLine) {
    const CostTable costs = paper_costs(the_paper());
    EXPECT_EQ(costs.source, "paper");
    EXPECT_EQ(costs.unit, "ms");
    EXPECT_EQ(costs.on.updates.size(), 12U);
    EXPECT_EQ(costs.off.updates.size(), 10U);
    EXPECT_DOUBLE_EQ(costs.on.find("td0").value(), 0.107 + 3.23 * 0.12);
    EXPECT_DOUBLE_EQ(costs.on.find("gtd2-mp").value(), 0.107 + 3.23 * 0.4674);
    EXPECT_EQ(costs.off.find("gtd2-mp").value(), 2);  // the slowest
    EXPECT_DOUBLE_EQ(costs.off.find("gtd").value() / 2, (0.107 + 3.23 * 0.1752) / (0.107 + 3.23 * 0.4078));
    EXPECT_FALSE(costs.off.find("td").has_value());
}

// ---- measured ----

RuntimeTable measured_like(double unit) {
    RuntimeTable table{.machine = "m", .instruction_set = "i", .steps = 500};
    for (const Policy policy : both_policies)
        for (const PublishedRuntime& published : the_paper().runtimes->rows)
            if (const auto microseconds = published.microseconds(policy)) {
                const double here = *microseconds * unit;
                table.rows.push_back({policy, published.algorithm, here, here, here});
            }
    return table;
}

TEST(MeasuredCosts, AreNanosecondsOfAnUpdate) {
    const CostTable costs = measured_costs(some_runtimes(), the_paper());
    EXPECT_EQ(costs.source, "measured");
    EXPECT_EQ(costs.unit, "ns");
    EXPECT_DOUBLE_EQ(costs.on.find("td0").value(), 3.1 * 1000 / 500);
    EXPECT_DOUBLE_EQ(costs.off.find("vtrace").value(), 7.0 * 1000 / 500);
}

TEST(MeasuredCosts, HaveDurationsAtThePapersFractionsOfTheSlowest) {
    const CostTable costs = measured_costs(measured_like(0.03), the_paper());
    ASSERT_EQ(costs.on.durations.size(), nine_durations);
    EXPECT_DOUBLE_EQ(costs.on.durations[1] / (467.4 * 0.03 * 2), 0.1 / (0.107 + 3.23 * 0.4674));
    ASSERT_EQ(costs.off.durations.size(), nine_durations);
    EXPECT_DOUBLE_EQ(costs.off.durations[0] / (407.8 * 0.03 * 2), 0.1 / 2);
}

TEST(MeasuredCosts, HaveNoDurationsWhereNothingWasMeasured) {
    RuntimeTable table = measured_like(1);
    std::erase_if(table.rows, [](const Runtime& row) { return row.policy == Policy::off; });
    EXPECT_EQ(measured_costs(table, the_paper()).off, PolicyCosts{});
}

TEST(MeasuredCosts, HaveNoDurationsWithoutAPapersRealTimeStudy) {
    const CostTable costs = measured_costs(some_runtimes(), {});
    EXPECT_EQ(costs.on.updates.size(), 2U);
    EXPECT_TRUE(costs.on.durations.empty());
    EXPECT_EQ(refusal([] { paper_costs({}); }), "the paper's costs are not known: it has no real-time study");
}

void expect_all_keep_up(const CostTable& costs) {
    for (const Policy policy : both_policies) {
        const PolicyCosts& of_policy = costs.of(policy);
        ASSERT_EQ(of_policy.durations.size(), nine_durations);
        for (const UpdateCost& update : of_policy.updates)
            for (std::size_t t = 0; t <= 1000; ++t)
                ASSERT_EQ(samples_processed(t, of_policy.durations.back(), update.cost), t) << update.algorithm;
    }
}

TEST(LastDuration, LetsEveryAlgorithmOfThePaperKeepUp) {
    expect_all_keep_up(paper_costs(the_paper()));
}

RC_GTEST_PROP(LastDuration, LetsEveryMeasuredAlgorithmKeepUp, ()) {
    const double unit = std::exp(*rc::gen::inRange(-9000, 9000) / 1000.0);
    expect_all_keep_up(measured_costs(measured_like(unit), the_paper()));
}

// ---- samples and curves ----

TEST(SamplesProcessed, AreNotLostToRounding) {
    EXPECT_LT(35 * 0.1 / 0.14, 25);  // as computed
    EXPECT_EQ(samples_processed(35, 0.1, 0.14), 25U);
    EXPECT_EQ(samples_processed(0, 0.1, 0.14), 0U);
    EXPECT_EQ(samples_processed(1, 0.1, 0.14), 0U);
    EXPECT_EQ(samples_processed(2, 0.1, 0.14), 1U);
}

double any_time(const char* name) {
    return std::exp(*rc::gen::inRange(-5000, 5000).as(name) / 1000.0);
}

RC_GTEST_PROP(SamplesProcessed, GrowByOneAtMostAndNeverPassTheIterations, ()) {
    const double duration = any_time("duration"), cost = any_time("cost");
    const auto iteration = *rc::gen::inRange<std::size_t>(0, 100000).as("iteration");
    const std::size_t now = samples_processed(iteration, duration, cost);
    const std::size_t next = samples_processed(iteration + 1, duration, cost);
    RC_ASSERT(now <= iteration);
    RC_ASSERT(next == now || next == now + 1);
    const double exact = static_cast<double>(iteration) * std::min(1.0, duration / cost);
    RC_ASSERT(std::abs(static_cast<double>(now) - std::floor(exact)) <= 1);
    RC_ASSERT(static_cast<double>(now) <= exact * (1 + 1e-9));
}

RC_GTEST_PROP(SamplesProcessed, AreFewerWhereAnUpdateCostsMore, ()) {
    const double duration = any_time("duration"), cost = any_time("cost"), more = any_time("more");
    const auto iteration = *rc::gen::inRange<std::size_t>(0, 100000).as("iteration");
    RC_ASSERT(samples_processed(iteration, duration, cost + more) <= samples_processed(iteration, duration, cost));
}

TEST(RealTimeCurve, HasTheErrorsOfTheSamplesThatWereProcessed) {
    const std::vector<double> learning{9, 8, 7, 6};
    EXPECT_EQ(real_time_curve(learning, 3, 2, 1), learning);
    EXPECT_EQ(real_time_curve(learning, 5, 1, 2), (std::vector<double>{9, 9, 8, 8, 7, 7}));
    EXPECT_EQ(real_time_curve(learning, 0, 1, 2), std::vector<double>{9});
}

TEST(RealTimeCurve, RefusesACurveThatIsTooShort) {
    const std::vector<double> learning{9, 8};
    EXPECT_EQ(refusal([&] { real_time_curve(learning, 2, 1, 1); }),
              "2 iterations take 2 samples; the learning curve has 2 errors");
}

// ---- as a table ----

TEST(CostsCsv, ReadsBackToTheBit) {
    for (CostTable costs : {paper_costs(the_paper()), measured_costs(some_runtimes(), the_paper())}) {
        EXPECT_EQ(parse_costs("costs.csv", costs_csv(costs)), costs);
        costs.source = "measured,\nelsewhere";
        costs.unit = "us";
        EXPECT_EQ(parse_costs("costs.csv", costs_csv(costs)), costs);
    }
}

TEST(CostsCsv, IsTidy) {
    const std::string text = costs_csv(paper_costs(the_paper()));
    EXPECT_EQ(text.substr(0, text.find("\npaper,on,update,td,")),
              "source,policy,kind,algorithm,unit,value\npaper,on,update,td0,ms,0.4946");
    EXPECT_NE(text.find("\npaper,off,duration,,ms,0.25\n"), std::string::npos);
}

struct Malformed {
    const char* rows;
    const char* complaint;
};

TEST(CostsCsv, SaysWhatIsWrongAndWhere) {
    constexpr const char* header = "source,policy,kind,algorithm,unit,value\n";
    constexpr Malformed cases[] = {
        {"", ":2: there must be a row below the header"},
        {"paper,on,update,td0,ms\n", ":2: 5 cells where the header has 6"},
        {"paper,on,update,td0,ms,1\n\n", ":3: 1 cells where the header has 6"},
        {",on,update,td0,ms,1\n", ":2: source must say where the costs come from"},
        {"paper,on,update,td0,hours,1\n", ":2: unit: 'hours' is none of ms, us and ns"},
        {"paper,onn,update,td0,ms,1\n", ":2: policy: 'onn' is neither on nor off"},
        {"paper,on,updat,td0,ms,1\n", ":2: kind: 'updat' is neither update nor duration"},
        {"paper,on,update,gdt,ms,1\n", ":2: unknown algorithm 'gdt'; did you mean 'gtd'?"},
        {"paper,on,update,td0,ms,fast\n", ":2: value: 'fast' is not a finite number above 0"},
        {"paper,on,update,td0,ms,inf\n", ":2: value: 'inf' is not a finite number above 0"},
        {"paper,on,update,td0,ms,0\n", ":2: value: '0' is not a finite number above 0"},
        {"paper,on,update,td0,ms,1\npaper,on,update,td0,ms,2\n", ":3: the update of td0 on-policy is there twice"},
        {"paper,on,update,td0,ms,1\nhome,on,update,td,ms,2\n", ":3: source: 'home' where the first row has 'paper'"},
        {"paper,on,update,td0,ms,1\npaper,on,update,td,ns,2\n", ":3: unit: 'ns' where the first row has 'ms'"},
        {"paper,on,duration,td0,ms,1\n", ":2: algorithm: 'td0' where a duration has none"},
        {"paper,on,duration,,ms,2\npaper,on,duration,,ms,2\n", ":3: value: 2 must be above the duration before it, 2"},
        {"\"paper,on,update,td0,ms,1\n", ":2: a quotation mark is not closed"},
        {"\"paper\"s,on,update,td0,ms,1\n", ":2: a comma or the end of the line must follow a closing quotation mark"},
    };
    for (const Malformed& malformed : cases)
        EXPECT_EQ(refusal([&] { parse_costs("costs.csv", std::string(header) + malformed.rows); }),
                  std::string("costs.csv") + malformed.complaint);
    for (const char* text : {"", "source,policy\n", "\n"})
        EXPECT_EQ(refusal([&] { parse_costs("costs.csv", text); }),
                  "costs.csv:1: the first line must be 'source,policy,kind,algorithm,unit,value'");
}

TEST(CostsCsv, MayHaveLinesThatEndAsOnWindows) {
    const CostTable costs = parse_costs("costs.csv",
                                        "source,policy,kind,algorithm,unit,value\r\n"
                                        "\"pa\"\"per\",on,update,td0,ms,0.25\r\n"
                                        "\"pa\"\"per\",on,duration,,ms,\"0.5\"");
    EXPECT_EQ(costs.source, "pa\"per");
    EXPECT_EQ(costs.on.find("td0"), 0.25);
    EXPECT_EQ(costs.on.durations, std::vector<double>{0.5});
}

}  // namespace
}  // namespace bellwether::test
