#include "problems/model_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "support/document.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

constexpr std::array<std::string_view, 15> model_keys{
    "name",     "states",          "actions", "discount",    "target", "behaviour",    "features", "lambda",
    "interest", "initial-weights", "start",   "transitions", "active", "reward-noise", "questions"};
constexpr std::array<std::string_view, 6> transition_keys{"state",       "action", "next",
                                                          "probability", "reward", "discount"};
constexpr std::array<std::string_view, 4> question_keys{"target", "active", "discount", "transitions"};
constexpr std::array<std::string_view, 5> changed_transition_keys{"state", "action", "next", "reward", "discount"};

// Default features are a square of this size, and exact solutions take its cube in time.
constexpr std::size_t most_states = 10'000;
constexpr std::size_t most_actions = 10'000;

class ModelReader {
public:
    ModelReader(const std::string& name, const std::string& text)
        : file_(name, text, "the model"), model_(file_.root()) {
        d_.name = std::filesystem::path(name).stem().string();
    }

    // One of each question; one where the file has none.
    std::vector<FiniteMdp> read() {
        file_.check_keys(model_, model_keys);
        if (const auto* name = model_.find("name")) d_.name = file_.text(*name);
        d_.states = file_.count(file_.require(model_, "states"), most_states);
        const auto* actions = model_.find("actions");
        d_.actions = actions ? file_.count(*actions, most_actions) : 1;
        read_transitions();
        read_policies();
        read_features();
        read_states("lambda", d_.lambda, [&](const DocumentNode& node) { return file_.number_in_unit(node); });
        read_states("interest", d_.interest, [&](const DocumentNode& node) { return not_negative(node); });
        if (const auto* weights = model_.find("initial-weights")) {
            d_.initial_weights =
                row(*weights, d_.dimension, "features", [&](auto& node) { return file_.number(node); });
        }
        if (const auto* start = model_.find("start")) d_.start = distribution(*start, d_.states, "states");
        if (const auto* noise = model_.find("reward-noise")) d_.reward_noise = not_negative(*noise);
        if (const auto* active = model_.find("active")) d_.active = active_states(*active);
        std::vector<FiniteMdp> questions;
        const auto* asked = model_.find("questions");
        if (!asked) {
            questions.push_back(confined(d_, own_discount_));
            return questions;
        }
        for (const DocumentNode& node : file_.list(*asked)) questions.push_back(read_question(node));
        if (questions.empty()) file_.fail(*asked, "is empty: there must be at least one question");
        return questions;
    }

private:
    void read_transitions() {
        const DocumentNode& transitions = file_.require(model_, "transitions");
        const std::span<const DocumentNode> rows = file_.list(transitions);
        const auto* discount = model_.find("discount");
        std::optional<double> default_discount;
        if (discount) default_discount = file_.number_in_unit(*discount);

        struct Pair {
            const DocumentNode* first_row;
            double probability = 0;
            std::vector<Outcome> outcomes{};
            std::vector<bool> own_discount{};
        };
        std::map<std::pair<std::size_t, std::size_t>, Pair> pairs;
        std::map<std::array<std::size_t, 3>, const DocumentNode*> seen;
        for (const DocumentNode& row : rows) {
            file_.check_keys(row, transition_keys);
            const std::size_t state = index(file_.require(row, "state"), d_.states, "states");
            const std::size_t action =
                d_.actions == 1 && !row.find("action") ? 0 : index(file_.require(row, "action"), d_.actions, "actions");
            const std::size_t next = index(file_.require(row, "next"), d_.states, "states");
            const auto [before, is_new] = seen.try_emplace({state, action, next}, &row);
            if (!is_new)
                file_.fail(row, fmt::format("repeats {}: state {}, action {}, next {}", path_of(*before->second), state,
                                            action, next));
            Pair& pair = pairs.try_emplace({state, action}, Pair{&row}).first->second;
            pair.outcomes.push_back(outcome(row, static_cast<std::uint32_t>(next), default_discount));
            pair.own_discount.push_back(row.find("discount") != nullptr);
            pair.probability += pair.outcomes.back().probability;
        }
        for (std::size_t s = 0; s < d_.states; ++s) {
            for (std::size_t a = 0; a < d_.actions; ++a) {
                const auto pair = pairs.find({s, a});
                if (pair == pairs.end())
                    file_.fail(transitions, fmt::format("has none from state {} with action {}", s, a));
                if (!is_one(pair->second.probability))
                    file_.fail(*pair->second.first_row,
                               fmt::format("and the others from state {} with action {} have probabilities that sum to "
                                           "{}, not to 1",
                                           s, a, pair->second.probability));
                d_.outcomes.push_back(std::move(pair->second.outcomes));
                own_discount_.push_back(std::move(pair->second.own_discount));
            }
        }
    }

