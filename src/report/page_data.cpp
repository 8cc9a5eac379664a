#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "analysis/tuning.hpp"
#include "bellwether/info.hpp"
#include "plan/study_figures.hpp"
#include "report/figure_findings.hpp"
#include "report/page.hpp"
#include "report/style.hpp"

namespace bellwether {

namespace {

using Json = PageJson;

// Four digits, for shares.
Json share(double value) {
    return page_number(value, 4);
}

class PageWriter {
public:
    explicit PageWriter(const PageContent& content) : content_(content), study_(*content.findings.study) {
        for (const Setting& setting : study_.settings)
            for (const AlgorithmGrid& grid : setting.algorithms) add_algorithm(*grid.info);
    }

    Json write() const {
        return {{"format", 1},
                {"program", content_.program},
                {"study", {{"name", study_.name}, {"description", study_.description}, {"text", study_.text}}},
                {"facts", facts()},
                {"algorithms", algorithms()},
                {"parameters", parameters()},
                {"settings", settings()},
                {"figures", figures()},
                {"published", published()},
                {"commonConfigurations", common()},
                {"claims", claims()},
                {"readings", readings()},
                {"advice", advice()},
                {"runtimes", runtimes()},
                {"realTime", real_time()}};
    }

private:
    void add_algorithm(const AlgorithmInfo& info) {
        if (places_.emplace(info.id, algorithms_.size()).second) algorithms_.push_back(&info);
    }
    std::size_t place(std::string_view algorithm) const { return places_.find(algorithm)->second; }

    Json facts() const {
        Json list = Json::array();
        for (const auto& [name, value] : content_.facts) list.push_back({name, value});
        return list;
    }

    Json algorithms() const {
        Json list = Json::array();
        for (const AlgorithmInfo* info : algorithms_) list.push_back(page_algorithm(*info));
        return list;
    }

    Json parameters() const {
        Json list = Json::array();
        for (const std::string_view name : study_.parameter_names()) list.push_back(page_parameter(name, algorithms_));
        return list;
    }

    Json settings() const {
        Json list = Json::array();
        std::string_view last;
        for (const MetricFindings& metric : content_.findings.metrics) {
            if (metric.setting->id != last)
                list.push_back({{"id", metric.setting->id},
                                {"title", metric.setting->title},
                                {"steps", metric.setting->time_of(metric.setting->measurements())},
                                {"every", metric.setting->every},
                                {"firstMeasured", metric.setting->time_of(1)},
                                {"unit", metric.setting->time_unit()},
                                {"scoredSteps", metric.setting->metrics.front().scored},
                                {"metrics", Json::array()}});
            last = metric.setting->id;
            list.back()["metrics"].push_back(metric_result(metric));
        }
        return list;
    }

    Json metric_result(const MetricFindings& metric) const {
        Json results = Json::array();
        for (const AlgorithmFindings& algorithm : metric.algorithms)
            results.push_back(algorithm_result(metric, algorithm));
        const MetricInfo& info = metric_info(metric.setting->metrics[metric.metric].metric);
        return {{"id", metric.metric_id()},
                {"help", info.help},
                {"instances", metric.instances},
                {"runs", metric.runs},
                {"freshRuns", metric.fresh_runs},
                {"initialError", page_number(metric.initial_error)},
                {"thresholds", page_numbers(metric.thresholds)},
                {"algorithms", std::move(results)}};
    }

