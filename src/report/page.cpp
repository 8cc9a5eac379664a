#include "report/page.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "analysis/names.hpp"
#include "report/style.hpp"
#include "support/error.hpp"

namespace bellwether {

// Made by the build from web/ (cmake/BellwetherPage.cmake).
extern const char* const page_template_data;
extern const unsigned long page_template_size;

namespace {

void replace_once(std::string& text, std::string_view mark, const std::string& with) {
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) throw WorkError(fmt::format("the report's page lacks its place for {}", mark));
    text.replace(at, mark.size(), with);
}

std::string html_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '<')
            escaped += "&lt;";
        else if (c == '&')
            escaped += "&amp;";
        else
            escaped += c;
    }
    return escaped;
}

// JSON that may stand within a <script>: else a text could end it.
std::string script_text(const PageJson& data) {
    // A name of a file need not be UTF-8.
    const std::string json = data.dump(-1, ' ', false, PageJson::error_handler_t::replace);
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    }
    return safe;
}

}  // namespace

PageJson page_number(double value, int digits) {
    if (!std::isfinite(value)) return nullptr;
    return std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr);
}

PageJson page_number(const std::optional<double>& value) {
    return value ? page_number(*value) : PageJson(nullptr);
}

PageJson page_numbers(std::span<const double> values) {
    PageJson list = PageJson::array();
    for (const double value : values) list.push_back(page_number(value));
    return list;
}

PageJson page_algorithm(const AlgorithmInfo& info) {
    const LineStyle style = style_of(info.id);
    return {{"id", info.id},           {"name", short_name(info.name)},
            {"summary", info.summary}, {"light", style.light},
            {"dark", style.dark},      {"dash", style.dash}};
}

PageJson page_parameter(std::string_view name, std::span<const AlgorithmInfo* const> algorithms) {
    std::string_view help;
    for (const AlgorithmInfo* info : algorithms)
        if (const ParameterInfo* found = info->find(name)) help = found->help;
    return {{"name", name}, {"symbol", parameter_symbol(name)}, {"help", help}};
}

PageJson page_comparison(const ComparedNumber& number) {
    return {{"title", number.title},
            {"setting", number.setting},
            {"label", number.label},
            {"theirs", page_number(number.theirs)},
            {"error", page_number(number.error)},
            {"ours", page_number(number.ours)},
            {"low", page_number(number.interval.low)},
            {"high", page_number(number.interval.high)},
            {"agrees", number.agrees()}};
}

std::string fill_page(std::string_view title, const PageJson& data) {
    std::string page(page_template_data, page_template_size);
    if (page.empty()) return page;
    replace_once(page, "__BELLWETHER_REPORT_TITLE__", html_text(title));
    replace_once(page, "\"__BELLWETHER_REPORT_DATA__\"", script_text(data));
    return page;
}

}  // namespace bellwether
