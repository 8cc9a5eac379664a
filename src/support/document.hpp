// A TOML or JSON file as one tree whose nodes know where they stand, so that its reader can say where something is
// wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

// Both count from 1; line 0 where the place is not known (the inside of a JSON file).
struct TextPosition {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct DocumentNode {
    enum class Kind { number, text, boolean, list, table, other };

    const DocumentNode* find(std::string_view key_of_child) const;

    Kind kind = Kind::other;
    double number = 0;
    std::optional<std::uint64_t> whole;  // a number written as a whole one from 0: a double holds few of 64 bits
    bool truth = false;
    std::string text;
    std::vector<DocumentNode> children;  // of a list or a table, in the order of the file

    std::string key;  // in the table above it
    TextPosition position, key_position;
    std::shared_ptr<const std::string> file;  // that it stands in; none: the one that the document is named after
    const DocumentNode* parent = nullptr;
};

class Document {
public:
    // The text of a file, as JSON where its name ends in .json, else as TOML; UsageError where it cannot be parsed. The
    // subject is what messages call the whole: "the model".
    Document(std::string name, const std::string& content, std::string subject);
    // A tree that was put together from files. Nodes that are not from the one of that name say which one they are
    // from.
    Document(std::string name, DocumentNode root, std::string subject);
    Document(const Document&) = delete;  // the nodes know their parents by address
    Document& operator=(const Document&) = delete;

    const std::string& name() const { return name_; }
    const DocumentNode& root() const { return root_; }

    // UsageError "FILE:LINE:COLUMN: transitions[3].probability PROBLEM". The root's own path is the subject.
    [[noreturn]] void fail(const DocumentNode& node, std::string_view problem) const;

    // What a node holds, or a failure that says what it holds instead.
    double number(const DocumentNode& node) const;
    double number_in_unit(const DocumentNode& node) const;                   // in [0, 1]
    std::size_t count(const DocumentNode& node, std::size_t maximum) const;  // in 1 … maximum
    std::uint64_t seed(const DocumentNode& node) const;  // in 0 … 2^63 − 1, the most TOML can say
    bool boolean(const DocumentNode& node) const;
    const std::string& text(const DocumentNode& node) const;
    std::span<const DocumentNode> list(const DocumentNode& node) const;

    // The place among the names of the one that the node holds; a failure says what is unknown, and the nearest name.
    std::size_t choose(const DocumentNode& node, std::string_view what, std::span<const std::string_view> names) const;

    // The child of a table; a failure where it is missing.
    const DocumentNode& require(const DocumentNode& table, std::string_view key) const;

    // Fails where the node is not a table or has a key that is not known, with the nearest that is.
    void check_keys(const DocumentNode& node, std::span<const std::string_view> known) const;

private:
    [[noreturn]] void fail_at(const std::string& file, TextPosition position, std::string_view problem) const;
    void parse_toml(const std::string& content);
    void parse_json(const std::string& content);

    std::string name_, subject_;
    DocumentNode root_;
};

// The tree as TOML, without comments: what is parsed again is the same tree. Tables of the root and of its lists have
// lines of their own, what is below them stands in one line.
std::string toml_text(const DocumentNode& root);

// The content of a file; UsageError where it cannot be read.
std::string read_text_file(const std::string& path);

// "transitions[3].probability"; of the root "".
std::string path_of(const DocumentNode& node);

}  // namespace bellwether
