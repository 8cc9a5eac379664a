#include "logs/evaluation_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "logs/evaluation_text.hpp"
#include "logs/shown_estimates.hpp"

namespace bellwether {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const NumberRange& range) {
    return {range.least, range.middle, range.most};
}

Json json_of(const RatioSummary& ratios) {
    return {{"mean", ratios.mean},
            {"max", ratios.largest},
            {"q50", ratios.median},
            {"q90", ratios.q90},
            {"q99", ratios.q99}};
}

Json json_of(const PolicyEstimate& estimate) {
    return {{"estimate", estimate.value},
            {"se", estimate.se},
            {"lower", estimate.lower},
            {"upper", estimate.upper},
            {"effective", estimate.effective}};
}

Json json_of(const BehaviourReport& report) {
    Json json{{"model", report.model},
              {"ridge", report.ridge},
              {"log-loss", report.log_loss},
              {"held-out-log-loss", report.held_out_log_loss},
              {"marginal-log-loss", report.marginal_log_loss},
              {"uniform-log-loss", report.uniform_log_loss},
              {"calibration-error", report.calibration_error},
              {"smallest-taken", report.smallest_taken},
              {"memory", report.memory ? Json(*report.memory) : Json()},
              {"reliability", Json::array()}};
    for (const ReliabilityBin& bin : report.reliability)
        json["reliability"].push_back({{"predicted", bin.predicted}, {"taken", bin.taken}, {"count", bin.count}});
    return json;
}

// Where memory runs out while null becomes an object or a list, nlohmann's destructor ends the program: what is added
// to is one from the start.
void set_unless_empty(Json& json, const char* key, Json value) {
    if (!value.empty()) json[key] = std::move(value);
}

}  // namespace

std::string evaluation_json(const PolicyEvaluation& e) {
    Json json{{"log", e.name},
              {"verdict", name_of(e.verdict)},
              {"sentence", verdict_sentence(e)},
              {"answer", e.answer},
              {"value", answers(e.verdict) ? json_of(e.answer_estimate()) : Json()},
              {"level", e.level},
              {"lambda", e.lambda},
              {"segments", e.segments},
              {"steps", e.steps},
              {"ended", e.ended},
              {"lengths", json_of(e.lengths)},
              {"rewards", json_of(e.rewards)},
              {"gammas", json_of(e.discounts)},
              {"missing-steps", e.missing_steps},
              {"repeated-rows", e.repeated_rows},
              {"dimension", e.dimension},
              {"actions", e.actions},
              {"target", e.ratio_source.target},
              {"behaviour", e.ratio_source.behaviour},
              {"rho", json_of(e.ratios)},
              {"products", json_of(e.final_products)},
              {"zero-ratios", e.zero_ratios},
              {"ratio-deficit", {e.deficit.value, e.deficit.se}},
              {"unsupported", e.unsupported}};
    if (e.pieces > 0) json["pieces"] = e.pieces;
    Json ess = Json::object(), estimates = Json::object(), methods = Json::array(), tests = Json::object();
    for (const std::size_t step : steps_shown(e.effective_sample.size()))
        ess[std::to_string(step)] = e.effective_sample[step - 1];
    set_unless_empty(json, "ess", std::move(ess));
    json["horizon"] = e.horizon;
    json["check_horizon"] = e.check_horizon;
    json["rest"] = e.rest;
    json["rank"] = e.has_least_squares() ? Json(e.rank.rank) : Json();
    json["condition"] = e.has_least_squares() ? Json(e.rank.condition) : Json();
    json["empty-features"] = e.empty_features;
    json["starts-outside"] = e.starts_outside;
    json["at-outside"] = e.at_outside;
    json["balance"] = e.balance;
    for (const PolicyEstimate& estimate : e.estimates) estimates[std::string(estimate.name)] = json_of(estimate);
    set_unless_empty(json, "estimates", std::move(estimates));
    for (const ShownEstimate& one : shown_estimates(e))
        methods.push_back(
            {{"estimate", one.estimate->name}, {"name", one.name}, {"group", one.group}, {"answer", one.is_answer}});
    set_unless_empty(json, "methods", std::move(methods));
    json["spread"] = e.spread;
    json["flags"] = Json::array();
    for (const Agreement& test : e.tests) {
        tests[std::string(test.name)] = {test.z, test.difference};
        if (test.flagged) json["flags"].push_back(test.name);
    }
    set_unless_empty(json, "tests", std::move(tests));
    Json drift = Json::object();
    for (const NamedDrift& named : e.drifts)
        drift[std::string(named.of)] = {{"statistic", named.drift.statistic},
                                        {"segment", named.drift.segment},
                                        {"flagged", named.drift.statistic > drift_limit}};
    set_unless_empty(json, "drift", std::move(drift));
    if (e.ratio_source.fitted) json["fitted"] = json_of(e.ratio_source.fitted->report);
    json["weights"] = e.weights;
    json["weights_se"] = e.weights_se;
    json["notes"] = notes_of(e);
    return json.dump(1) + "\n";
}

}  // namespace bellwether
