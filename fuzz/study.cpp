// Study files, with one model file that they may name.
#include "plan/study.hpp"

#include "harness.hpp"
#include "small_files.hpp"

namespace bellwether::fuzz {
namespace {

void run(Bytes bytes) {
    const std::string text(text_of(bytes));
    const std::string name = document_name("study", text);
    const ModelTexts models{{"model.toml", std::string(small_model)}};
    std::optional<Study> study;
    if (const auto problem = refusal([&] { study = parse_study(name, text, models); })) {
        if (!problem->starts_with("model.toml")) must_name_place(*problem, name);
        return;
    }
    for (const Setting& setting : study->settings)
        must(setting.configurations() > 0 && setting.measurements() > 0, "a setting has something to do");
    const std::string identity = study->identity();
    const Document document(name, text, "the study");
    must(parse_study("again.toml", toml_text(document.root()), models).identity() == identity,
         "the study is read back the same");
}

const Registration registration({"study", run, Form::document});

}  // namespace
}  // namespace bellwether::fuzz
