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

constexpr std::size_t rows_shown = 5, best_kept = best_looked_at;

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

std::string_view error_name(TuningScore score) {
    switch (score) {
        case TuningScore::projected:
            return "projected error";
        case TuningScore::returns:
            return "error of returns";
        case TuningScore::progressive:
            break;
    }
    return "error while learning";
}

std::string beside_least_squares(std::optional<double> score) {
    return score ? fmt::format("; LSTD: {:.3g}", *score) : "";
}

nlohmann::ordered_json json_of(const FreshScore& fresh) {
    return {{"score", fresh.score}, {"lower", fresh.lower}, {"upper", fresh.upper}};
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

std::vector<std::string> notes_of(const Tuning& tuning) {
    if (tuning.ratios_in_columns) return {};
    return {"the ratios of this target and behaviour are not in the log's columns: give learn a log with a column rho"};
}

std::string tuning_text(const Tuning& tuning) {
    std::string text = fmt::format("{}: {} configurations × 5 folds, {} diverged\n", tuning.name,
                                   tuning.configurations.size(), tuning.diverged);
    text += fmt::format("  {:<14}{:>10}{:>8}{:>8}     {}\n", "algorithm", "alpha", "lambda", "eta",
                        error_name(tuning.score));
    for (std::size_t c = 0; c < std::min(rows_shown, tuning.configurations.size()); ++c) {
        const TunedConfiguration& one = tuning.configurations[c];
        if (!std::isfinite(one.score)) break;
        const auto eta = value_of(one, "eta");
        // A dash is one character in three bytes.
        text +=
            fmt::format("  {:<14}{:>10}{:>8}{:>8}     {:.3g}\n", one.algorithm->id, text_of(value_of(one, "alpha"), ""),
                        text_of(value_of(one, "lambda"), ""), text_of(eta, "–"), one.score);
    }
    text += fmt::format("{} configuration{} cannot be told from the best; predicting 0: {:.3g} (z = {:.1f}){}\n",
                        tuning.indistinguishable, tuning.indistinguishable == 1 ? "" : "s", tuning.score_of_zero,
                        tuning.z, beside_least_squares(tuning.least_squares));
    if (tuning.fresh_segments > 0 && tuning.best().fresh) {
        const FreshScore& fresh = *tuning.best().fresh;
        text += fmt::format(
            "on {} fresh segments, by final weights: {:.3g} ({:.3g} to {:.3g}); predicting 0: {:.3g}{}\n",
            tuning.fresh_segments, fresh.score, fresh.lower, fresh.upper, tuning.fresh_zero.score,
            beside_least_squares(tuning.fresh_least_squares ? std::optional(tuning.fresh_least_squares->score)
                                                            : std::nullopt));
    }
    if (!tuning.can_tell())
        return text +
               "Cannot tell: no configuration is clearly better than predicting 0. Log more, or look at the "
               "features.\n";
    text += learn_command(tuning) + "\n";
    for (const std::string& note : notes_of(tuning)) text += "note: " + note + "\n";
    return text;
}

std::string tuning_json(const Tuning& tuning) {
    using Json = nlohmann::ordered_json;
    Json json{{"log", tuning.name},
              {"score", name_of(tuning.score)},
              {"can_tell", tuning.can_tell()},
              {"configurations", tuning.configurations.size()},
              {"diverged", tuning.diverged},
              {"score_of_zero_final", tuning.score_of_zero},
              {"score_of_best_final", tuning.score_of_best},
              {"score_of_least_squares", tuning.least_squares ? Json(*tuning.least_squares) : Json()},
              {"z_against_zero", tuning.z},
              {"indistinguishable", tuning.indistinguishable},
              {"alpha_scale", tuning.alpha_scale},
              {"fresh", Json()},
              {"notes", notes_of(tuning)},
              {"best", Json::array()}};
    if (tuning.fresh_segments > 0)
        json["fresh"] = {{"segments", tuning.fresh_segments},
                         {"best", tuning.best().fresh ? json_of(*tuning.best().fresh) : Json()},
                         {"zero", json_of(tuning.fresh_zero)},
                         {"least_squares", tuning.fresh_least_squares ? json_of(*tuning.fresh_least_squares) : Json()}};
    const std::vector<std::string> names = parameters_of(tuning);
    for (std::size_t c = 0; c < std::min(best_kept, tuning.configurations.size()); ++c) {
        const TunedConfiguration& one = tuning.configurations[c];
        Json row{{"algorithm", one.algorithm->id}};
        for (const std::string& name : names) {
            const auto value = value_of(one, name);
            row[name] = value ? Json(*value) : Json();
        }
        row["score"] = std::isfinite(one.score) ? Json(one.score) : Json();
        if (one.fresh) row["fresh"] = json_of(*one.fresh);
        if (one.rupee) row["rupee"] = *one.rupee;
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
    const bool fresh = tuning.fresh_segments > 0, monitored = tuning.best().rupee.has_value();
    std::string table = fmt::format("algorithm,{},score{}{}\n", fmt::join(names, ","), fresh ? ",fresh" : "",
                                    monitored ? ",rupee" : "");
    for (const TunedConfiguration& one : tuning.configurations) {
        table += one.algorithm->id;
        for (const std::string& name : names) table += fmt::format(",{}", text_of(value_of(one, name), ""));
        table += fmt::format(",{}", number_text(one.score));
        if (fresh) table += fmt::format(",{}", one.fresh ? number_text(one.fresh->score) : "");
        if (monitored) table += fmt::format(",{}", text_of(one.rupee, ""));
        table += "\n";
    }
    write("tune.json", tuning_json(tuning));
    write("configurations.csv", table);
    return {"tune.json", "configurations.csv"};
}

}  // namespace bellwether
