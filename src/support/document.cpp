#include "support/document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "bellwether/number_text.hpp"
#include "bellwether/suggest.hpp"
#include "support/document_text.hpp"
#include "support/error.hpp"
#include "support/one_line.hpp"

namespace bellwether {

namespace {

using Kind = DocumentNode::Kind;

// No file that is meant has more; it bounds every recursion over a tree.
constexpr std::size_t deepest = 16;
constexpr const char* too_deep = "is nested too deeply";

void set_parents(DocumentNode& node) {
    for (DocumentNode& child : node.children) {
        child.parent = &node;
        set_parents(child);
    }
}

TextPosition position_of(const toml::source_region& region) {
    return {region.begin.line, region.begin.column};
}

// toml++ keeps a table in the order of its keys.
void sort_by_place(std::vector<DocumentNode>& children) {
    std::stable_sort(children.begin(), children.end(), [](const DocumentNode& a, const DocumentNode& b) {
        return std::pair(a.key_position.line, a.key_position.column) <
               std::pair(b.key_position.line, b.key_position.column);
    });
}

// False where the tree is too deep.
bool convert(const toml::node& from, DocumentNode& to, std::size_t depth) {
    if (depth > deepest) return false;
    to.position = position_of(from.source());
    if (const auto* table = from.as_table()) {
        to.kind = Kind::table;
        for (const auto& [key, value] : *table) {
            DocumentNode& child = to.children.emplace_back();
            child.key = key.str();
            child.key_position = position_of(key.source());
            if (!convert(value, child, depth + 1)) return false;
        }
        sort_by_place(to.children);
    } else if (const auto* list = from.as_array()) {
        to.kind = Kind::list;
        for (const toml::node& value : *list)
            if (!convert(value, to.children.emplace_back(), depth + 1)) return false;
    } else if (const auto* text = from.as_string()) {
        to.kind = Kind::text;
        to.text = text->get();
    } else if (const auto* boolean = from.as_boolean()) {
        to.kind = Kind::boolean;
        to.truth = boolean->get();
    } else if (const auto* integer = from.as_integer()) {
        to.kind = Kind::number;
        to.number = static_cast<double>(integer->get());
        if (integer->get() >= 0) to.whole = static_cast<std::uint64_t>(integer->get());
    } else if (const auto* real = from.as_floating_point()) {
        to.kind = Kind::number;
        to.number = real->get();
    }
    return true;
}

// Builds the tree as the parser meets its parts. Every function returns whether to go on.
class JsonBuilder {
public:
    using Json = nlohmann::json;

    JsonBuilder(DocumentNode& root, std::string_view subject) : root_(root), subject_(subject) {}

    bool null() { return add(Kind::other) != nullptr; }
    bool boolean(bool value) {
        add(Kind::boolean)->truth = value;
        return true;
    }
    bool binary(Json::binary_t&) { return add(Kind::other) != nullptr; }
    bool number_integer(Json::number_integer_t value) { return add_number(static_cast<double>(value)); }
    bool number_unsigned(Json::number_unsigned_t value) { return add_number(static_cast<double>(value), value); }
    bool number_float(Json::number_float_t value, const std::string&) { return add_number(value); }
    bool string(std::string& value) {
        add(Kind::text)->text = value;
        return true;
    }
    bool start_object(std::size_t) { return open(Kind::table); }
    bool start_array(std::size_t) { return open(Kind::list); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& value) {
        if (open_.back()->find(value)) {
            set_parents(root_);
            const std::string table = path_of(*open_.back());
            problem = fmt::format("the key '{}' stands twice{}{}", value, table.empty() ? "" : " in ", table);
            return false;
        }
        key_ = value;
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
        std::string_view text = error.what();  // "[json.exception.parse_error.101] parse error at line 1, column 2: …"
        text.remove_prefix(std::min(text.size(), text.find("] ") + 2));
        if (text.starts_with("parse error at")) text.remove_prefix(std::min(text.size(), text.find(": ") + 2));
        problem = text;
        stopped_after = position;
        return false;
    }

