// Reads a study file: docs/study-file.md.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "bellwether/catalogue.hpp"
#include "bellwether/suggest.hpp"
#include "plan/installed_studies.hpp"
#include "plan/study.hpp"
#include "plan/study_cut.hpp"
#include "plan/study_figures.hpp"
#include "plan/study_grid.hpp"
#include "plan/study_measures.hpp"
#include "plan/study_step_sizes.hpp"
#include "plan/study_stream.hpp"
#include "problems/exact.hpp"
#include "problems/model_file.hpp"
#include "support/document.hpp"
#include "support/error.hpp"
#include "support/parameter_order.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;
using Names = std::vector<std::string_view>;

constexpr std::array<std::string_view, 9> study_keys{"name",     "description", "paper",   "seed", "grids",
                                                     "settings", "figures",     "reading", "cut"};
constexpr std::array<std::string_view, 29> setting_keys{
    "id",        "title",       "domain",  "model",      "parameters",      "features", "normalise",  "policy",
    "steps",     "episodes",    "measure", "every",      "instances",       "runs",     "score",      "weighting",
    "aggregate", "metrics",     "record",  "fresh-runs", "fresh-instances", "grid",     "algorithms", "for",
    "questions", "steps-ahead", "learn",   "values",     "step-size"};
constexpr std::array<std::string_view, 3> reading_mark_keys{"id", "statement", "algorithms"};
constexpr std::array<std::string_view, 4> keys_of_domains{"parameters", "features", "normalise", "policy"};
constexpr std::array<std::string_view, 2> policies{"off", "on"};

constexpr std::size_t most_configurations = 10'000'000;

template <class Table, class Name>
Names names_of(const Table& table, Name name) {
    Names names;
    for (const auto& entry : table) names.push_back(name(entry));
    return names;
}

Names parameters_of(const AlgorithmInfo& info) {
    Names names = names_of(info.parameters, [](const ParameterInfo& p) { return p.name; });
    if (info.find(step_size_ratio)) names.push_back(second_step_size);
    return names;
}

class StudyReader {
public:
    // `models` is null where the model files are to be read.
    StudyReader(const std::string& name, const std::string& text, const ModelTexts* models)
        : file_(name, text, "the study"), directory_(std::filesystem::path(name).parent_path()), models_(models) {
        study_.name = default_name();
        study_.text = text;
    }

    StudyReader(const std::string& name, DocumentNode root, const std::string& comment)
        : file_(name, std::move(root), "the study"), directory_(std::filesystem::path(name).parent_path()) {
        study_.name = default_name();
        study_.text = comment + toml_text(file_.root());
    }

    StudyReader& as_outline() {
        study_.is_outline = true;
        return *this;
    }

    // Fails where the study names a paper that is not there.
    Study read_with_paper() {
        const auto* paper = file_.root().find("paper");
        if (paper && !paper_folder_of(file_.name(), file_.text(*paper))) {
            const std::vector<std::string> installed = installed_papers();
            file_.choose(*paper, "paper", Names(installed.begin(), installed.end()));
        }
        return read();
    }

    Study read() {
        const DocumentNode& root = file_.root();
        file_.check_keys(root, study_keys);
        if (const auto* name = root.find("name")) study_.name = read_name(*name);
        if (const auto* description = root.find("description")) study_.description = file_.text(*description);
        if (const auto* paper = root.find("paper")) study_.paper = file_.text(*paper);
        if (const auto* seed = root.find("seed")) study_.seed = file_.seed(*seed);
        if (const auto* reading = root.find("reading")) read_reading_mark(*reading);
        if (const auto* grids = root.find("grids")) read_grids(*grids);
        const DocumentNode& settings = file_.require(root, "settings");
        for (const DocumentNode& node : file_.list(settings)) study_.settings.push_back(read_setting(node));
        if (study_.settings.empty()) file_.fail(settings, "is empty: there must be at least one setting");
        if (const auto* cut = root.find("cut")) read_cut(file_, *cut, study_.settings);
        if (const auto* figures = root.find("figures"))
            study_.figures = read_figures(file_, *figures, study_.settings);
        else
            study_.figures = default_figures(study_.settings);
        return std::move(study_);
    }

private:
    std::string default_name() const {
        const std::filesystem::path file(file_.name());
        const bool is_of_paper = file.filename() == study_of_folder && is_paper_folder(directory_);
        const std::filesystem::path whole = std::filesystem::absolute(file).lexically_normal();
        return (is_of_paper ? whole.parent_path().filename() : file.stem()).string();
    }

