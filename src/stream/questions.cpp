#include "stream/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "bellwether/catalogue.hpp"
#include "support/algorithms.hpp"
#include "support/document.hpp"
#include "support/error.hpp"
#include "support/parameter_order.hpp"

namespace bellwether {

namespace {

constexpr std::array<std::string_view, 4> policy_keys{"discount", "ratio", "target", "behaviour"};

class QuestionReader {
public:
    QuestionReader(const std::string& path, std::span<const std::string> columns)
        : file_(path, read_text_file(path), "the file of questions"), columns_(columns) {}

    Questions read() {
        static constexpr std::array<std::string_view, 1> keys{"group"};
        file_.check_keys(file_.root(), keys);
        const auto groups = file_.list(file_.require(file_.root(), "group"));
        for (const DocumentNode& group : groups)
            for (const DocumentNode& question : file_.list(file_.require(group, "question"))) take_name(question);
        for (const DocumentNode& group : groups) take_group(group);
        for (std::size_t q = 0; q < made_.questions.size(); ++q) {
            std::vector<std::size_t> path;
            find_depth(q, path);
        }
        return std::move(made_);
    }

private:
    void take_name(const DocumentNode& question) {
        const DocumentNode& name = file_.require(question, "name");
        const std::string& text = file_.text(name);
        if (text.empty() || text.find_first_of(",\"'\n") != std::string::npos)
            file_.fail(name, "must be a name without commas and quotes");
        if (std::find(names_.begin(), names_.end(), text) != names_.end())
            file_.fail(name, fmt::format("is '{}', which another question is called", text));
        names_.push_back(text);
    }

    void take_group(const DocumentNode& node) {
        const DocumentNode& named = file_.require(node, "algorithm");
        auto algorithm = require_algorithm(file_.text(named));
        if (!algorithm) file_.fail(named, fmt::format("is not known: {}", algorithm.error()));
        QuestionGroup group{&*algorithm, {}};
        std::vector<std::string_view> keys{"algorithm", "question"};
        keys.insert(keys.end(), policy_keys.begin(), policy_keys.end());
        for (const ParameterInfo& parameter : group.algorithm->parameters) keys.push_back(parameter.name);
        file_.check_keys(node, keys);
        for (const ParameterInfo& parameter : group.algorithm->parameters) {
            const DocumentNode* given = node.find(parameter.name);
            if (!given && parameter.required())
                file_.fail(node, fmt::format("needs {}: {}", parameter.name, parameter.help));
            group.parameters.push_back(given ? file_.number(*given) : parameter.default_value);
            try {
                check_range(parameter, group.parameters.back());
            } catch (const UsageError& error) {
                file_.fail(*given, fmt::format("is refused: {}", error.what()));
            }
        }
        try {
            check_order(*group.algorithm, group.parameters);
        } catch (const UsageError& error) {
            file_.fail(node, fmt::format("is refused: {}", error.what()));
        }
        made_.groups.push_back(group);
        for (const DocumentNode& question : file_.list(file_.require(node, "question"))) take_question(question, node);
    }

    void take_question(const DocumentNode& node, const DocumentNode& group) {
        std::vector<std::string_view> keys{"name", "cumulant"};
        keys.insert(keys.end(), policy_keys.begin(), policy_keys.end());
        file_.check_keys(node, keys);
        const auto given = [&](std::string_view key) {
            const DocumentNode* own = node.find(key);
            return own ? own : group.find(key);
        };
        // A question's own policy stands in place of its group's, whichever way it is written.
        const bool own_policy = node.find("ratio") || node.find("target") || node.find("behaviour");
        const DocumentNode& from = own_policy ? node : group;
        const DocumentNode *ratio = from.find("ratio"), *target = from.find("target"),
                           *behaviour = from.find("behaviour");
        if (ratio && target) file_.fail(*ratio, "stands beside target: give the ratio, or both policies");
        if (!target != !behaviour)
            file_.fail(target ? *target : *behaviour,
                       fmt::format("needs {}: the policies come together", target ? "behaviour" : "target"));
        const DocumentNode* discount = given("discount");
        if (!discount) file_.fail(node, "needs discount: a number in [0, 1], or an expression of columns");
        Question question{.name = file_.text(file_.require(node, "name")),
                          .group = made_.groups.size() - 1,
                          .cumulant = expression(file_.require(node, "cumulant")),
                          .discount = expression(*discount),
                          .ratio = ratio ? expression(*ratio) : Expression(1.0),
                          .target = std::nullopt,
                          .behaviour = std::nullopt};
        if (target) {
            question.target = expression(*target);
            question.behaviour = expression(*behaviour);
        }
        if (made_.groups.back().algorithm->needs_policies && !target)
            file_.fail(node, fmt::format("needs target and behaviour: {} reads both policies",
                                         made_.groups.back().algorithm->id));
        nodes_.push_back(&node);
        made_.questions.push_back(std::move(question));
    }

    Expression expression(const DocumentNode& node) const {
        if (node.kind == DocumentNode::Kind::number) return Expression(node.number);
        return Expression(file_.text(node), {columns_, names_},
                          [&](const std::string& problem) { file_.fail(node, problem); });
    }

    std::size_t find_depth(std::size_t q, std::vector<std::size_t>& path) {
        if (const auto again = std::find(path.begin(), path.end(), q); again != path.end()) {
            std::string way = names_[q];
            for (auto step = again + 1; step != path.end(); ++step) way += " reads " + names_[*step];
            file_.fail(*nodes_[q], fmt::format("reads itself: {} reads {}", way, names_[q]));
        }
        if (known_.size() < made_.questions.size()) known_.resize(made_.questions.size());
        Question& question = made_.questions[q];
        if (known_[q]) return question.depth;
        path.push_back(q);
        for (const Expression* read :
             {&question.cumulant, &question.discount, &question.ratio, question.target ? &*question.target : nullptr,
              question.behaviour ? &*question.behaviour : nullptr})
            if (read)
                for (const std::size_t other : read->questions())
                    question.depth = std::max(question.depth, find_depth(other, path) + 1);
        path.pop_back();
        known_[q] = true;
        return question.depth;
    }

    Document file_;
    std::span<const std::string> columns_;
    std::vector<std::string> names_;
    std::vector<const DocumentNode*> nodes_;
    std::vector<bool> known_;
    Questions made_;
};

}  // namespace

Questions read_questions(const std::string& path, std::span<const std::string> columns) {
    return QuestionReader(path, columns).read();
}

}  // namespace bellwether
