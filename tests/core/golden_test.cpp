// The final weights of every algorithm on recorded streams, made by an implementation that shares no code with this
// project.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <ostream>

#include "learners.hpp"
#include "stream.hpp"

namespace bellwether::test {
namespace {

constexpr double tolerance = 1e-12;

struct GoldenRun {
    std::string stream, algorithm, parameters;  // parameters as "name=value name=value"
    Vec weights;

    friend void PrintTo(const GoldenRun& run, std::ostream* out) {
        *out << run.stream << ' ' << run.algorithm << ' ' << run.parameters;
    }
};

std::string data(const std::string& name) {
    return std::string(BELLWETHER_TEST_DATA) + "/" + name;
}

// weights.csv: stream, algorithm, parameters, index, weight; the rows of a run stand together.
std::vector<GoldenRun> golden_runs() {
    std::vector<GoldenRun> runs;
    for (const auto& row : read_csv(data("weights.csv")).rows) {
        if (std::stoul(row[3]) == 0) runs.push_back({row[0], row[1], row[2], {}});
        runs.back().weights.push_back(std::stod(row[4]));
    }
    return runs;
}

const Stream& stream_named(const std::string& name) {
    static std::map<std::string, Stream> streams;
    auto [at, is_new] = streams.try_emplace(name);
    if (is_new) at->second = read_stream(data(name));
    return at->second;
}

Vec final_weights(const GoldenRun& run, FeatureKind kind, std::optional<double> cutoff) {
    std::vector<std::string> names;
    Vec values;
    for (const std::string& pair : split(run.parameters, ' ')) {
        names.push_back(pair.substr(0, pair.find('=')));
        values.push_back(std::stod(pair.substr(pair.find('=') + 1)));
    }
    std::vector<NamedValue> parameters;
    for (std::size_t i = 0; i < names.size(); ++i) parameters.push_back({names[i], values[i]});
    auto learner = make_learner(run.algorithm, run.weights.size(), parameters, cutoff);
    for (const Sample& s : stream_named(run.stream)) feed_as(kind, *learner, s);
    return {learner->weights().begin(), learner->weights().end()};
}

class Golden : public testing::TestWithParam<GoldenRun> {};

TEST_P(Golden, FinalWeights) {
    const GoldenRun& run = GetParam();
    ASSERT_EQ(run.weights.size(), stream_named(run.stream).at(0).x.size());
    EXPECT_LE(deviation(final_weights(run, FeatureKind::dense, {}), run.weights), tolerance);
    EXPECT_LE(deviation(final_weights(run, FeatureKind::sparse, {}), run.weights), tolerance);
    EXPECT_LE(deviation(final_weights(run, FeatureKind::dense, 0.0), run.weights), tolerance);
    EXPECT_LE(deviation(final_weights(run, FeatureKind::sparse, 0.0), run.weights), tolerance);
}

std::string name_of(const testing::TestParamInfo<GoldenRun>& info) {
    std::string name = info.param.stream + "_" + info.param.algorithm + "_" + info.param.parameters;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

INSTANTIATE_TEST_SUITE_P(Data, Golden, testing::ValuesIn(golden_runs()), name_of);

// A filter or a lost file must not turn the golden tests into no tests: 35 algorithms stand in the
// data.
TEST(GoldenData, CoversTheAlgorithmsItWasMadeFor) {
    std::map<std::string, int> runs;
    for (const GoldenRun& run : golden_runs()) ++runs[run.algorithm];
    EXPECT_GE(runs.size(), 35U);
    for (const auto& [id, count] : runs) EXPECT_GE(count, 2) << id;
}

TEST(GoldenData, TheTruncatedStreamHasSegments) {
    int starts = 0;
    for (const Sample& s : stream_named("stream-truncated.csv")) starts += s.starts_segment;
    EXPECT_GT(starts, 5);
}

}  // namespace
}  // namespace bellwether::test