    // A study of a reading is called after both.
    void read_reading_mark(const DocumentNode& node) {
        file_.check_keys(node, reading_mark_keys);
        StudyReading reading{.id = file_.text(file_.require(node, "id")),
                             .statement = file_.text(file_.require(node, "statement"))};
        if (const auto* algorithms = node.find("algorithms")) {
            if (algorithms->kind != Kind::table) file_.fail(*algorithms, "is not a table of algorithms");
            for (const DocumentNode& entry : algorithms->children)
                reading.stand_ins.emplace(entry.key, find_algorithm(read_algorithm(entry)->id)->id);
        }
        study_.name += "-" + reading.id;
        study_.reading = std::move(reading);
    }

    std::string read_name(const DocumentNode& node) const {
        const std::string& name = file_.text(node);
        if (name.empty()) file_.fail(node, "is empty");
        return name;
    }

    void read_grids(const DocumentNode& grids) {
        if (grids.kind != Kind::table) file_.fail(grids, "is not a table of grids");
        for (const DocumentNode& grid : grids.children)
            grids_.emplace(grid.key, read_grid(file_, grid, grid_parameter_names()));
    }

    Setting read_setting(const DocumentNode& node) {
        file_.check_keys(node, setting_keys);
        const std::string id = read_plain_id(file_, file_.require(node, "id"), study_.settings, "setting");
        Setting setting{.id = id, .problem = read_problem(node), .title = id};
        if (const auto* title = node.find("title")) setting.title = file_.text(*title);
        const FiniteMdp first = make_first(node, setting.problem);
        read_measures(file_, node, first, !study_.is_outline, setting);
        read_algorithms(node, setting, first);
        if (const auto* ahead = node.find("steps-ahead")) read_steps_ahead(file_, *ahead, first, setting);
        if (const auto* rule = node.find("step-size")) read_step_sizes(file_, *rule, setting);
        read_target(node, setting, first);
        return setting;
    }

    // ---- The problem.

    Problem read_problem(const DocumentNode& node) {
        const auto* model = node.find("model");
        if (!model) return read_domain(node);
        if (node.find("domain")) file_.fail(*model, "is there beside a 'domain'");
        for (const std::string_view key : keys_of_domains)
            if (const auto* found = node.find(key)) file_.fail(*found, "is for domains: a model file has its own");
        const std::string path = (directory_ / file_.text(*model)).string();
        return at(*model, "is refused", [&] {
            std::string& text = study_.models[file_.text(*model)];
            text = models_ ? models_->at(file_.text(*model)) : read_text_file(path);
            std::vector<FiniteMdp> questions = parse_questions(path, text);
            std::vector<std::shared_ptr<const FiniteMdp>> asked;
            for (const std::size_t q : read_questions(file_, node.find("questions"), questions.size()))
                asked.push_back(std::make_shared<FiniteMdp>(questions[q]));
            return Problem(std::move(asked));
        });
    }

    Problem read_domain(const DocumentNode& node) const {
        if (!node.find("domain")) file_.fail(node, "has neither 'domain' nor 'model'");
        const Names ids = names_of(domains(), [](const DomainInfo* info) { return info->id; });
        const DomainInfo& info = *domains()[choose(file_.require(node, "domain"), "domain", ids)];
        std::string_view features = info.features.front();
        if (const auto* wanted = node.find("features"))
            features = info.features[choose(*wanted, fmt::format("kind of features of {}", info.id), info.features)];
        const auto* policy = node.find("policy");
        const bool on_policy = policy && choose(*policy, "policy", policies) == 1;
        std::vector<NamedValue> values;
        if (const auto* parameters = node.find("parameters")) values = read_domain_parameters(*parameters, info);
        std::optional<Normalisation> normalisation;
        if (const auto* wanted = node.find("normalise"))
            normalisation = static_cast<Normalisation>(choose(*wanted, "normalisation", normalisation_names));
        const std::vector<std::vector<NamedValue>> questions = read_questions_of_domain(file_, node, info, values);
        return at(node, "is refused", [&] {
            std::vector<DomainRequest> asked;
            for (const std::vector<NamedValue>& own : questions) {
                asked.push_back(request_domain(info, own, features, on_policy));
                asked.back().normalisation = normalisation;
                asked.back().is_outline = study_.is_outline;
            }
            return Problem(std::move(asked));
        });
    }

