// Model files: a user's own finite MDP.
#include "problems/model_file.hpp"

#include "harness.hpp"
#include "support/document.hpp"

namespace bellwether::fuzz {
namespace {

void must_be_sound(const FiniteMdp& mdp) {
    for (std::size_t s = 0; s < mdp.states(); ++s)
        for (std::size_t a = 0; a < mdp.actions(); ++a)
            for (const Outcome& outcome : mdp.outcomes(s, a))
                must(outcome.next < mdp.states() && outcome.probability >= 0 && outcome.discount >= 0 &&
                         outcome.discount <= 1,
                     "an outcome leads to a state");
    for (const std::uint32_t index : mdp.feature_index()) must(index < mdp.dimension(), "a feature is one of them");
}

void run(Bytes bytes) {
    const std::string text(text_of(bytes));
    const std::string name = document_name("model", text);
    std::vector<FiniteMdp> questions;
    if (const auto problem = refusal([&] { questions = parse_questions(name, text); }))
        return must_name_place(*problem, name);
    for (const FiniteMdp& question : questions) must_be_sound(question);
    const Document document(name, text, "the model");
    must(parse_questions("again.toml", toml_text(document.root())).size() == questions.size(),
         "the model is read back");
}

const Registration registration({"model", run, Form::document});

}  // namespace
}  // namespace bellwether::fuzz
