// Plots of braille dots, read back dot by dot.
#include "report/terminal_plot.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace bellwether {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST(TerminalPlot, ALineFromCornerToCornerHasADotInEveryColumnOfItsDiagonal) {
    // 13 columns: "4 │", then 10 of dots; 5 rows of 4 dots: 20 × 20 dots, from (0, 0) to (19, 19).
    TerminalPlot plot{.columns = 13, .rows = 5};
    plot.lines = {{.label = "", .x = {}, .y = {}}};
    for (int k = 0; k < 20; ++k) {
        plot.lines[0].x.push_back(k);
        plot.lines[0].y.push_back(k);
    }
    EXPECT_EQ(draw(plot),
              "   │        ⡠⠊\n"
              "15 ┤      ⡠⠊\n"
              "10 ┤    ⡠⠊\n"
              " 5 ┤  ⡠⠊\n"
              " 0 ┤⡠⠊\n"
              "   └──────────\n"
              "    0       19\n");
}

TEST(TerminalPlot, LabelsStandAtTheEndsAndMakeRoomForEachOther) {
    const auto flat = [](double y, std::string label) {
        return TerminalLine{.label = std::move(label), .x = {0, 1}, .y = {y, y}};
    };
    TerminalPlot plot{.title = "three", .columns = 30, .rows = 4};
    plot.lines = {flat(1, "low"), flat(1, "low too"), flat(4, "high")};
    const auto lines = lines_of(draw(plot));
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_EQ(lines[0], "three");
    EXPECT_TRUE(lines[1].ends_with(" high")) << lines[1];
    EXPECT_TRUE(lines[3].ends_with(" low")) << lines[3];
    EXPECT_TRUE(lines[4].ends_with(" low too")) << lines[4];
    EXPECT_EQ(draw(plot).find('\x1b'), std::string::npos);
    plot.colours = true;
    EXPECT_NE(draw(plot).find("\x1b[34m"), std::string::npos);
}

TEST(TerminalPlot, ALineEndsWhereItIsNotFinite) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    TerminalPlot plot{.columns = 20, .rows = 2};
    plot.lines = {{.label = "", .x = {0, 1, 2}, .y = {1, inf, 1}}, {.label = "", .x = {0, 2}, .y = {2, 2}}};
    const std::string stopped = draw(plot);
    plot.lines[0].y = {1, 1, 1};
    EXPECT_LT(stopped.size(), draw(plot).size());
    plot.lines[0] = {.label = "", .x = {0}, .y = {1}};
    EXPECT_EQ(stopped, draw(plot));
    plot.lines = {{.label = "x", .x = {0}, .y = {inf}}};
    EXPECT_EQ(draw(plot), "nothing to show: no value is finite\n");
}

TEST(TerminalPlot, BarsGrowByEighths) {
    EXPECT_EQ(draw_bar(0, 4), "░░░░");
    EXPECT_EQ(draw_bar(0.5, 4), "██░░");
    EXPECT_EQ(draw_bar(0.5 + 1.0 / 32, 4), "██▏░");
    EXPECT_EQ(draw_bar(1, 4), "████");
    EXPECT_EQ(draw_bar(7, 2), "██");
}

}  // namespace
}  // namespace bellwether
