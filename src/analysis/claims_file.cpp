#include "analysis/claims_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "bellwether/learner.hpp"
#include "bellwether/suggest.hpp"
#include "support/document.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;
using Views = std::vector<std::string_view>;

constexpr std::array<std::string_view, 3> file_keys{"groups", "claims", "recommendations"};
constexpr std::array<std::string_view, 8> claim_keys{"id",     "statement", "rule",   "settings",
                                                     "metric", "policies",  "checks", "parts"};
constexpr std::array<std::string_view, 7> part_keys{"id",     "statement", "rule",  "settings",
                                                    "metric", "policies",  "checks"};
constexpr std::array<std::string_view, 3> keys_of_ranges{"value", "from", "to"};
constexpr std::array<std::string_view, 7> recommendation_keys{"situation", "advice", "settings", "metric",
                                                              "policies",  "checks", "atlas"};
constexpr std::array<std::string_view, 6> atlas_keys{"rule", "algorithms", "others", "policy", "without", "below"};
constexpr std::array<std::string_view, 2> both_policies{"on", "off"};

Views known_metrics() {
    Views names;
    for (const MetricInfo& metric : metric_table()) names.push_back(metric.id);
    return names;
}

Views known_parameters() {
    return grid_parameter_names();
}

Views known_algorithms() {
    Views names;
    for (const AlgorithmInfo& info : algorithm_table) names.push_back(info.id);
    return names;
}

class ClaimsReader {
public:
    ClaimsReader(const std::string& name, const std::string& text, const Study* study, Paper& paper)
        : file_(name, text, "the claims file"), study_(study), paper_(paper) {}

    void read() {
        const DocumentNode& root = file_.root();
        file_.check_keys(root, file_keys);
        if (const auto* groups = root.find("groups")) read_groups(*groups);
        if (const auto* claims = root.find("claims"))
            for (const DocumentNode& node : file_.list(*claims)) paper_.claims.push_back(read_claim(node));
        if (const auto* recommendations = root.find("recommendations"))
            for (const DocumentNode& node : file_.list(*recommendations))
                paper_.recommendations.push_back(read_recommendation(node));
    }

private:
    void read_groups(const DocumentNode& groups) {
        if (groups.kind != Kind::table) file_.fail(groups, "is not a table of groups");
        for (const DocumentNode& group : groups.children) {
            if (file_.list(group).empty()) file_.fail(group, "is empty: there must be at least one name");
            groups_.emplace(group.key, &group);
        }
        for (const auto& [name, group] : groups_)
            for (const DocumentNode& member : group->children)
                if (groups_.contains(file_.text(member)))
                    file_.fail(member, fmt::format("is '{}', a group: groups name settings or algorithms, not groups",
                                                   file_.text(member)));
    }

    PaperClaim read_claim(const DocumentNode& node) {
        file_.check_keys(node, claim_keys);
        PaperClaim claim{
            .id = read_claim_id(node), .statement = read_text(file_.require(node, "statement")), .parts = {}};
        const auto* parts = node.find("parts");
        if (!parts) {
            claim.parts.push_back(
                {claim.id, claim.statement, read_text(file_.require(node, "rule")), read_checks(node, node)});
            return claim;
        }
        for (const char* key : {"rule", "checks"})
            if (const auto* found = node.find(key)) file_.fail(*found, "is there beside 'parts', which have their own");
        for (const DocumentNode& part : file_.list(*parts)) {
            file_.check_keys(part, part_keys);
            claim.parts.push_back({read_claim_id(part), read_text(file_.require(part, "statement")),
                                   read_text(file_.require(part, "rule")), read_checks(part, node)});
        }
        if (claim.parts.empty()) file_.fail(*parts, "is empty: there must be at least one part");
        return claim;
    }

    std::string read_claim_id(const DocumentNode& of) {
        const DocumentNode& node = file_.require(of, "id");
        std::string id = read_text(node);
        if (!ids_.insert(id).second) file_.fail(node, fmt::format("is '{}', as that of another claim", id));
        return id;
    }