    Json algorithm_result(const MetricFindings& metric, const AlgorithmFindings& algorithm) const {
        Json scores = Json::array(), errors = Json::array(), diverged = Json::array();
        for (const ConfigurationScore& configuration : algorithm.configurations) {
            scores.push_back(page_number(configuration.score));
            errors.push_back(page_number(configuration.standard_error));
            diverged.push_back(configuration.diverged);
        }
        const ScoreDistribution& shares = algorithm.distribution;
        return {{"algorithm", place(algorithm.id())},
                {"grid", grid(*algorithm.grid)},
                {"places", algorithm.grid->is_union() ? Json(algorithm.grid->places) : Json(nullptr)},
                {"scores", std::move(scores)},
                {"standardErrors", std::move(errors)},
                {"diverged", std::move(diverged)},
                {"best", algorithm.best},
                {"edges", edges(*algorithm.grid, algorithm.best)},
                {"bestProbability", algorithm.probabilities_best.empty()
                                        ? Json(nullptr)
                                        : page_number(algorithm.probabilities_best[algorithm.best])},
                {"selection", estimate(algorithm.selection)},
                {"fresh", algorithm.fresh ? estimate(algorithm.fresh->estimate) : Json(nullptr)},
                {"selectionCurve", curve(algorithm.recorded_selection)},
                {"freshCurve", curve(algorithm.fresh)},
                {"shares",
                 {{"diverged", page_number(shares.diverged)},
                  {"worseThanStart", page_number(shares.worse_than_start)},
                  {"within10", page_number(shares.within_10)},
                  {"within50", page_number(shares.within_50)}}},
                {"quantiles", page_numbers(shares.quantiles)},
                {"areas", areas(metric, algorithm)},
                {"robust", algorithm.robust ? robust(*algorithm.robust, metric) : Json(nullptr)},
                {"tuning", tuning(tuning_curve(algorithm, metric.initial_error))}};
    }

    // Those that the study asks for beside overviews; the page has all scores, and lacks curves of stated
    // configurations.
    Json figures() const {
        Json list = Json::array();
        for (const Figure& figure : study_.figures) {
            if (figure.kind == FigureKind::overview) continue;
            Json rows = Json::array();
            for (const FigureRow& row : figure.rows) {
                const Setting& setting = study_.settings[row.setting];
                const std::string_view metric = id_of(setting.metrics[row.metric].metric);
                if (const MetricFindings* found = content_.findings.find(setting.id, metric))
                    rows.push_back(figure_row(figure, row, *found));
            }
            for (std::size_t r = 0; r < rows.size(); ++r) {
                const LineStyle style = style_on_ramp(r, rows.size());
                rows[r]["light"] = style.light;
                rows[r]["dark"] = style.dark;
            }
            if (rows.empty()) continue;
            const std::vector<std::string_view> names = study_.parameter_names();
            const auto place_of = [&](std::string_view name) {
                return std::find(names.begin(), names.end(), name) - names.begin();
            };
            Json lines = Json::array();
            if (!compares(figure))
                for (const std::string& name : figure.lines) lines.push_back(place_of(name));
            const std::vector<double> of_lines = values_of_lines(content_.findings, figure);
            Json values = Json::array();
            for (std::size_t k = 0; k < of_lines.size(); ++k) {
                const LineStyle style = style_on_ramp(k, of_lines.size());
                values.push_back({{"value", of_lines[k]}, {"light", style.light}, {"dark", style.dark}});
            }
            list.push_back({{"id", figure.id},
                            {"title", figure.title},
                            {"kind", figure_kind_names[static_cast<std::size_t>(figure.kind)]},
                            {"x", figure.x.empty() ? Json(nullptr) : Json(place_of(figure.x))},
                            {"lines", std::move(lines)},
                            {"lineValues", std::move(values)},
                            {"compared", compares(figure) ? Json(figure.lines.front()) : Json(nullptr)},
                            {"rows", std::move(rows)}});
        }
        return list;
    }

    Json figure_row(const Figure& figure, const FigureRow& row, const MetricFindings& found) const {
        Json order = Json::array(), curves = Json::array(), bars = Json::array();
        for (const std::size_t a : row.algorithms) order.push_back(place(found.algorithms[a].id()));
        for (const StatedConfiguration& one : row.of)
            if (const LearningCurve* stated = content_.findings.stated_curve(row.setting, row.metric, one))
                curves.push_back({{"algorithm", place(found.algorithms[one.algorithm].id())},
                                  {"configuration", one.configuration},
                                  {"curve", curve(*stated)}});
        if (figure.kind == FigureKind::bars) {
            const std::size_t reference = *found.find(figure.relative_to);
            const double base = found.algorithms[reference].estimate().score;
            for (const std::size_t a : row.algorithms) {
                Json interval = nullptr;
                if (found.spread) {
                    const Interval ratio = found.spread->ratio(a, reference);
                    interval = {page_number(ratio.low), page_number(ratio.high)};
                }
                bars.push_back({{"algorithm", place(found.algorithms[a].id())},
                                {"ratio", page_number(ratio_of(found.algorithms[a].estimate().score, base))},
                                {"interval", std::move(interval)}});
            }
        }
        return {{"setting", found.setting->id},
                {"metric", found.metric_id()},
                {"algorithms", std::move(order)},
                {"curves", std::move(curves)},
                {"bars", std::move(bars)},
                {"relativeTo", figure.kind == FigureKind::bars ? Json(place(figure.relative_to)) : Json(nullptr)}};
    }

