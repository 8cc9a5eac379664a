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

TEST(PaperCosts, FollowTheirLine) {
    const CostTable costs = paper_costs(the_paper());
    EXPECT_EQ(costs.source, "paper");
    EXPECT_EQ(costs.unit, "ms");
    EXPECT_EQ(costs.on.updates.size(), 12U);
    EXPECT_EQ(costs.off.updates.size(), 10U);
    EXPECT_DOUBLE_EQ(costs.on.find("td0")->fixed, 3.3 * 0.12);
    EXPECT_DOUBLE_EQ(costs.on.find("gtd2-mp")->fixed, 3.3 * 0.4674);
    EXPECT_EQ(costs.on.noise, 0.033);
    EXPECT_TRUE(costs.on.slowest.empty());
    EXPECT_FALSE(costs.off.find("td").has_value());
}

// Off-policy the slowest takes what the panels allow: more than the last but one, at most the last.
TEST(PaperCosts, AreScaledToTheMiddleOfWhatThePanelsAllow) {
    const PolicyCosts costs = paper_costs(the_paper()).off;
    ASSERT_GE(costs.slowest.size(), 3U);
    EXPECT_GT(costs.slowest.front(), costs.durations[costs.durations.size() - 2]);
    EXPECT_EQ(costs.slowest.back(), costs.durations.back());
    EXPECT_DOUBLE_EQ(costs.find("gtd2-mp")->mean(), 1.88);
    EXPECT_DOUBLE_EQ(costs.slowest_mean(), 1.88);
    const double slowest = 3.3 * 0.4078 + 0.033;
    EXPECT_DOUBLE_EQ(costs.find("gtd")->fixed, 1.88 * 3.3 * 0.1752 / slowest);
    EXPECT_DOUBLE_EQ(costs.noise, 1.88 * 0.033 / slowest);
    const PolicyCosts twice = costs.scaled_to(3.76);
    EXPECT_DOUBLE_EQ(twice.find("gtd")->fixed, 2 * costs.find("gtd")->fixed);
    EXPECT_DOUBLE_EQ(twice.noise, 2 * costs.noise);
    EXPECT_EQ(twice.durations, costs.durations);
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
    const CostTable costs = measured_costs(some_runtimes(), TimedFeatures::one_hot, the_paper());
    EXPECT_EQ(costs.source, "measured");
    EXPECT_EQ(costs.unit, "ns");
    EXPECT_DOUBLE_EQ(costs.on.find("td0")->mean(), 3.1 * 1000 / 500);
    EXPECT_DOUBLE_EQ(costs.off.find("vtrace")->mean(), 7.0 * 1000 / 500);
}

TEST(MeasuredCosts, HaveDurationsAtThePapersFractionsOfTheSlowest) {
    const CostTable costs = measured_costs(measured_like(0.03), TimedFeatures::one_hot, the_paper());
    ASSERT_EQ(costs.on.durations.size(), nine_durations);
    EXPECT_DOUBLE_EQ(costs.on.durations[1] / (467.4 * 0.03 * 2), 0.1 / (3.3 * 0.4674 + 0.033));
    ASSERT_EQ(costs.off.durations.size(), nine_durations);
    EXPECT_DOUBLE_EQ(costs.off.durations[0] / (407.8 * 0.03 * 2), 0.1 / 1.88);
}

TEST(MeasuredCosts, AreThoseOfTheirFeatures) {
    RuntimeTable table = some_runtimes();
    EXPECT_TRUE(measured_costs(table, TimedFeatures::dense, the_paper()).on.updates.empty());
    table.rows.push_back({Policy::on, "td0", 50, 49, 51, std::nullopt, std::nullopt, TimedFeatures::dense});
    const CostTable dense = measured_costs(table, TimedFeatures::dense, the_paper());
    EXPECT_EQ(dense.source, "measured-dense");
    EXPECT_EQ(dense.on.updates, (std::vector<UpdateCost>{{"td0", 100}}));
    EXPECT_EQ(dense.on.durations.size(), nine_durations);
    EXPECT_EQ(measured_costs(table, TimedFeatures::one_hot, the_paper()).on.updates.size(), 2U);
}

