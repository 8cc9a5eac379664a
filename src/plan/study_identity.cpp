// What the results of a study depend on, as a text of one fact per line.
#include <fmt/format.h>

#include <iterator>

#include "bellwether/number_text.hpp"
#include "plan/study.hpp"

namespace bellwether {

namespace {

// Adds lines that share what they begin with.
class Facts {
public:
    Facts(std::string& text, std::string prefix) : text_(text), prefix_(std::move(prefix)) {}

    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        text_ += prefix_;
        fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
        text_ += '\n';
    }

private:
    std::string& text_;
    std::string prefix_;
};

std::string text_of(std::span<const double> values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ", ") + number_text(value);
    return text;
}

// Components that are not 0, since most of a large model's are.
std::string sparse_text_of(std::span<const double> values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", i, number_text(values[i]));
    return text;
}

void add_state(Facts& facts, const FiniteMdp& mdp, std::size_t s) {
    for (std::size_t a = 0; a < mdp.actions(); ++a) {
        facts.add("state {} action {}: target {}, behaviour {}", s, a, number_text(mdp.target(s, a)),
                  number_text(mdp.behaviour(s, a)));
        for (const Outcome& o : mdp.outcomes(s, a))
            facts.add("state {} action {} next {}: probability {}, reward {}, discount {}", s, a, o.next,
                      number_text(o.probability), number_text(o.reward), number_text(o.discount));
    }
    if (!mdp.active(s)) facts.add("state {} is not active", s);
    facts.add("state {} features: {}", s, sparse_text_of(mdp.features(s)));
    facts.add("state {} start {}, interest {}", s, number_text(mdp.start()[s]), number_text(mdp.interest(s)));
    if (mdp.has_lambda()) facts.add("state {} lambda = {}", s, number_text(mdp.lambda(s)));
}

void add_mdp(Facts& facts, const FiniteMdp& mdp) {
    facts.add("states = {}, actions = {}, features = {}", mdp.states(), mdp.actions(), mdp.dimension());
    facts.add("initial weights: {}", sparse_text_of(mdp.initial_weights()));
    if (mdp.reward_noise() > 0) facts.add("noise on rewards = {}", number_text(mdp.reward_noise()));
    for (std::size_t s = 0; s < mdp.states(); ++s) add_state(facts, mdp, s);
    if (mdp.changes_after() == 0) return;
    facts.add("after {} steps", mdp.changes_after());
    add_mdp(facts, mdp.after_change());
}

// FNV-1a, 64 bits.
std::uint64_t fingerprint(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

void add_question(Facts& facts, const Problem& problem, std::uint64_t seed, std::size_t question) {
    const FiniteMdp first = problem.make(seed, 0, 0, question);
    const DomainRequest* request = problem.request(question);
    if (!request) return add_mdp(facts, first);
    facts.add("domain = {}", request->info->id);
    for (std::size_t i = 0; i < request->values.size(); ++i) {
        const DomainParameter& parameter = request->info->parameters[i];
        if (parameter.is_addition && request->values[i] == parameter.default_value) continue;
        facts.add("parameter {} = {}", parameter.name, number_text(request->values[i]));
    }
    facts.add("features = {}", request->features);
    if (request->normalisation) facts.add("normalise = {}", name_of(*request->normalisation));
    facts.add("policy = {}", request->on_policy ? "on" : "off");
    // A default may depend on the rest, and a domain may be made another way some day: its first instance tells.
    std::string text;
    Facts of_first(text, "");
    add_mdp(of_first, first);
    facts.add("instance 0 has the fingerprint {:016x}", fingerprint(text));
}

void add_problem(Facts& facts, const Problem& problem, std::uint64_t seed) {
    if (problem.questions() > 1) facts.add("questions = {}", problem.questions());
    for (std::size_t q = 0; q < problem.questions(); ++q) add_question(facts, problem, seed, q);
}

void add_configurations(Facts& facts, const AlgorithmGrid& grid) {
    std::vector<double> values(grid.values.size());
    for (std::size_t c = 0; c < grid.configurations(); ++c) {
        grid.parameters(c, values);
        std::string text;
        for (std::size_t p = 0; p < values.size(); ++p)
            text += fmt::format("{}{} {}", p == 0 ? "" : ", ", grid.info->parameters[p].name, number_text(values[p]));
        facts.add("{} configuration {} = {}", grid.info->id, c + 1, text);
    }
}

// Of the problem with other features, only these differ.
void add_values(Facts& facts, const Setting& setting, std::uint64_t seed) {
    facts.add("learn = {}", learning_target_names[static_cast<std::size_t>(setting.target)]);
    const ValueLearner& values = *setting.values;
    facts.add("values by {}", values.info->id);
    for (std::size_t p = 0; p < values.parameters.size(); ++p)
        facts.add("values {} = {}", values.info->parameters[p].name, number_text(values.parameters[p]));
    const FiniteMdp first = values.problem.make(seed, 0, 0);
    for (std::size_t s = 0; s < first.states(); ++s)
        facts.add("values state {} features: {}", s, sparse_text_of(first.features(s)));
}

void add_setting(Facts& facts, const Setting& setting, std::uint64_t seed) {
    add_problem(facts, setting.problem, seed);
    if (setting.episodes > 0)
        facts.add("episodes = {}", setting.episodes);
    else
        facts.add("steps = {}", setting.steps);
    if (setting.every > 1) facts.add("every = {}", setting.every);
    if (setting.measures_before) facts.add("measured before the steps");
    for (const ScoredMetric& scored : setting.metrics) {
        if (scored.metric != setting.metrics.front().metric) break;
        facts.add("scored {} = {}", setting.episodes > 0 ? "episodes" : "steps", scored.scored);
    }
    if (setting.values) add_values(facts, setting, seed);
    if (setting.steps_ahead > 1) facts.add("steps ahead = {}", setting.steps_ahead);
    if (setting.step_sizes.kind == StepSizeRule::Kind::adagrad) facts.add("step sizes = adagrad");
    if (setting.step_sizes.kind == StepSizeRule::Kind::power)
        facts.add("step sizes = power, exponent {}", number_text(setting.step_sizes.exponent));
    if (setting.weighting == Weighting::uniform) facts.add("weighting = uniform");
    if (!setting.weighting.given.empty()) facts.add("weighting = {}", text_of(setting.weighting.given));
    if (setting.aggregate == Aggregate::median) facts.add("aggregate = median");
    for (std::size_t i = 0; i < setting.metrics.size(); ++i)
        facts.add("metric {} = {}", i + 1, setting.metrics[i].id());
    for (std::size_t i = 0; i < setting.algorithms.size(); ++i) {
        const AlgorithmGrid& grid = setting.algorithms[i];
        facts.add("algorithm {} = {}", i + 1, grid.info->id);
        if (grid.is_union()) {
            add_configurations(facts, grid);
            continue;
        }
        for (std::size_t p = 0; p < grid.values.size(); ++p)
            facts.add("{} {} = {}", grid.info->id, grid.info->parameters[p].name, text_of(grid.values[p]));
    }
}

}  // namespace

std::string Study::identity() const {
    std::string facts_text;
    Facts of_study(facts_text, "");
    of_study.add("seed = {}", seed);
    for (std::size_t i = 0; i < settings.size(); ++i) of_study.add("setting {} = {}", i + 1, settings[i].id);
    for (const Setting& setting : settings) {
        Facts facts(facts_text, fmt::format("setting {}: ", setting.id));
        add_setting(facts, setting, seed);
    }
    return facts_text;
}

}  // namespace bellwether