    Json published() const {
        Json list = Json::array();
        for (const ComparedNumber& one : content_.published) list.push_back(page_comparison(one));
        return list;
    }

    // By parameter: where the configuration lies on the edge of the grid.
    static Json edges(const AlgorithmGrid& of, std::size_t configuration) {
        Json list = Json::array();
        for (std::size_t p = 0; p < of.values.size(); ++p) list.push_back(name_of(grid_edge(of, configuration, p)));
        return list;
    }

    // By parameter: the mean error over its range in both views; null where it has one value.
    static Json areas(const MetricFindings& metric, const AlgorithmFindings& algorithm) {
        Json list = Json::array();
        for (std::size_t p = 0; p < algorithm.grid->values.size(); ++p) {
            const bool varies = algorithm.grid->values[p].size() > 1;
            // Not null that becomes an object: nlohmann's destructor does not survive that where memory runs out.
            Json& area = list.emplace_back(varies ? Json::object() : Json(nullptr));
            if (!varies) continue;
            const std::string_view parameter = algorithm.grid->info->parameters[p].name;
            for (const SensitivityView view : sensitivity_views)
                area[std::string(name_of(view))] = page_number(sensitivity_area(
                    algorithm.sensitivity(parameter, view), spacing_of(parameter), metric.initial_error));
        }
        return list;
    }

    static Json spread(const Spread& of) {
        return {page_number(of.value), page_number(of.interval.low), page_number(of.interval.high)};
    }

    static Json robust(const RobustStatistics& of, const MetricFindings& metric) {
        Json shares = Json::array(), low = Json::array(), high = Json::array();
        for (const Spread& at : of.profile) {
            shares.push_back(share(at.value));
            low.push_back(share(at.interval.low));
            high.push_back(share(at.interval.high));
        }
        return {{"stage", metric.is_fresh() ? "fresh" : "selection"},
                {"runs", of.runs},
                {"diverged", of.diverged},
                {"failed", of.failed},
                {"failureInterval", {share(of.failure_interval.low), share(of.failure_interval.high)}},
                {"iqm", spread(of.interquartile_mean)},
                {"median", spread(of.median)},
                {"profile", {{"share", std::move(shares)}, {"low", std::move(low)}, {"high", std::move(high)}}}};
    }

    static Json tuning(const TuningCurve& curve) {
        return {{"tried", curve.tried}, {"score", page_numbers(curve.score)}};
    }

    Json common() const {
        Json list = Json::array();
        for (const CommonConfiguration& one : common_configurations(content_.findings)) {
            const AlgorithmGrid& of = *one.findings.front()->grid;
            Json ids = Json::array();
            for (const MetricFindings* metric : one.settings) ids.push_back(metric->setting->id);
            list.push_back({{"metric", one.settings.front()->metric_id()},
                            {"algorithm", place(of.info->id)},
                            {"settings", std::move(ids)},
                            {"configuration", one.configuration},
                            {"edges", edges(of, one.configuration)},
                            {"ratios", page_numbers(one.ratios)},
                            {"common", page_number(one.common)},
                            {"tuned", page_number(one.tuned)}});
        }
        return list;
    }