    std::vector<NamedValue> read_domain_parameters(const DocumentNode& table, const DomainInfo& info) const {
        const Names names = names_of(info.parameters, [](const DomainParameter& p) { return p.name; });
        file_.check_keys(table, names);
        std::vector<NamedValue> values;
        for (const DocumentNode& node : table.children) {
            const DomainParameter& parameter = info.parameters[index_in(names, node.key)];
            values.push_back({parameter.name, file_.number(node)});
            check_range(node, values.back().value, parameter);
            if (parameter.whole && values.back().value != std::floor(values.back().value))
                file_.fail(node, fmt::format("is {}, not a whole number", number_text(values.back().value)));
        }
        return values;
    }

    // Instance 0: what cannot be made or solved is refused now, not in the middle of the work.
    FiniteMdp make_first(const DocumentNode& node, const Problem& problem) const {
        return at(node, "is refused", [&] {
            for (std::size_t q = 1; q < problem.questions() && !study_.is_outline; ++q)
                ExactSolution(problem.make(study_.seed, 0, 0, q), 0);
            return problem.make(study_.seed, 0, 0);
        });
    }

    // ---- Algorithms.

    void read_algorithms(const DocumentNode& node, Setting& setting, const FiniteMdp& first) const {
        const DocumentNode& algorithms = file_.require(node, "algorithms");
        std::vector<const AlgorithmInfo*> infos;
        for (const DocumentNode& entry : file_.list(algorithms)) {
            const AlgorithmInfo* info = read_algorithm(entry);
            if (std::find(infos.begin(), infos.end(), info) != infos.end())
                file_.fail(entry, fmt::format("repeats the algorithm {}", info->id));
            if (info->on_policy_only && !first.on_policy())
                file_.fail(entry, fmt::format("is {}, which is for on-policy settings only", info->id));
            infos.push_back(info);
        }
        if (infos.empty()) file_.fail(algorithms, "is empty: there must be at least one algorithm");

        const Grid shared = read_shared_grid(node);
        const OwnGrids own = read_own_grids(node, infos);
        std::size_t room = most_configurations;
        for (std::size_t i = 0; i < infos.size(); ++i) {
            const auto own_values = own.find(infos[i]);
            const std::vector<Grid> tables = own_values == own.end() ? std::vector<Grid>(1) : own_values->second;
            const AlgorithmInfo& info = *parameters_as_given(algorithms.children[i], infos[i], tables, shared);
            std::vector<Product> products;
            for (const Grid& table : tables) {
                products.push_back(make_product(algorithms.children[i], info, table, shared));
                room -= checked_size(algorithms, products.back(), room);
            }
            setting.algorithms.push_back(AlgorithmGrid::union_of(info, products));
            at(algorithms.children[i], "is refused", [&] { check_order(setting.algorithms.back()); });
        }
    }

    const AlgorithmInfo* read_algorithm(const DocumentNode& node) const {
        Names names = names_of(algorithm_table, [](const AlgorithmInfo& info) { return info.id; });
        for (const AlgorithmAlias& alias : algorithm_aliases) names.push_back(alias.name);
        return find_algorithm(names[choose(node, "algorithm", names)]);
    }

    // The grid that a setting names or brings, for all of its algorithms.
    Grid read_shared_grid(const DocumentNode& setting) const {
        const auto* node = setting.find("grid");
        if (!node) return {};
        if (node->kind == Kind::table) return read_grid(file_, *node, grid_parameter_names());
        const Names names = names_of(grids_, [](const auto& grid) { return std::string_view(grid.first); });
        return grids_.find(names[choose(*node, "grid", names)])->second;
    }

    using OwnGrids = std::map<const AlgorithmInfo*, std::vector<Grid>>;
    using Product = std::vector<std::vector<double>>;  // a list of values for each parameter

