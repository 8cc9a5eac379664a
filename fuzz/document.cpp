// TOML and JSON as trees, before any reader looks for its keys.
#include "support/document.hpp"

#include <bit>

#include "harness.hpp"

namespace bellwether::fuzz {
namespace {

using Kind = DocumentNode::Kind;

bool has_other(const DocumentNode& node) {  // a date, or null: no reader takes one, and none is written
    if (node.kind == Kind::other) return true;
    for (const DocumentNode& child : node.children)
        if (has_other(child)) return true;
    return false;
}

void must_be_same(const DocumentNode& a, const DocumentNode& b) {
    must(a.kind == b.kind && a.text == b.text && a.truth == b.truth && a.children.size() == b.children.size(),
         [&] { return path_of(a) + " is read back"; });
    if (a.kind == Kind::number)
        must(std::bit_cast<std::uint64_t>(a.number) == std::bit_cast<std::uint64_t>(b.number) ||
                 (a.number != a.number && b.number != b.number),
             [&] { return path_of(a) + " is read back to the bit"; });
    for (std::size_t i = 0; i < a.children.size(); ++i) {
        const DocumentNode* other = a.kind == Kind::table ? b.find(a.children[i].key) : &b.children[i];
        must(other != nullptr, [&] { return path_of(a.children[i]) + " is read back"; });
        must_be_same(a.children[i], *other);
    }
}

void run(Bytes bytes) {
    const std::string text(text_of(bytes));
    const std::string name = document_name("document", text);
    std::optional<Document> document;
    if (const auto problem = refusal([&] { document.emplace(name, text, "the document"); }))
        return must_name_place(*problem, name);
    if (document->root().kind != Kind::table || has_other(document->root())) return;
    const Document again("again.toml", toml_text(document->root()), "the document");
    must_be_same(document->root(), again.root());
}

const Registration registration({"document", run, Form::document});

}  // namespace
}  // namespace bellwether::fuzz