    // ---- Questions: what differs from the model's own target policy, discounts and rewards.

    FiniteMdp read_question(const DocumentNode& node) const {
        file_.check_keys(node, question_keys);
        MdpDescription d = d_;
        std::vector<std::vector<bool>> own_discount = own_discount_;
        if (const auto* target = node.find("target")) d.target = policy(*target);
        if (d.target.empty()) file_.fail(node, "has no 'target', and neither has the model");
        if (const auto* active = node.find("active")) d.active = active_states(*active);
        if (const auto* discount = node.find("discount")) {
            const double value = file_.number_in_unit(*discount);
            for (std::size_t k = 0; k < d.outcomes.size(); ++k)
                for (std::size_t o = 0; o < d.outcomes[k].size(); ++o)
                    if (!own_discount[k][o]) d.outcomes[k][o].discount = value;
        }
        if (const auto* transitions = node.find("transitions"))
            for (const DocumentNode& row : file_.list(*transitions)) change_transition(row, d, own_discount);
        try {
            return confined(std::move(d), own_discount);
        } catch (const UsageError& error) {
            file_.fail(node, fmt::format("is refused: {}", error.what()));
        }
    }

    void change_transition(const DocumentNode& row, MdpDescription& d,
                           std::vector<std::vector<bool>>& own_discount) const {
        file_.check_keys(row, changed_transition_keys);
        const std::size_t state = index(file_.require(row, "state"), d_.states, "states");
        const std::size_t action =
            d_.actions == 1 && !row.find("action") ? 0 : index(file_.require(row, "action"), d_.actions, "actions");
        const std::size_t next = index(file_.require(row, "next"), d_.states, "states");
        std::vector<Outcome>& outcomes = d.outcomes[state * d_.actions + action];
        std::size_t o = 0;
        while (o < outcomes.size() && outcomes[o].next != next) ++o;
        if (o == outcomes.size())
            file_.fail(row,
                       fmt::format("is no transition of the model: state {}, action {}, next {}", state, action, next));
        if (const auto* reward = row.find("reward")) outcomes[o].reward = file_.number(*reward);
        if (const auto* discount = row.find("discount")) {
            outcomes[o].discount = file_.number_in_unit(*discount);
            own_discount[state * d_.actions + action][o] = true;
        }
    }

    // Transitions out of the active states have discount 0 unless they say something else, which is refused.
    FiniteMdp confined(MdpDescription d, const std::vector<std::vector<bool>>& own_discount) const {
        for (std::size_t k = 0; !d.active.empty() && k < d.outcomes.size(); ++k)
            for (std::size_t o = 0; o < d.outcomes[k].size(); ++o)
                if (!own_discount[k][o] && d.active[k / d.actions] && !d.active[d.outcomes[k][o].next])
                    d.outcomes[k][o].discount = 0;
        return FiniteMdp(std::move(d));
    }

    std::vector<bool> active_states(const DocumentNode& node) const {
        std::vector<bool> active(d_.states);
        for (const DocumentNode& entry : file_.list(node)) active[index(entry, d_.states, "states")] = true;
        return active;
    }

    Outcome outcome(const DocumentNode& row, std::uint32_t next, const std::optional<double>& default_discount) const {
        const double probability = file_.number_in_unit(file_.require(row, "probability"));
        const auto* reward = row.find("reward");
        const auto* discount = row.find("discount");
        if (!discount && !default_discount) file_.fail(row, "has no 'discount', and the model has none for all");
        return {next, probability, reward ? file_.number(*reward) : 0,
                discount ? file_.number_in_unit(*discount) : *default_discount};
    }

    void read_policies() {
        const auto* target = model_.find("target");
        const auto* behaviour = model_.find("behaviour");
        const bool has_questions = model_.find("questions");
        if (!target && d_.actions > 1 && !has_questions) file_.fail(model_, "has no 'target', the target policy");
        if (!target && behaviour && !has_questions) file_.fail(*behaviour, "is there without a 'target'");
        if (has_questions && !behaviour && d_.actions > 1)
            file_.fail(model_, "has questions and no 'behaviour', the policy whose stream they are about");
        if (target) d_.target = policy(*target);
        if (d_.actions == 1) d_.target.assign(d_.states, 1);
        d_.behaviour = behaviour ? policy(*behaviour) : d_.target;
        if (!behaviour || !target) return;
        for (std::size_t i = 0; i < d_.target.size(); ++i)
            if (d_.target[i] > 0 && d_.behaviour[i] == 0)
                file_.fail(
                    behaviour->children[i / d_.actions].children[i % d_.actions],
                    fmt::format("is 0, but the target policy takes that action with probability {}", d_.target[i]));
    }