    // What stands under "for": values that one algorithm has in the place of the shared ones, in a table or in several,
    // whose products it has together.
    OwnGrids read_own_grids(const DocumentNode& setting, std::span<const AlgorithmInfo* const> infos) const {
        OwnGrids own;
        const auto* node = setting.find("for");
        if (!node) return own;
        Names names = names_of(infos, [](const AlgorithmInfo* info) { return info->id; });
        for (const AlgorithmAlias& alias : algorithm_aliases)
            if (std::find(names.begin(), names.end(), alias.id) != names.end()) names.push_back(alias.name);
        file_.check_keys(*node, names);
        for (const DocumentNode& entry : node->children) {
            const AlgorithmInfo* info = find_algorithm(entry.key);
            const std::span tables =
                entry.kind == Kind::list ? std::span(entry.children) : std::span(&entry, std::size_t{1});
            if (tables.empty()) file_.fail(entry, "is empty: there must be at least one table of parameters");
            std::vector<Grid> grids;
            for (const DocumentNode& table : tables) grids.push_back(read_grid(file_, table, parameters_of(*info)));
            if (!own.emplace(info, std::move(grids)).second)
                file_.fail(entry, fmt::format("repeats the algorithm {}", info->id));
        }
        return own;
    }

    // The algorithm with the parameters that its grids have: its second step size, where they give that itself.
    const AlgorithmInfo* parameters_as_given(const DocumentNode& node, const AlgorithmInfo* info,
                                             std::span<const Grid> own, const Grid& shared) const {
        if (!info->find(step_size_ratio)) return info;
        std::size_t as_such = 0;
        for (const Grid& table : own) {
            const Grid& from =
                find_values(table, second_step_size) || find_values(table, step_size_ratio) ? table : shared;
            const GridValues* given = find_values(from, second_step_size);
            if (!given) continue;
            if (find_values(from, step_size_ratio))
                file_.fail(*given->node, fmt::format("is there beside '{}'", step_size_ratio));
            ++as_such;
        }
        if (as_such > 0 && as_such < own.size())
            file_.fail(node, fmt::format("is {}, which has {} in some of its tables and {} in others", info->id,
                                         second_step_size, step_size_ratio));
        return as_such > 0 ? &with_second_step_size(*info) : info;
    }

    Product make_product(const DocumentNode& node, const AlgorithmInfo& info, const Grid& own,
                         const Grid& shared) const {
        Product product;
        for (const ParameterInfo& parameter : info.parameters) {
            const GridValues* given = find_values(own, parameter.name);
            if (!given) given = find_values(shared, parameter.name);
            if (!given && parameter.required())
                file_.fail(node, fmt::format("is {}, which needs values of {}: there are none in its grid", info.id,
                                             parameter.name));
            if (given) check_values(*given, parameter, info);
            product.push_back(given ? given->values : std::vector<double>{parameter.default_value});
        }
        at(node, "is refused", [&] { check_step_sizes(info, product); });
        return product;
    }

    void check_values(const GridValues& given, const ParameterInfo& parameter, const AlgorithmInfo& info) const {
        for (std::size_t i = 0; i < given.values.size(); ++i)
            check_range(given.place(i), given.values[i], parameter, fmt::format(" for {}", info.id));
    }

    // The number of its configurations; fails where there are more than `room`.
    std::size_t checked_size(const DocumentNode& algorithms, const Product& of, std::size_t room) const {
        std::size_t product = 1;
        for (const std::vector<double>& values : of) {
            product *= values.size();
            if (product > room || values.size() > room)
                file_.fail(algorithms, fmt::format("have more than {} configurations", most_configurations));
        }
        return product;
    }

    // ---- The variance of the return, learned beside values.

    void read_target(const DocumentNode& node, Setting& setting, const FiniteMdp& first) const {
        const auto* learn = node.find("learn");
        if (learn)
            setting.target = static_cast<LearningTarget>(choose(*learn, "target of learning", learning_target_names));
        if (setting.target == LearningTarget::value) {
            if (const auto* values = node.find("values"))
                file_.fail(*values, "is for settings that learn a variance or a second moment: this one learns values");
            return;
        }
        const auto refuse_if = [&](bool is_so, std::string_view what) {
            if (is_so) file_.fail(*learn, fmt::format("is '{}', {}", learn->text, what));
        };
        refuse_if(setting.problem.questions() > 1, "with several questions: it is for one");
        refuse_if(first.has_inactive(), "where some states are not active");
        refuse_if(first.has_lambda(), "where the problem has a λ of its own in every state");
        refuse_if(first.changes_after() > 0, "where the problem changes in mid-run");
        refuse_if(setting.steps_ahead > 1, "with transitions over several steps");
        refuse_if(std::any_of(first.initial_weights().begin(), first.initial_weights().end(),
                              [](double w) { return w != 0; }),
                  "where weights do not start at 0");
        for (const ScoredMetric& scored : setting.metrics)
            refuse_if(metric_info(scored.metric).kind != MetricInfo::Kind::squared,
                      fmt::format("whose error is rmsve or msve, not {}", id_of(scored.metric)));
        setting.values = read_value_learner(file_.require(node, "values"), setting.problem, first.on_policy());
    }