    Json grid(const AlgorithmGrid& of_algorithm) const {
        const std::vector<std::string_view> names = study_.parameter_names();
        Json list = Json::array();
        for (std::size_t p = 0; p < of_algorithm.values.size(); ++p) {
            const auto found = std::find(names.begin(), names.end(), of_algorithm.info->parameters[p].name);
            list.push_back({{"parameter", found - names.begin()}, {"values", of_algorithm.values[p]}});
        }
        return list;
    }

    static Json estimate(const Estimate& of) {
        Json interval = nullptr;
        if (of.interval) interval = {page_number(of.interval->low), page_number(of.interval->high)};
        return {{"runs", of.runs},
                {"diverged", of.diverged},
                {"score", page_number(of.score)},
                {"standardError", page_number(of.standard_error)},
                {"interval", std::move(interval)},
                {"deviation", page_number(of.deviation)},
                {"firstProbability", page_number(of.first)}};
    }

    static Json curve(const LearningCurve& of) {
        return {{"mean", page_numbers(of.mean)}, {"standardError", page_numbers(of.standard_error)}};
    }
    static Json curve(const std::optional<StageFindings>& stage) { return stage ? curve(stage->curve) : nullptr; }

    // What has no number at all, as opposed to an infinite one, has no interval and no target.
    static Json evidence(const std::vector<Evidence>& all) {
        Json list = Json::array();
        for (const Evidence& one : all) {
            const bool has_numbers = !std::isnan(one.estimate);
            const auto ends = [](const Interval& interval) {
                return Json::array({page_number(interval.low), page_number(interval.high)});
            };
            list.push_back({{"place", one.place},
                            {"label", one.label},
                            {"words", one.words},
                            {"unit", has_numbers ? Json(name_of(one.unit)) : Json(nullptr)},
                            {"estimate", page_number(one.estimate)},
                            {"interval", one.interval ? ends(*one.interval) : Json(nullptr)},
                            {"target", has_numbers ? ends(one.target) : Json(nullptr)},
                            {"verdict", name_of(one.verdict)}});
        }
        return list;
    }

    static Json thresholds(const std::vector<ThresholdRange>& ranges) {
        Json list = Json::array();
        for (const ThresholdRange& range : ranges) {
            Json pieces = Json::array();
            for (const ThresholdRange::Piece& piece : range.pieces)
                pieces.push_back({{"from", page_number(piece.from)},
                                  {"to", page_number(piece.to)},
                                  {"verdict", name_of(piece.verdict)}});
            list.push_back({{"check", range.check},
                            {"key", range.key},
                            {"value", page_number(range.value)},
                            {"pieces", std::move(pieces)}});
        }
        return list;
    }

    Json claims() const {
        Json list = Json::array();
        for (const Claim& claim : content_.claims) {
            Json parts = Json::array();
            for (const ClaimPart& part : claim.parts)
                parts.push_back({{"id", part.id},
                                 {"statement", part.statement},
                                 {"rule", part.rule},
                                 {"verdict", name_of(part.verdict)},
                                 {"evidence", evidence(part.evidence)},
                                 {"thresholds", thresholds(part.thresholds)}});
            list.push_back({{"id", claim.id},
                            {"statement", claim.statement},
                            {"verdict", name_of(claim.verdict)},
                            {"parts", std::move(parts)}});
        }
        return list;
    }

    // Null where there are none. A claim that a reading does not touch has the numbers of the study.
    Json readings() const {
        const JudgedReadings& judged = content_.readings;
        if (judged.columns.empty()) return nullptr;
        Json columns = Json::array(), rows = Json::array();
        for (const JudgedReading& reading : judged.columns)
            columns.push_back({{"id", reading.id},
                               {"statement", reading.statement},
                               {"settings", reading.settings},
                               {"size", reading.size}});
        const std::vector<ClaimPart>& parts = judged.columns.front().parts;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            Json cells = Json::array();
            for (std::size_t r = 0; r < judged.columns.size(); ++r) {
                const ClaimPart& part = judged.columns[r].parts[k];
                const bool untouched = r > 0 && judged.is_untouched(r, k);
                cells.push_back({{"verdict", name_of(part.verdict)},
                                 {"untouched", untouched},
                                 {"numbers", untouched ? Json::array() : Json(numbers_of(part.evidence))}});
            }
            rows.push_back({{"id", parts[k].id}, {"statement", parts[k].statement}, {"cells", std::move(cells)}});
        }
        return {{"columns", std::move(columns)}, {"rows", std::move(rows)}, {"leftOut", judged.left_out}};
    }

