#include "logs/tuning_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "bellwether/catalogue.hpp"
#include "bellwether/number_text.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace bellwether {

namespace {

constexpr std::size_t rows_shown = 5, best_kept = 20;

std::optional<double> value_of(const TunedConfiguration& configuration, std::string_view parameter) {
    const ParameterInfo* info = configuration.algorithm->find(parameter);
    if (!info) return std::nullopt;
    return configuration.parameters[static_cast<std::size_t>(info - configuration.algorithm->parameters.data())];
}

std::string text_of(std::optional<double> value, std::string_view none) {
    return value ? number_text(*value) : std::string(none);
}

// Parameters that some configuration has.
std::vector<std::string> parameters_of(const Tuning& tuning) {
    std::vector<std::string> names;
    for (const TunedConfiguration& configuration : tuning.configurations)
        for (const ParameterInfo& info : configuration.algorithm->parameters)
            if (std::find(names.begin(), names.end(), info.name) == names.end()) names.emplace_back(info.name);
    return names;
}

}  // namespace

std::string learn_command(const Tuning& tuning) {
    const TunedConfiguration& best = tuning.best();
    std::string text = fmt::format("bellwether learn {} --algorithm {}", tuning.name, best.algorithm->id);
    for (std::size_t p = 0; p < best.parameters.size(); ++p) {
        const ParameterInfo& info = best.algorithm->parameters[p];
        if (info.required() || best.parameters[p] != info.default_value)
            text += fmt::format(" --{} {}", info.name, number_text(best.parameters[p]));
    }
    return text;
}

std::string tuning_text(const Tuning& tuning) {
    std::string text = fmt::format("{}: {} configurations × 5 folds, {} diverged\n", tuning.name,
                                   tuning.configurations.size(), tuning.diverged);
    text += fmt::format("  {:<14}{:>10}{:>8}{:>8}     projected error\n", "algorithm", "alpha", "lambda", "eta");
    for (std::size_t c = 0; c < std::min(rows_shown, tuning.configurations.size()); ++c) {
        const TunedConfiguration& one = tuning.configurations[c];
        if (!std::isfinite(one.score)) break;
        const auto eta = value_of(one, "eta");
        // A dash is one character in three bytes.
        text +=
            fmt::format("  {:<14}{:>10}{:>8}{:>8}     {:.3g}\n", one.algorithm->id, text_of(value_of(one, "alpha"), ""),
                        text_of(value_of(one, "lambda"), ""), text_of(eta, "–"), one.score);
    }
    text +=
        fmt::format("{} configurations cannot be told from the best; predicting 0: {:.3g} (z = {:.1f}); LSTD: {:.3g}\n",
                    tuning.indistinguishable, tuning.score_of_zero, tuning.z, tuning.least_squares);
    if (!tuning.can_tell())
        return text +
               "Cannot tell: no configuration is clearly better than predicting 0. Log more, or look at the "
               "features.\n";
    return text + learn_command(tuning) + "\n";
}

std::string tuning_json(const Tuning& tuning) {
    using Json = nlohmann::ordered_json;
    Json json{{"log", tuning.name},
              {"can_tell", tuning.can_tell()},
              {"configurations", tuning.configurations.size()},
              {"diverged", tuning.diverged},
              {"score_of_zero_final", tuning.score_of_zero},
              {"score_of_best_final", tuning.score_of_best},
              {"score_of_least_squares", tuning.least_squares},
              {"z_against_zero", tuning.z},
              {"indistinguishable", tuning.indistinguishable},
              {"alpha_scale", tuning.alpha_scale},
              {"best", Json::array()}};
    const std::vector<std::string> names = parameters_of(tuning);
    for (std::size_t c = 0; c < std::min(best_kept, tuning.configurations.size()); ++c) {
        const TunedConfiguration& one = tuning.configurations[c];
        Json row{{"algorithm", one.algorithm->id}};
        for (const std::string& name : names) {
            const auto value = value_of(one, name);
            row[name] = value ? Json(*value) : Json();
        }
        row["score"] = std::isfinite(one.score) ? Json(one.score) : Json();
        json["best"].push_back(std::move(row));
    }
    return json.dump(1) + "\n";
}

std::vector<std::string> write_tuning(const Tuning& tuning, const std::filesystem::path& directory) {
    std::error_code problem;
    std::filesystem::create_directories(directory, problem);
    if (problem)
        throw UsageError(fmt::format("{}: cannot make the directory: {}", directory.string(), problem.message()));
    const auto write = [&](const char* name, const std::string& text) {
        OutputFile file((directory / name).string());
        file.write(text);
        file.commit();
    };
    const std::vector<std::string> names = parameters_of(tuning);
    std::string table = fmt::format("algorithm,{},score\n", fmt::join(names, ","));
    for (const TunedConfiguration& one : tuning.configurations) {
        table += one.algorithm->id;
        for (const std::string& name : names) table += fmt::format(",{}", text_of(value_of(one, name), ""));
        table += fmt::format(",{}\n", number_text(one.score));
    }
    write("tune.json", tuning_json(tuning));
    write("configurations.csv", table);
    return {"tune.json", "configurations.csv"};
}

}  // namespace bellwether
