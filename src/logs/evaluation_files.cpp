#include "logs/evaluation_files.hpp"

#include <fmt/format.h>

#include "bellwether/number_text.hpp"
#include "logs/evaluation_json.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace bellwether {

namespace {

std::string estimates_csv(const PolicyEvaluation& e) {
    std::string text = "estimate,value,se,lower,upper,effective\n";
    for (const PolicyEstimate& estimate : e.estimates)
        text += fmt::format("{},{},{},{},{},{}\n", estimate.name, number_text(estimate.value), number_text(estimate.se),
                            number_text(estimate.lower), number_text(estimate.upper), number_text(estimate.effective));
    return text;
}

std::string values_csv(const PolicyEvaluation& e) {
    std::string text;
    for (std::size_t j = 0; j < e.dimension; ++j) text += fmt::format("x{},", j);
    text += "count,value,se\n";
    for (const StateValue& row : e.values) {
        for (const double x : row.x) text += number_text(x) + ",";
        text += fmt::format("{},{},{}\n", row.count, number_text(row.value), number_text(row.se));
    }
    return text;
}

std::string effective_sample_csv(const PolicyEvaluation& e) {
    std::string text = "steps,effective\n";
    for (std::size_t h = 0; h < e.effective_sample.size(); ++h)
        text += fmt::format("{},{}\n", h + 1, number_text(e.effective_sample[h]));
    return text;
}

std::string behaviour_csv(const BehaviourReport& report) {
    std::string text = "predicted,taken,count\n";
    for (const ReliabilityBin& bin : report.reliability)
        text += fmt::format("{},{},{}\n", number_text(bin.predicted), number_text(bin.taken), bin.count);
    return text;
}

}  // namespace

std::vector<std::string> write_evaluation(const PolicyEvaluation& evaluation, const std::filesystem::path& directory) {
    std::error_code problem;
    std::filesystem::create_directories(directory, problem);
    if (problem)
        throw UsageError(fmt::format("{}: cannot make the directory: {}", directory.string(), problem.message()));
    std::vector<std::string> written;
    const auto write = [&](const char* name, const std::string& text) {
        OutputFile file((directory / name).string());
        file.write(text);
        file.commit();
        written.emplace_back(name);
    };
    write("evaluation.json", evaluation_json(evaluation));
    write("estimates.csv", estimates_csv(evaluation));
    write("values.csv", values_csv(evaluation));
    write("effective-sample.csv", effective_sample_csv(evaluation));
    if (evaluation.ratio_source.fitted) write("behaviour.csv", behaviour_csv(evaluation.ratio_source.fitted->report));
    return written;
}

}  // namespace bellwether