    PaperRecommendation read_recommendation(const DocumentNode& node) const {
        file_.check_keys(node, recommendation_keys);
        PaperRecommendation recommendation{.situation = read_text(file_.require(node, "situation")),
                                           .advice = read_text(file_.require(node, "advice")),
                                           .checks = read_checks(node, node)};
        if (const auto* rules = node.find("atlas"))
            for (const DocumentNode& rule : file_.list(*rules)) recommendation.atlas.push_back(read_atlas_rule(rule));
        return recommendation;
    }

    // Its algorithms need not be the study's: the atlas has those of other studies.
    AtlasRule read_atlas_rule(const DocumentNode& node) const {
        file_.check_keys(node, atlas_keys);
        AtlasRule rule{.kind = static_cast<AtlasRuleKind>(
                           file_.choose(file_.require(node, "rule"), "rule of the atlas", atlas_rule_names)),
                       .algorithms = read_algorithm_ids(file_.require(node, "algorithms"))};
        if (const auto* others = node.find("others")) rule.others = read_algorithm_ids(*others);
        if (const auto* policy = node.find("policy"))
            rule.on_policy = file_.choose(*policy, "policy", both_policies) == 0;
        if (const auto* without = node.find("without")) {
            Views ids;
            for (const DomainInfo* domain : domains()) ids.push_back(domain->id);
            for (const DocumentNode& one : file_.list(*without))
                rule.without.emplace_back(ids[file_.choose(one, "domain", ids)]);
        }
        if (rule.kind == AtlasRuleKind::never_fails) rule.below = file_.number_in_unit(file_.require(node, "below"));
        return rule;
    }

    std::vector<std::string> read_algorithm_ids(const DocumentNode& node) const {
        const Views known = known_algorithms();
        std::vector<std::string> ids;
        const auto add = [&](const DocumentNode& one) {
            ids.emplace_back(known[file_.choose(one, "algorithm", known)]);
        };
        if (node.kind != Kind::list)
            add(node);
        else
            for (const DocumentNode& one : file_.list(node)) add(one);
        if (ids.empty()) file_.fail(node, "is empty: there must be at least one algorithm");
        return ids;
    }

    std::string read_text(const DocumentNode& node) const {
        const std::string& text = file_.text(node);
        if (text.empty()) file_.fail(node, "is empty");
        return text;
    }

    // ---- Checks.

    // Of a claim, or of a part of it.
    std::vector<Check> read_checks(const DocumentNode& of, const DocumentNode& claim) const {
        const DocumentNode& node = file_.require(of, "checks");
        std::vector<Check> checks;
        for (const DocumentNode& entry : file_.list(node)) checks.push_back(read_check(entry, of, claim));
        if (checks.empty()) file_.fail(node, "is empty: there must be at least one check");
        return checks;
    }

    Check read_check(const DocumentNode& node, const DocumentNode& of, const DocumentNode& claim) const {
        const CheckKind& kind = read_kind(node);
        Views known{"check"};
        for (const CheckKey& key : kind.keys) known.push_back(key.name);
        file_.check_keys(node, known);
        Check check(kind);
        for (const CheckKey& key : kind.keys) {
            // What is the same for all checks of a part or a claim may stand there.
            const DocumentNode* value = node.find(key.name);
            for (const DocumentNode* above : {&of, &claim})
                if (!value && is_place(key)) value = above->find(key.name);
            if (value)
                read_value(*value, key, check);
            else if (key.is_required)
                file_.fail(node, fmt::format("has no '{}', which {} needs", key.name, kind.id));
        }
        check_needs(node, check);
        return check;
    }

    const CheckKind& read_kind(const DocumentNode& node) const {
        if (node.kind != Kind::table) file_.fail(node, "is not a table with a 'check'");
        Views ids;
        for (const CheckKind& kind : check_table()) ids.push_back(kind.id);
        return check_table()[file_.choose(file_.require(node, "check"), "kind of check", ids)];
    }

    static bool is_place(const CheckKey& key) {
        return key.name == "settings" || key.name == "metric" || key.name == "policies";
    }