TEST(MeasuredCosts, HaveNoDurationsWhereNothingWasMeasured) {
    RuntimeTable table = measured_like(1);
    std::erase_if(table.rows, [](const Runtime& row) { return row.policy == Policy::off; });
    EXPECT_EQ(measured_costs(table, TimedFeatures::one_hot, the_paper()).off, PolicyCosts{});
}

TEST(MeasuredCosts, HaveNoDurationsWithoutAPapersRealTimeStudy) {
    const CostTable costs = measured_costs(some_runtimes(), TimedFeatures::one_hot, {});
    EXPECT_EQ(costs.on.updates.size(), 2U);
    EXPECT_TRUE(costs.on.durations.empty());
    EXPECT_EQ(refusal([] { paper_costs({}); }), "the paper's costs are not known: it has no real-time study");
}

void expect_all_keep_up(const CostTable& costs) {
    for (const Policy policy : both_policies) {
        const PolicyCosts& of_policy = costs.of(policy);
        ASSERT_EQ(of_policy.durations.size(), nine_durations);
        for (const UpdateCost& update : of_policy.updates)
            for (const TimeReading reading : both_time_readings) {
                const SampleCounts counts(reading, {update.cost}, of_policy.durations.back(), 100);
                for (std::size_t t = 0; t <= 100; ++t) ASSERT_EQ(counts.mean(t), t) << update.algorithm;
            }
    }
}

// But for the noise, which makes the slowest one need a second iteration in 1 of 500 cases on-policy and in 1 of 40
// off-policy.
TEST(LastDuration, LetsEveryAlgorithmOfThePaperNearlyKeepUp) {
    const CostTable costs = paper_costs(the_paper());
    for (const Policy policy : both_policies)
        for (const UpdateCost& update : costs.of(policy).updates) {
            const UpdateTime time = costs.of(policy).find(update.algorithm).value();
            const double iterations = mean_iterations(time, costs.of(policy).durations.back());
            EXPECT_LT(iterations, policy == Policy::on ? 1.002 : 1.03) << update.algorithm;
            EXPECT_LT(time.mean(), costs.of(policy).durations.back());
        }
}

RC_GTEST_PROP(LastDuration, LetsEveryMeasuredAlgorithmKeepUp, ()) {
    const double unit = std::exp(*rc::gen::inRange(-9000, 9000) / 1000.0);
    expect_all_keep_up(measured_costs(measured_like(unit), TimedFeatures::one_hot, the_paper()));
}

// ---- as a table ----

TEST(CostsCsv, ReadsBackToTheBit) {
    for (CostTable costs :
         {paper_costs(the_paper()), measured_costs(some_runtimes(), TimedFeatures::one_hot, the_paper())}) {
        EXPECT_EQ(parse_costs("costs.csv", costs_csv(costs)), costs);
        costs.source = "measured,\nelsewhere";
        costs.unit = "us";
        EXPECT_EQ(parse_costs("costs.csv", costs_csv(costs)), costs);
    }
}

TEST(CostsCsv, IsTidy) {
    const std::string text = costs_csv(paper_costs(the_paper()));
    EXPECT_EQ(text.substr(0, text.find("\npaper,on,update,td,")),
              "source,policy,kind,algorithm,unit,value\npaper,on,update,td0,ms,0.39599999999999996");
    EXPECT_NE(text.find("\npaper,off,duration,,ms,0.25\n"), std::string::npos);
    EXPECT_NE(text.find("\npaper,on,noise,,ms,0.033\n"), std::string::npos);
    EXPECT_NE(text.find("\npaper,off,slowest,,ms,1.76\n"), std::string::npos);
    EXPECT_EQ(text.find("\npaper,on,slowest"), std::string::npos);
}