    // π(a|s), a row per state.
    std::vector<double> policy(const DocumentNode& node) const {
        std::vector<double> flat;
        for (const DocumentNode& child : rows_of_states(node)) {
            const std::vector<double> probabilities = distribution(child, d_.actions, "actions");
            flat.insert(flat.end(), probabilities.begin(), probabilities.end());
        }
        return flat;
    }

    void read_features() {
        const auto* features = model_.find("features");
        d_.dimension = d_.states;
        if (!features) {
            d_.features.assign(d_.states * d_.states, 0);
            for (std::size_t s = 0; s < d_.states; ++s) d_.features[s * d_.states + s] = 1;
            return;
        }
        const auto rows = rows_of_states(*features);
        d_.dimension = file_.list(rows[0]).size();
        if (d_.dimension == 0) file_.fail(rows[0], "is empty: there must be at least one feature");
        for (const DocumentNode& child : rows) {
            const std::vector<double> x =
                row(child, d_.dimension, "features in the first row", [&](auto& node) { return file_.number(node); });
            d_.features.insert(d_.features.end(), x.begin(), x.end());
        }
    }

    // One number for all states or a list with one for each.
    template <class Read>
    void read_states(std::string_view key, std::vector<double>& to, Read read_number) {
        const auto* node = model_.find(key);
        if (!node) return;
        if (node->kind == DocumentNode::Kind::list) {
            to = row(*node, d_.states, "states", read_number);
        } else {
            to.assign(d_.states, read_number(*node));
        }
    }

    double not_negative(const DocumentNode& node) const {
        const double value = file_.number(node);
        if (value < 0) file_.fail(node, fmt::format("is {}: it must be at least 0", value));
        return value;
    }

    std::size_t index(const DocumentNode& node, std::size_t size, std::string_view what) const {
        const double value = file_.number(node);
        if (value != std::floor(value) || value < 0 || value >= static_cast<double>(size))
            file_.fail(node, fmt::format("is {}: the {} are 0 to {}", value, what, size - 1));
        return static_cast<std::size_t>(value);
    }

    std::span<const DocumentNode> rows_of_states(const DocumentNode& node) const {
        const auto rows = file_.list(node);
        check_size(node, rows.size(), d_.states, "states");
        return rows;
    }

    void check_size(const DocumentNode& node, std::size_t found, std::size_t wanted, std::string_view what) const {
        if (found != wanted) file_.fail(node, fmt::format("has {} entries where there are {} {}", found, wanted, what));
    }

    template <class Read>
    std::vector<double> row(const DocumentNode& node, std::size_t size, std::string_view what, Read read_number) const {
        const auto entries = file_.list(node);
        check_size(node, entries.size(), size, what);
        std::vector<double> values;
        for (const DocumentNode& entry : entries) values.push_back(read_number(entry));
        return values;
    }

    std::vector<double> distribution(const DocumentNode& node, std::size_t size, std::string_view what) const {
        std::vector<double> values = row(node, size, what, [&](auto& entry) { return file_.number_in_unit(entry); });
        double sum = 0;
        for (const double value : values) sum += value;
        if (!is_one(sum)) file_.fail(node, fmt::format("sums to {}, not to 1", sum));
        return values;
    }

    Document file_;
    const DocumentNode& model_;
    MdpDescription d_;
    std::vector<std::vector<bool>> own_discount_;  // of d_.outcomes: whether it came with the transition
};

}  // namespace

FiniteMdp read_model_file(const std::string& path, std::size_t question) {
    return parse_model(path, read_text_file(path), question);
}

FiniteMdp parse_model(const std::string& name, const std::string& text, std::size_t question) {
    std::vector<FiniteMdp> questions = parse_questions(name, text);
    if (question >= questions.size())
        throw UsageError(
            fmt::format("{}: there is no question {}: the last one is {}", name, question, questions.size() - 1));
    return std::move(questions[question]);
}

std::vector<FiniteMdp> parse_questions(const std::string& name, const std::string& text) {
    return ModelReader(name, text).read();
}

}  // namespace bellwether