    // What the check looks at must be among the published numbers.
    void check_needs(const DocumentNode& node, const Check& check) const {
        const Published& published = paper_.published;
        const auto fail = [&](const std::string& table) {
            file_.fail(node, fmt::format("is {}, which needs '{}' in {}", check.kind().id, table, published_of_folder));
        };
        if (check.kind().needs == CheckKind::Needs::runtimes && !published.runtimes) fail("runtimes");
        if (check.kind().needs != CheckKind::Needs::real_time) return;
        if (!published.real_time) fail("real-time");
        if (!published.real_time->of(check.policy())) fail("real-time." + check.name("policy"));
    }

    void read_value(const DocumentNode& node, const CheckKey& key, Check& check) const {
        if (is_threshold(key) && node.kind == Kind::table) return read_range(node, key, check);
        switch (key.value) {
            case CheckValue::settings:
                return check.set(key.name, read_names(node, [&](const DocumentNode& n) { return read_setting(n); }));
            case CheckValue::metric:
                return check.set(key.name, {read_metric(node, check)});
            case CheckValue::algorithms:
                return check.set(key.name, read_algorithms(node, check, all_algorithms));
            case CheckValue::others:
                return check.set(key.name,
                                 read_algorithms(node, check, rest_of_algorithms,
                                                 check.has("other-settings") ? "other-settings" : "settings"));
            case CheckValue::named:
                return check.set(key.name, read_algorithms(node, check, ""));
            case CheckValue::parameter:
                return check.set(key.name, {read_one_of(node, "parameter", known_parameters())});
            case CheckValue::parameters:
                return check.set(key.name, read_names(node, [&](const DocumentNode& n) {
                                     return read_one_of(n, "parameter", known_parameters());
                                 }));
            case CheckValue::policies:
                return check.set(key.name, read_names(node, [&](const DocumentNode& n) {
                                     return read_one_of(n, "policy", both_policies);
                                 }));
            case CheckValue::policy:
                return check.set(key.name, {read_one_of(node, "policy", both_policies)});
            case CheckValue::features:
                return check.set(key.name, read_names(node, [&](const DocumentNode& n) {
                                     return read_one_of(n, "kind of features", timed_features_ids);
                                 }));
            case CheckValue::times:
                return check.set(key.name, read_names(node, [&](const DocumentNode& n) {
                                     return read_one_of(n, "reading of time", time_reading_ids);
                                 }));
            case CheckValue::parts:
                return check.set(key.name, read_parts(node));
            case CheckValue::relation:
                return check.set(key.name, {read_one_of(node, "relation", bound_relations)});
            case CheckValue::mean:
                return check.set(key.name, {read_one_of(node, "mean", summary_means)});
            case CheckValue::part:
            case CheckValue::share:
            case CheckValue::number:
                return check.set(key.name, read_threshold(node, key));
        }
    }

    double read_threshold(const DocumentNode& node, const CheckKey& key) const {
        if (key.value == CheckValue::part) return read_part(node);
        return key.value == CheckValue::share ? file_.number_in_unit(node) : file_.number(node);
    }

    // A threshold, and the range over which the report looks at it.
    void read_range(const DocumentNode& node, const CheckKey& key, Check& check) const {
        file_.check_keys(node, keys_of_ranges);
        const double value = read_threshold(file_.require(node, "value"), key);
        const Check::Range range{read_threshold(file_.require(node, "from"), key),
                                 read_threshold(file_.require(node, "to"), key)};
        if (range.from >= range.to)
            file_.fail(*node.find("to"), fmt::format("is {}: it must be above 'from', {}", number_text(range.to),
                                                     number_text(range.from)));
        if (value < range.from || value > range.to)
            file_.fail(*node.find("value"), fmt::format("is {}: it must be from {} to {}", number_text(value),
                                                        number_text(range.from), number_text(range.to)));
        check.set(key.name, value);
        check.set_range(key.name, range);
    }

    double read_part(const DocumentNode& node) const {
        const double value = file_.number(node);
        if (value <= 0) file_.fail(node, fmt::format("is {}: it must be above 0", number_text(value)));
        return value;
    }

