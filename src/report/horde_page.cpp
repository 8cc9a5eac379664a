#include "report/horde_page.hpp"

#include <algorithm>
#include <optional>

#include "report/page.hpp"
#include "support/algorithms.hpp"

namespace bellwether {

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
                        {"share", page_number(answer.share)},
                        {"steps", question.steps},
                        {"tdError", page_number(question.td_error)},
                        {"returns", question.returns},
                        {"returnError", page_number(question.return_error)},
                        {"ofVariance", page_number(question.of_variance)},
                        {"rupee", page_number(question.rupee)},
                        {"explainable", page_number(question.explainable)}});
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
