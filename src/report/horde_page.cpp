#include "report/horde_page.hpp"

#include <algorithm>
#include <optional>

#include "report/page.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

namespace {

PageJson number(const std::optional<double>& value) {
    return value ? page_number(*value) : PageJson(nullptr);
}

}  // namespace

std::string horde_page(const std::vector<QuestionSummary>& questions, const HordePage& about) {
    std::vector<std::string> ids;
    PageJson algorithms = PageJson::array(), list = PageJson::array();
    for (const QuestionSummary& question : questions) {
        auto found = std::find(ids.begin(), ids.end(), question.algorithm);
        if (found == ids.end()) {
            algorithms.push_back(page_algorithm(algorithm_named(question.algorithm)));
            found = ids.insert(ids.end(), question.algorithm);
        }
        const QuestionAnswer answer = answer_of(question);
        list.push_back({{"name", question.name},
                        {"algorithm", found - ids.begin()},
                        {"answer", answer.text},
                        {"measure", answer.measure},
                        {"share", number(answer.share)},
                        {"steps", question.steps},
                        {"tdError", page_number(question.td_error)},
                        {"returns", question.returns},
                        {"returnError", number(question.return_error)},
                        {"ofVariance", number(question.of_variance)},
                        {"rupee", number(question.rupee)},
                        {"explainable", number(question.explainable)}});
    }
    const std::size_t slash = about.stream.rfind('/');
    return fill_page(slash == std::string::npos ? about.stream : about.stream.substr(slash + 1),
                     {{"format", 1},
                      {"kind", "horde"},
                      {"program", about.program},
                      {"questionsFile", about.questions_file},
                      {"stream", about.stream},
                      {"steps", about.steps},
                      {"enoughReturns", enough_returns},
                      {"learnedBelow", {{"returns", learned_of_variance}, {"rupee", learned_explainable}}},
                      {"algorithms", algorithms},
                      {"questions", list}});
}

}  // namespace bellwether