    std::vector<double> read_parts(const DocumentNode& node) const {
        if (node.kind != Kind::list) return {read_part(node)};
        std::vector<double> parts;
        for (const DocumentNode& entry : file_.list(node)) parts.push_back(read_part(entry));
        if (parts.empty()) file_.fail(node, "is empty: there must be at least one number");
        return parts;
    }

    std::string read_one_of(const DocumentNode& node, std::string_view what,
                            std::span<const std::string_view> names) const {
        return std::string(names[file_.choose(node, what, names)]);
    }

    // One name or a list of them, where the name of a group stands for its names.
    template <class Read>
    Check::Names read_names(const DocumentNode& node, Read read_name) const {
        Check::Names names;
        const auto add = [&](const DocumentNode& entry) {
            const auto group = groups_.find(file_.text(entry));
            if (group == groups_.end()) return names.push_back(read_name(entry));
            for (const DocumentNode& member : group->second->children) names.push_back(read_name(member));
        };
        if (node.kind == Kind::text)
            add(node);
        else
            for (const DocumentNode& entry : file_.list(node)) add(entry);
        if (names.empty()) file_.fail(node, "is empty: there must be at least one name");
        return names;
    }

    std::string read_setting(const DocumentNode& node) const {
        if (!study_) return file_.text(node);
        Views ids;
        for (const Setting& setting : study_->settings) ids.push_back(setting.id);
        return read_one_of(node, "setting or group", with_groups(std::move(ids)));
    }

    // The settings come before it among the keys of every kind.
    std::string read_metric(const DocumentNode& node, const Check& check) const {
        // "rmsve@0.01" is one of its several scores.
        const std::string& metric = file_.text(node);
        if (metric.find('@') == std::string::npos) read_one_of(node, "metric", known_metrics());
        for_each_setting(check, "settings", [&](const Setting& setting) {
            std::vector<std::string> ids;
            for (const ScoredMetric& scored : setting.metrics) {
                ids.emplace_back(id_of(scored.metric));
                ids.push_back(scored.id());
            }
            file_.choose(node, fmt::format("metric of {}", setting.id), Views(ids.begin(), ids.end()));
        });
        return metric;
    }

    // Of the settings that the check names under `where`.
    Check::Names read_algorithms(const DocumentNode& node, const Check& check, std::string_view everybody,
                                 std::string_view where = "settings") const {
        if (node.kind == Kind::text && file_.text(node) == everybody && check.has("settings"))
            return {std::string(everybody)};
        return read_names(node, [&](const DocumentNode& n) { return read_algorithm(n, check, where); });
    }

    std::string read_algorithm(const DocumentNode& node, const Check& check, std::string_view where) const {
        const AlgorithmInfo* info = find_algorithm(file_.text(node));
        if (!info) file_.choose(node, "algorithm or group", with_groups(known_algorithms()));
        for_each_setting(check, where, [&](const Setting& setting) {
            Views ids;
            for (const AlgorithmGrid& grid : setting.algorithms) ids.push_back(grid.info->id);
            if (std::find(ids.begin(), ids.end(), info->id) == ids.end())
                file_.choose(node, fmt::format("algorithm of {}", setting.id), ids);
        });
        return std::string(info->id);
    }

    Views with_groups(Views names) const {
        for (const auto& [name, node] : groups_) names.push_back(name);
        return names;
    }

    template <class Use>
    void for_each_setting(const Check& check, std::string_view where, Use use) const {
        if (!study_) return;
        for (const Setting& setting : study_->settings) {
            const Check::Names& wanted = check.names(where);
            if (std::find(wanted.begin(), wanted.end(), setting.id) != wanted.end()) use(setting);
        }
    }

    Document file_;
    const Study* study_;
    Paper& paper_;
    std::map<std::string, const DocumentNode*, std::less<>> groups_;
    std::set<std::string> ids_;  // of claims and their parts
};

}  // namespace

void parse_claims(const std::string& name, const std::string& text, const Study* study, Paper& paper) {
    ClaimsReader(name, text, study, paper).read();
}

}  // namespace bellwether
