#include "report/index_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/page.hpp"

namespace bellwether {

std::string index_page(const std::vector<IndexedReport>& reports, const std::string& program) {
    PageJson list = PageJson::array();
    for (const auto& [outcome, report] : reports) {
        PageJson claims = PageJson::array(), numbers = PageJson::array();
        for (const OutcomeClaim& claim : outcome.claims) {
            PageJson parts = PageJson::array();
            for (const auto& [id, verdict] : claim.parts) parts.push_back({{"id", id}, {"verdict", name_of(verdict)}});
            claims.push_back({{"id", claim.id},
                              {"statement", claim.statement},
                              {"verdict", name_of(claim.verdict)},
                              {"parts", std::move(parts)}});
        }
        for (const ComparedNumber& number : outcome.numbers) numbers.push_back(page_comparison(number));
        list.push_back({{"study", outcome.study},
                        {"description", outcome.description},
                        {"program", outcome.program},
                        {"whole", outcome.is_whole},
                        {"agentSteps", page_number(outcome.agent_steps)},
                        {"report", report},
                        {"claims", std::move(claims)},
                        {"numbers", std::move(numbers)}});
    }
    return fill_page("Reproduced papers",
                     {{"format", 1}, {"kind", "index"}, {"program", program}, {"papers", std::move(list)}});
}

std::string index_text(const std::vector<IndexedReport>& reports) {
    std::size_t width = 5;
    for (const IndexedReport& one : reports) width = std::max(width, one.outcome.study.size());
    std::string text;
    for (const auto& [outcome, report] : reports) {
        std::string line = fmt::format("{:<{}}  {}{}", outcome.study, width, verdicts_text(outcome),
                                       outcome.is_whole ? "" : " (a part of its runs)");
        if (!outcome.numbers.empty())
            line += fmt::format("; {} of {} published numbers agree", outcome.agreements(), outcome.numbers.size());
        text += line + "\n";
    }
    return text;
}

}  // namespace bellwether
