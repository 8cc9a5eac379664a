// The page that the build makes of web/, and what the data of all kinds of pages have in common.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/published_numbers.hpp"
#include "bellwether/info.hpp"

namespace bellwether {

using PageJson = nlohmann::ordered_json;

// Seven digits, which is more than a chart shows; null where it is infinite.
PageJson page_number(double value, int digits = 7);
PageJson page_number(const std::optional<double>& value);  // null where there is none
PageJson page_numbers(std::span<const double> values);

// How an algorithm is called and drawn, and what a parameter of some of these algorithms is.
PageJson page_algorithm(const AlgorithmInfo& info);
PageJson page_parameter(std::string_view name, std::span<const AlgorithmInfo* const> algorithms);

// A published number beside ours.
PageJson page_comparison(const ComparedNumber& number);

// The whole page, a file that opens anywhere, with these data in it; empty where this program was built without one.
std::string fill_page(std::string_view title, const PageJson& data);

}  // namespace bellwether
