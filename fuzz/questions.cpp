// Files of questions of a horde, with the expressions in them.
#include "stream/questions.hpp"

#include "harness.hpp"

namespace bellwether::fuzz {
namespace {

void run(Bytes bytes) {
    static MemoryFile file;
    const std::vector<std::string> columns{"light", "touch", "action"};
    const std::string& path = file.holding(bytes);
    std::optional<Questions> questions;
    if (const auto problem = refusal([&] { questions = read_questions(path, columns); }))
        return must_name_place(*problem, path);
    for (const Question& question : questions->questions) {
        must(question.group < questions->groups.size(), "a question has its group");
        must(question.depth < questions->questions.size(), "no cycle");
    }
}

const Registration registration({"questions", run, Form::document});

}  // namespace
}  // namespace bellwether::fuzz
