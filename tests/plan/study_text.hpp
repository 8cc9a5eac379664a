// A study that is right, for tests that change a part of it.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "plan/study.hpp"
#include "problems/refusal.hpp"

namespace bellwether::test {

// The text with one part replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

inline const std::string good =
    "seed = 7\n"
    "[grids.small]\n"
    "alpha = [0.1, 0.2]\n"
    "lambda = { factor = 2, from = -2, to = 0 }\n"
    "[[settings]]\n"
    "id = 'first'\n"
    "domain = 'random-mdp'\n"
    "parameters = { states = 10 }\n"
    "features = 'tabular'\n"
    "policy = 'off'\n"
    "steps = 100\n"
    "instances = 3\n"
    "runs = 20\n"
    "score = 0.5\n"
    "metrics = ['mave']\n"
    "record = true\n"
    "fresh-runs = 5\n"
    "grid = 'small'\n"
    "algorithms = ['td0', 'gtd']\n"
    "[settings.for.gtd]\n"
    "alpha = 0.3\n";

inline std::string toml(const std::string& from = "", const std::string& to = "") {
    return replaced(good, from, to);
}

inline Study study_of(const std::string& text) {
    return parse_study("s.toml", text);
}

// The message with which it is refused; "" where it is not.
inline std::string refused_study(const std::string& text) {
    return refusal([&] { study_of(text); });
}

inline std::string small_study(const std::string& problem, const std::string& metrics, const std::string& rest = "") {
    return "[[settings]]\nid = 'a'\n" + problem + "\nmetrics = " + metrics +
           "\nsteps = 10\nruns = 2\ngrid = { alpha = 1 }\nalgorithms = ['td0']\n" + rest;
}

}  // namespace bellwether::test
