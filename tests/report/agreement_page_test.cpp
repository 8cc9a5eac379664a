// What the program reports of a study on its page, against its database.
#include <iostream>
#include <nlohmann/json.hpp>

#include "agreement_fixture.hpp"

namespace bellwether::agreement {
namespace {

using Json = nlohmann::json;

constexpr Real page_tolerance = 1e-6L;  // the page has seven digits

void expect_number(const Json& found, std::optional<Real> expected, std::optional<Real> scale,
                   const std::string& what) {
    if (!expected || !std::isfinite(*expected)) {
        EXPECT_TRUE(found.is_null()) << what << ": " << found;
        return;
    }
    ASSERT_TRUE(found.is_number()) << what << ": " << found;
    const Real tolerance = page_tolerance * std::fabs(*expected) + table_tolerance * std::fabs(scale.value_or(0));
    EXPECT_TRUE(is_near(found.get<double>(), *expected, tolerance))
        << what << ": " << found << ", by the database " << static_cast<double>(*expected);
}
void expect_number(const Json& found, std::optional<Real> expected, const std::string& what) {
    expect_number(found, expected, expected, what);
}

Json page_data(const std::string& page) {
    const std::string opening = "<script type=\"application/json\" id=\"report-data\">";
    const std::size_t begin = page.find(opening) + opening.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

class AgreementOfPage : public Agreement {
protected:
    static void expect_estimate(const Json& found, const Summary& expected, const std::string& what) {
        EXPECT_EQ(found["runs"], expected.runs) << what;
        EXPECT_EQ(found["diverged"], expected.diverged) << what;
        expect_number(found["score"], expected.score, what);
        expect_number(found["standardError"], expected.standard_error, expected.score, what);
    }
    static void expect_curve(const Json& found, const std::vector<RecordingRow>& recordings, const std::string& what) {
        ASSERT_EQ(found["mean"].size(), recordings.front().curve_mean.size()) << what;
        for (std::size_t t = 0; t < found["mean"].size(); ++t) {
            const Summary expected = summary_of_step(recordings, t);
            expect_number(found["mean"][t], expected.score, what);
            expect_number(found["standardError"][t], expected.standard_error, what);
        }
    }
    static void expect_grid(const Json& found, const Json& names, const std::vector<Parameter>& grid) {
        ASSERT_EQ(found.size(), grid.size());
        for (std::size_t p = 0; p < grid.size(); ++p) {
            EXPECT_EQ(names[found[p]["parameter"].get<std::size_t>()]["name"], grid[p].name);
            EXPECT_EQ(found[p]["values"], grid[p].values);
        }
    }
    static void expect_result(const Json& data, const Json& found, const Result& result, const Row& best) {
        const std::string what = name_of(result);
        EXPECT_EQ(data["algorithms"][found["algorithm"].get<std::size_t>()]["id"], result.algorithm->id);
        expect_grid(found["grid"], data["parameters"], grid_of(result));
        ASSERT_EQ(found["scores"].size(), result.configurations.size());
        for (std::size_t c = 0; c < result.configurations.size(); ++c) {
            const Summary& expected = result.configurations[c];
            expect_number(found["scores"][c], expected.score, what);
            expect_number(found["standardErrors"][c], expected.standard_error, what);
            EXPECT_EQ(found["diverged"][c], expected.diverged) << what;
        }
        EXPECT_EQ(found["best"], result.best) << what;
        EXPECT_EQ(found["robust"]["stage"], "fresh") << what;
        const Row robust = rows_by_name("robust").at(what);
        expect_number(found["robust"]["iqm"][0], std::strtod(robust.at("iqm").c_str(), nullptr), what);
        EXPECT_EQ(found["robust"]["failed"], std::stoul(robust.at("failed"))) << what;
        expect_estimate(found["selection"], result.configurations[result.best], what);
        expect_estimate(found["fresh"], summary_of_runs(recorded(result, Stage::fresh)), what);
        expect_curve(found["selectionCurve"], recorded(result, Stage::selection), what);
        expect_curve(found["freshCurve"], recorded(result, Stage::fresh), what);
        const Distribution shares = distribution_of(result, grid_of(result), metric_of(result));
        expect_number(found["shares"]["diverged"], shares.diverged, what);
        expect_number(found["shares"]["worseThanStart"], shares.worse, what);
        expect_number(found["shares"]["within10"], shares.within_10, what);
        expect_number(found["shares"]["within50"], shares.within_50, what);
        for (std::size_t q = 0; q < 7; ++q) expect_number(found["quantiles"][q], shares.quantiles[q], what);
        // What is drawn by chance is the same in the tables.
        const auto cell = [&](const char* column) -> std::optional<Real> {
            const std::string& text = best.at(column);
            return text.empty() ? std::optional<Real>() : std::strtod(text.c_str(), nullptr);
        };
        expect_number(found["fresh"]["interval"][0], cell("fresh_low"), what);
        expect_number(found["fresh"]["interval"][1], cell("fresh_high"), what);
        expect_number(found["fresh"]["deviation"], cell("fresh_deviation"), what);
        expect_number(found["selection"]["deviation"], cell("selection_deviation"), what);
        expect_number(found["fresh"]["firstProbability"], cell("first_probability"), what);
        expect_number(found["bestProbability"], cell("best_probability"), what);
    }
};

TEST_F(AgreementOfPage, OfEverything) {
    const fs::path file = base / "results" / "report.html";
    if (!fs::exists(file)) {
        std::cout << "this program was built without the report's page: nothing to compare\n";
        return;
    }
    const Json data = page_data(test::content_of(file));
    EXPECT_EQ(data["study"]["text"], study_text);
    const std::vector<Row> best = table("best");
    std::size_t place = 0;
    ASSERT_EQ(data["settings"].size(), database->settings.size());
    for (const Json& setting : data["settings"])
        for (const Json& metric : setting["metrics"]) {
            expect_number(metric["initialError"], initial_error(metric["id"], 0), "initial error");
            for (const Json& algorithm : metric["algorithms"]) {
                ASSERT_LT(place, results.size());
                EXPECT_EQ(setting["id"].get<std::string>() + " " + metric["id"].get<std::string>() + " " +
                              results[place].algorithm->id,
                          name_of(results[place]));
                expect_result(data, algorithm, results[place], best[place]);
                ++place;
            }
        }
    EXPECT_EQ(place, results.size());
}

}  // namespace
}  // namespace bellwether::agreement