    ValueLearner read_value_learner(const DocumentNode& node, const Problem& problem, bool on_policy) const {
        const AlgorithmInfo& info = *read_algorithm(file_.require(node, "algorithm"));
        if (info.on_policy_only && !on_policy)
            file_.fail(node, fmt::format("has {}, which is for on-policy settings only", info.id));
        Names keys = names_of(info.parameters, [](const ParameterInfo& p) { return p.name; });
        keys.insert(keys.end(), {"algorithm", "features"});
        file_.check_keys(node, keys);
        ValueLearner values{.info = &info, .parameters = {}, .problem = problem};
        for (const ParameterInfo& parameter : info.parameters) {
            const auto* given = node.find(parameter.name);
            if (!given && parameter.required())
                file_.fail(node, fmt::format("has {}, which needs a value of {}", info.id, parameter.name));
            values.parameters.push_back(given ? file_.number(*given) : parameter.default_value);
            if (given) check_range(*given, values.parameters.back(), parameter, fmt::format(" for {}", info.id));
        }
        const auto* features = node.find("features");
        if (!features) return values;
        if (!problem.request()) file_.fail(*features, "is for domains: a model file has its own");
        DomainRequest request = *problem.request();
        const std::span kinds = request.info->features;
        request.features = kinds[choose(*features, fmt::format("kind of features of {}", request.info->id), kinds)];
        values.problem = Problem(std::move(request));
        at(*features, "is refused", [&] { return values.problem.make(study_.seed, 0, 0); });
        return values;
    }

    // ---- What they have in common.

    void check_range(const DocumentNode& node, double value, const ParameterInfo& parameter,
                     std::string_view for_whom = "") const {
        if (parameter.range.contains(value)) return;
        file_.fail(node, fmt::format("{} {}: {} must be {}{}", node.kind == Kind::table ? "has" : "is",
                                     number_text(value), parameter.name, describe(parameter.range), for_whom));
    }

    static std::size_t index_in(std::span<const std::string_view> names, std::string_view name) {
        return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    }

    // The index of the name that the node holds.
    std::size_t choose(const DocumentNode& node, std::string_view what, std::span<const std::string_view> names) const {
        return file_.choose(node, what, names);
    }

    // Does the work, and says of what goes wrong in it where in the file it comes from.
    template <class Work>
    auto at(const DocumentNode& node, std::string_view problem, Work work) const -> decltype(work()) {
        try {
            return work();
        } catch (const UsageError& error) {
            file_.fail(node, fmt::format("{}: {}", problem, error.what()));
        }
    }

    Document file_;
    std::filesystem::path directory_;
    const ModelTexts* models_ = nullptr;
    std::map<std::string, Grid, std::less<>> grids_;
    Study study_;
};

}  // namespace

Study read_study(const std::string& path) {
    return StudyReader(path, read_text_file(path), nullptr).read_with_paper();
}

Study read_outline(const std::string& path) {
    return StudyReader(path, read_text_file(path), nullptr).as_outline().read_with_paper();
}

Study parse_study(const std::string& name, const std::string& text) {
    return StudyReader(name, text, nullptr).read();
}

Study parse_study(const std::string& name, const std::string& text, const ModelTexts& models) {
    return StudyReader(name, text, &models).read();
}

Study parse_study(const std::string& name, DocumentNode root, const std::string& comment) {
    return StudyReader(name, std::move(root), comment).read();
}

bool is_plain_id(std::string_view id) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !id.empty() && std::all_of(id.begin(), id.end(), plain);
}

}  // namespace bellwether
