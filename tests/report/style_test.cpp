#include "report/style.hpp"
#include "analysis/names.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "bellwether/registry.hpp"

namespace bellwether {
namespace {

// https://www.w3.org/TR/WCAG21/#dfn-relative-luminance
double luminance(std::string_view colour) {
    const auto channel = [&](std::size_t place) {
        const double value = std::stoi(std::string(colour.substr(place, 2)), nullptr, 16) / 255.0;
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

double contrast(std::string_view one, std::string_view other) {
    const auto [darker, lighter] = std::minmax({luminance(one), luminance(other)});
    return (lighter + 0.05) / (darker + 0.05);
}

TEST(Style, EveryAlgorithmHasAColourAndDashOfItsOwn) {
    std::map<std::pair<std::string_view, std::string_view>, std::string_view> light, dark;
    for (const AlgorithmInfo& info : algorithm_table) {
        const LineStyle style = style_of(info.id);
        EXPECT_NE(style.light, style_of("no such algorithm").light) << info.id;
        const auto [in_light, new_in_light] = light.try_emplace({style.light, style.dash}, info.id);
        EXPECT_TRUE(new_in_light) << info.id << " looks like " << in_light->second;
        const auto [in_dark, new_in_dark] = dark.try_emplace({style.dark, style.dash}, info.id);
        EXPECT_TRUE(new_in_dark) << info.id << " looks like " << in_dark->second;
    }
}

// 3:1 is what WCAG asks for lines and other graphics.
TEST(Style, LinesAreReadableOnBothBackgrounds) {
    for (const AlgorithmInfo& info : algorithm_table) {
        const LineStyle style = style_of(info.id);
        EXPECT_GE(contrast(style.light, "#ffffff"), 3) << info.id;
        EXPECT_GE(contrast(style.dark, dark_background), 3) << info.id;
    }
    EXPECT_GE(contrast(style_of("no such algorithm").light, "#ffffff"), 3);
    EXPECT_GE(contrast(style_of("no such algorithm").dark, dark_background), 3);
}

TEST(Style, TrueOnlineVariantsShareTheColourOfTheirFamily) {
    for (const auto& [plain, online] :
         {std::pair{"td", "to-td"}, {"gtd", "to-gtd"}, {"htd", "to-htd"}, {"etd", "to-etd"}}) {
        EXPECT_EQ(style_of(plain).light, style_of(online).light);
        EXPECT_EQ(style_of(plain).dark, style_of(online).dark);
        EXPECT_EQ(style_of(plain).dash, "");
        EXPECT_EQ(style_of(online).dash, style_of("to-td").dash);
    }
}

TEST(Style, NamesAreShort) {
    EXPECT_EQ(short_name("true-online ETD(λ,β)"), "TO-ETD(λ,β)");
    EXPECT_EQ(short_name("TD(λ)"), "TD(λ)");
}

TEST(Style, ParametersHaveSymbols) {
    EXPECT_EQ(parameter_symbol("alpha"), "α");
    EXPECT_EQ(parameter_symbol("eta"), "η");
    EXPECT_EQ(parameter_symbol("lambda"), "λ");
    EXPECT_EQ(parameter_symbol("regularization"), "regularization");
}

}  // namespace
}  // namespace bellwether