// A table of costs as reports wrote it before there were two readings of time: the line 0.107 + 3.23 · table, for
// which 101, 93, 84 and 31 samples were counted.
TEST(CostsCsv, OfEarlierReportsIsReplayedProportionally) {
    const CostTable costs = parse_costs("costs.csv",
                                        "source,policy,kind,algorithm,unit,value\n"
                                        "paper,on,update,td0,ms,0.4946\n"
                                        "paper,on,update,td,ms,0.535621\n"
                                        "paper,on,update,to-td,ms,0.591823\n"
                                        "paper,on,update,to-htd,ms,1.6121800000000002\n"
                                        "paper,on,duration,,ms,0.1\n");
    const std::pair<const char*, double> counts[] = {{"td0", 101}, {"td", 93}, {"to-td", 84}, {"to-htd", 31}};
    std::vector<double> learning(501);
    for (std::size_t n = 0; n < learning.size(); ++n) learning[n] = 1 / (1.0 + static_cast<double>(n));
    for (const auto& [algorithm, samples] : counts) {
        const UpdateTime update = costs.on.find(algorithm).value();
        const SampleCounts replayed(TimeReading::proportional, update, costs.on.durations[0], 500);
        EXPECT_EQ(replayed.mean(500), samples) << algorithm;
        const std::vector<double> curve = real_time_curve(learning, replayed);
        for (std::size_t t = 0; t <= 500; ++t)  // to the bit
            EXPECT_EQ(curve[t], learning[samples_processed(t, 0.1, update.fixed)]) << algorithm;
    }
}

struct MalformedCosts {
    const char* rows;
    const char* complaint;
};

TEST(CostsCsv, SaysWhatIsWrongAndWhere) {
    constexpr const char* header = "source,policy,kind,algorithm,unit,value\n";
    constexpr MalformedCosts cases[] = {
        {"", ":2: there must be a row below the header"},
        {"paper,on,update,td0,ms\n", ":2: 5 cells where the header has 6"},
        {"paper,on,update,td0,ms,1\n\n", ":3: 1 cells where the header has 6"},
        {",on,update,td0,ms,1\n", ":2: source must say where the costs come from"},
        {"paper,on,update,td0,hours,1\n", ":2: unit: 'hours' is none of ms, us and ns"},
        {"paper,onn,update,td0,ms,1\n", ":2: policy: 'onn' is neither on nor off"},
        {"paper,on,updat,td0,ms,1\n", ":2: kind: 'updat' is none of update, duration, noise and slowest"},
        {"paper,on,update,gdt,ms,1\n", ":2: unknown algorithm 'gdt'; did you mean 'gtd'?"},
        {"paper,on,update,td0,ms,fast\n", ":2: value: 'fast' is not a finite number above 0"},
        {"paper,on,update,td0,ms,inf\n", ":2: value: 'inf' is not a finite number above 0"},
        {"paper,on,update,td0,ms,0\n", ":2: value: '0' is not a finite number above 0"},
        {"paper,on,update,td0,ms,1\npaper,on,update,td0,ms,2\n", ":3: the update of td0 on-policy is there twice"},
        {"paper,on,update,td0,ms,1\nhome,on,update,td,ms,2\n", ":3: source: 'home' where the first row has 'paper'"},
        {"paper,on,update,td0,ms,1\npaper,on,update,td,ns,2\n", ":3: unit: 'ns' where the first row has 'ms'"},
        {"paper,on,duration,td0,ms,1\n", ":2: algorithm: 'td0' where a duration has none"},
        {"paper,on,duration,,ms,2\npaper,on,duration,,ms,2\n", ":3: value: 2 must be above the duration before it, 2"},
        {"paper,on,noise,td0,ms,1\n", ":2: algorithm: 'td0' where a noise has none"},
        {"paper,on,noise,,ms,1\npaper,on,noise,,ms,1\n", ":3: the noise on-policy is there twice"},
        {"paper,on,slowest,,ms,2\npaper,on,slowest,,ms,1\n", ":3: value: 1 must be above the slowest before it, 2"},
        {"\"paper,on,update,td0,ms,1\n", ":2: a quotation mark is not closed"},
        {"\"paper\"s,on,update,td0,ms,1\n", ":2: a comma or the end of the line must follow a closing quotation mark"},
    };
    for (const MalformedCosts& malformed : cases)
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
    EXPECT_EQ(costs.on.find("td0"), UpdateTime{0.25});
    EXPECT_EQ(costs.on.durations, std::vector<double>{0.5});
}

}  // namespace
}  // namespace bellwether::test