    Json advice() const {
        Json list = Json::array();
        for (const Advice& one : content_.advice)
            list.push_back({{"situation", one.situation},
                            {"paper", one.paper},
                            {"verdict", name_of(one.verdict)},
                            {"numbers", numbers_of(one.evidence)}});
        return list;
    }

    // Of the algorithms of the study.
    Json runtimes() const {
        if (!content_.runtimes) return nullptr;
        Json rows = Json::array();
        for (const AlgorithmInfo* info : algorithms_) {
            Json times = Json::array();
            for (const TimedFeatures features : both_timed_features)
                for (const Policy policy : both_policies)
                    if (const Runtime* row = content_.runtimes->find(policy, info->id, features))
                        times.push_back({{"policy", id_of(policy)},
                                         {"features", id_of(features)},
                                         {"microseconds", page_number(row->microseconds)},
                                         {"low", page_number(row->low)},
                                         {"high", page_number(row->high)},
                                         {"paper", page_number(row->paper_microseconds)},
                                         {"sweepNanoseconds", page_number(row->sweep_nanoseconds)}});
            if (!times.empty()) rows.push_back({{"algorithm", place(info->id)}, {"policies", std::move(times)}});
        }
        return {{"machine", content_.runtimes->machine},
                {"steps", content_.runtimes->steps},
                {"reference", content_.runtimes->reference},
                {"rows", std::move(rows)}};
    }

    Json real_time() const {
        Json list = Json::array();
        for (const RealTimePanels& panels : content_.real_time) {
            if (!panels.is_shown && panels.time != TimeReading::quantised) continue;  // the table has them
            const std::vector<std::size_t> iterations = shown_iterations(panels.iterations);
            Json algorithms = Json::array(), of_durations = Json::array();
            for (const RealTimePanels::Competitor& one : panels.competitors)
                algorithms.push_back(
                    {{"algorithm", place(one.algorithm->id())}, {"cost", page_number(one.update.mean())}});
            for (std::size_t d = 0; d < panels.durations.size(); ++d) {
                Json errors = Json::array(), samples = Json::array();
                for (const RealTimePanels::Course& course : panels.courses[d]) {
                    Json shown = Json::array();
                    for (const std::size_t t : iterations)
                        shown.push_back(page_number(course.errors[t], digits_of_panel));
                    errors.push_back(std::move(shown));
                    samples.push_back(page_number(course.samples));
                }
                of_durations.push_back({{"duration", page_number(panels.durations[d])},
                                        {"samples", std::move(samples)},
                                        {"errors", std::move(errors)}});
            }
            list.push_back({{"costs", panels.costs},
                            {"time", id_of(panels.time)},
                            {"slowest", page_number(panels.slowest)},
                            {"policy", id_of(panels.policy)},
                            {"setting", panels.findings->setting->id},
                            {"metric", panels.findings->metric_id()},
                            {"unit", panels.unit},
                            {"algorithms", std::move(algorithms)},
                            {"iterations", iterations},
                            {"panels", std::move(of_durations)}});
        }
        return list;
    }

    // Fifty of them are enough for a small panel, and so are four digits.
    static constexpr int digits_of_panel = 4;
    static std::vector<std::size_t> shown_iterations(std::size_t last) {
        const std::size_t step = std::max<std::size_t>(1, last / 50);
        std::vector<std::size_t> shown;
        for (std::size_t t = 0; t < last; t += step) shown.push_back(t);
        shown.push_back(last);
        return shown;
    }

    const PageContent& content_;
    const Study& study_;
    std::vector<const AlgorithmInfo*> algorithms_;
    std::map<std::string_view, std::size_t> places_;
};

}  // namespace

std::string make_page(const PageContent& content) {
    return fill_page(content.findings.study->name, PageWriter(content).write());
}

}  // namespace bellwether