    std::string problem;
    std::optional<std::size_t> stopped_after;  // this many bytes, where the text is not JSON

private:
    DocumentNode* add(Kind kind) {
        DocumentNode& node = open_.empty() ? root_ : open_.back()->children.emplace_back();
        node.kind = kind;
        node.key = std::exchange(key_, {});
        return &node;
    }
    bool add_number(double value, std::optional<std::uint64_t> whole = std::nullopt) {
        DocumentNode* node = add(Kind::number);
        node->number = value;
        node->whole = whole;
        return true;
    }
    bool open(Kind kind) {
        if (open_.size() == deepest) {
            problem = fmt::format("{} {}", subject_, too_deep);
            return false;
        }
        open_.push_back(add(kind));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    DocumentNode& root_;
    std::string_view subject_;
    std::vector<DocumentNode*> open_;
    std::string key_;
};

std::string kind_text(Kind kind) {
    switch (kind) {
        case Kind::number:
            return "a number";
        case Kind::text:
            return "a text";
        case Kind::boolean:
            return "a boolean";
        case Kind::list:
            return "a list";
        case Kind::table:
            return "a table";
        case Kind::other:
            return "something else";
    }
    return {};
}

}  // namespace

std::string read_text_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        throw UsageError(fmt::format("{}: cannot read: it is a directory", path));
    std::ifstream file(path, std::ios::binary);
    if (!file) throw UsageError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (file.bad()) throw UsageError(fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
    return content;
}

const DocumentNode* DocumentNode::find(std::string_view key_of_child) const {
    for (const DocumentNode& child : children)
        if (child.key == key_of_child) return &child;
    return nullptr;
}

std::string path_of(const DocumentNode& node) {
    if (!node.parent) return {};
    const std::string above = path_of(*node.parent);
    if (node.parent->kind == Kind::list) return fmt::format("{}[{}]", above, &node - node.parent->children.data());
    return above.empty() ? node.key : fmt::format("{}.{}", above, node.key);
}

Document::Document(std::string name, const std::string& content, std::string subject)
    : name_(std::move(name)), subject_(std::move(subject)) {
    if (const auto problem = find_broken_utf8(content)) fail_at(name_, problem->position, problem->text);
    if (name_.ends_with(".json")) {
        parse_json(content);
    } else {
        parse_toml(content);
    }
    set_parents(root_);
}

Document::Document(std::string name, DocumentNode root, std::string subject)
    : name_(std::move(name)), subject_(std::move(subject)), root_(std::move(root)) {
    set_parents(root_);
}

void Document::parse_toml(const std::string& content) {
    if (const auto problem = find_unfit_for_toml(content)) fail_at(name_, problem->position, problem->text);
    try {
        const toml::table table = toml::parse(std::string_view(content));
        if (!convert(table, root_, 0)) fail_at(name_, {}, fmt::format("{} {}", subject_, too_deep));
    } catch (const toml::parse_error& error) {
        fail_at(name_, position_of(error.source()), error.description());
    }
}

void Document::parse_json(const std::string& content) {
    JsonBuilder builder(root_, subject_);
    if (nlohmann::json::sax_parse(content, &builder)) return;
    const auto stopped_after = builder.stopped_after;
    fail_at(name_, stopped_after ? position_in(content, std::max<std::size_t>(*stopped_after, 1) - 1) : TextPosition{},
            builder.problem);
}

void Document::fail_at(const std::string& file, TextPosition position, std::string_view problem) const {
    std::string message = position.line == 0
                              ? fmt::format("{}: {}", file, problem)
                              : fmt::format("{}:{}:{}: {}", file, position.line, position.column, problem);
    throw UsageError(one_line(message));
}

void Document::fail(const DocumentNode& node, std::string_view problem) const {
    const std::string path = path_of(node);
    fail_at(node.file ? *node.file : name_, node.position,
            fmt::format("{} {}", path.empty() ? subject_ : path, problem));
}

double Document::number(const DocumentNode& node) const {
    if (node.kind != Kind::number) fail(node, fmt::format("is {}, not a number", kind_text(node.kind)));
    if (!std::isfinite(node.number)) fail(node, fmt::format("is {}, not a finite number", number_text(node.number)));
    return node.number;
}

double Document::number_in_unit(const DocumentNode& node) const {
    const double value = number(node);
    if (value < 0 || value > 1) fail(node, fmt::format("is {}: it must be in [0, 1]", number_text(value)));
    return value;
}

std::size_t Document::count(const DocumentNode& node, std::size_t maximum) const {
    const double value = number(node);
    if (value != std::floor(value) || value < 1 || value > static_cast<double>(maximum))
        fail(node, fmt::format("is {}: it must be a whole number in [1, {}]", number_text(value), maximum));
    return static_cast<std::size_t>(value);
}

std::uint64_t Document::seed(const DocumentNode& node) const {
    constexpr std::uint64_t largest = std::numeric_limits<std::int64_t>::max();
    const double value = number(node);
    if (!node.whole || *node.whole > largest)
        fail(node, fmt::format("is {}: it must be a whole number in [0, {}]", number_text(value), largest));
    return *node.whole;
}

bool Document::boolean(const DocumentNode& node) const {
    if (node.kind != Kind::boolean) fail(node, fmt::format("is {}, neither true nor false", kind_text(node.kind)));
    return node.truth;
}

const std::string& Document::text(const DocumentNode& node) const {
    if (node.kind != Kind::text) fail(node, fmt::format("is {}, not a text", kind_text(node.kind)));
    return node.text;
}

std::span<const DocumentNode> Document::list(const DocumentNode& node) const {
    if (node.kind != Kind::list) fail(node, fmt::format("is {}, not a list", kind_text(node.kind)));
    return node.children;
}

std::size_t Document::choose(const DocumentNode& node, std::string_view what,
                             std::span<const std::string_view> names) const {
    const std::string& wanted = text(node);
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    const std::string nearest = did_you_mean(wanted, names);
    fail(node, fmt::format("is '{}', an unknown {}{}", wanted, what,
                           !nearest.empty() ? nearest
                           : names.empty()  ? "; there is none"
                                            : fmt::format("; there are {}", fmt::join(names, ", "))));
}

const DocumentNode& Document::require(const DocumentNode& table, std::string_view key) const {
    const DocumentNode* found = table.find(key);
    if (!found) fail(table, fmt::format("has no '{}'", key));
    return *found;
}

void Document::check_keys(const DocumentNode& node, std::span<const std::string_view> known) const {
    if (node.kind != Kind::table) fail(node, fmt::format("is {}, not a table", kind_text(node.kind)));
    for (const DocumentNode& child : node.children) {
        if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
        fail_at(child.file ? *child.file : name_, child.key_position,
                fmt::format("unknown key '{}'{} (known: {})", path_of(child), did_you_mean(child.key, known),
                            fmt::join(known, ", ")));
    }
}

}  // namespace bellwether
