#include "plan/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "bellwether/suggest.hpp"
#include "plan/installed_studies.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace fs = std::filesystem;

namespace {

using Kind = DocumentNode::Kind;
using Names = std::vector<std::string_view>;

constexpr std::array<std::string_view, 2> file_keys{"cut", "readings"};
constexpr std::array<std::string_view, 9> reading_keys{"id",    "statement", "settings", "cut",       "seed",
                                                       "grids", "change",    "in",       "algorithms"};
constexpr std::array<std::string_view, 3> cut_keys{"instances", "runs", "in"};
constexpr std::array<std::string_view, 2> cut_keys_of_setting{"instances", "runs"};
// Of what a setting has, these are tables whose entries are changed one by one.
constexpr std::array<std::string_view, 2> keys_of_tables{"parameters", "for"};

DocumentNode* find(DocumentNode& table, std::string_view key) {
    for (DocumentNode& child : table.children)
        if (child.key == key) return &child;
    return nullptr;
}

// In place of what the table has at that key, or beside the rest.
void put(DocumentNode& table, DocumentNode value) {
    if (DocumentNode* before = find(table, value.key))
        *before = std::move(value);
    else
        table.children.push_back(std::move(value));
}

DocumentNode make_text(std::string_view key, std::string_view text) {
    DocumentNode node;
    node.kind = Kind::text;
    node.key = key;
    node.text = text;
    return node;
}

// Builds the study of a reading out of the two files' trees.
class ReadingMaker {
public:
    ReadingMaker(const Document& readings, const Reading& reading, const Document& study)
        : readings_(readings),
          changes_(*reading.changes),
          study_(study),
          name_(std::make_shared<const std::string>(readings.name())),
          root_(study.root()) {}

    DocumentNode make(const Reading& reading) {
        choose_settings();
        if (const auto* seed = changes_.find("seed")) put(root_, from_readings(*seed));
        if (const auto* grids = changes_.find("grids")) change_grids(*grids);
        if (const auto* change = changes_.find("change"))
            for (DocumentNode& setting : settings()) change_setting(setting, *change);
        for_each_in(changes_,
                    [&](DocumentNode& setting, const DocumentNode& change) { change_setting(setting, change); });
        if (const auto* algorithms = changes_.find("algorithms")) replace_algorithms(*algorithms);
        std::erase_if(root_.children, [](const DocumentNode& child) { return child.key == "cut"; });
        for (DocumentNode& setting : settings()) cut(setting);
        add_mark(reading);
        return std::move(root_);
    }

private:
    // A copy that knows where it is from.
    DocumentNode from_readings(const DocumentNode& node) const {
        DocumentNode copy = node;
        set_file(copy);
        return copy;
    }
    void set_file(DocumentNode& node) const {
        node.file = name_;
        for (DocumentNode& child : node.children) set_file(child);
    }

    std::vector<DocumentNode>& settings() { return find(root_, "settings")->children; }

    static std::string_view id_of(const DocumentNode& setting) { return setting.find("id")->text; }

    Names setting_ids() {
        Names ids;
        for (const DocumentNode& setting : settings()) ids.push_back(id_of(setting));
        return ids;
    }

    // The settings that the reading is about; all where it does not say. Figures may need the others.
    void choose_settings() {
        for (const DocumentNode& setting : study_.list(study_.require(study_.root(), "settings")))
            study_.text(study_.require(setting, "id"));
        const auto* wanted = changes_.find("settings");
        if (!wanted) return;
        const Names ids = setting_ids();
        std::vector<bool> chosen(ids.size());
        for (const DocumentNode& node : readings_.list(*wanted)) chosen[readings_.choose(node, "setting", ids)] = true;
        std::vector<DocumentNode> kept;
        for (std::size_t s = 0; s < chosen.size(); ++s)
            if (chosen[s]) kept.push_back(settings()[s]);
        if (kept.empty()) readings_.fail(*wanted, "is empty: there must be at least one setting");
        settings() = std::move(kept);
        std::erase_if(root_.children, [](const DocumentNode& child) { return child.key == "figures"; });
    }

    void change_grids(const DocumentNode& grids) {
        if (grids.kind != Kind::table) readings_.fail(grids, "is not a table of grids");
        DocumentNode none;
        DocumentNode* const found = find(root_, "grids");
        DocumentNode& of_study = found ? *found : none;
        Names names;
        for (const DocumentNode& grid : of_study.children) names.push_back(grid.key);
        readings_.check_keys(grids, names);
        for (const DocumentNode& grid : grids.children) {
            if (grid.kind != Kind::table) readings_.fail(grid, "is not a table of parameters");
            for (const DocumentNode& values : grid.children) put(*find(of_study, grid.key), from_readings(values));
        }
    }

    void change_setting(DocumentNode& setting, const DocumentNode& change) const {
        if (change.kind != Kind::table) readings_.fail(change, "is not a table of keys of settings");
        for (const DocumentNode& value : change.children) {
            if (value.key == "id") readings_.fail(value, "would rename a setting, whose claims could not find it");
            DocumentNode* before = find(setting, value.key);
            const bool is_merged =
                before && before->kind == Kind::table && value.kind == Kind::table &&
                std::find(keys_of_tables.begin(), keys_of_tables.end(), value.key) != keys_of_tables.end();
            if (!is_merged) {
                put(setting, from_readings(value));
                continue;
            }
            for (const DocumentNode& entry : value.children) put(*before, from_readings(entry));
        }
    }

    // What stands under "in": a table for each of some settings.
    template <class Use>
    void for_each_in(const DocumentNode& table, Use use) {
        const auto* in = table.find("in");
        if (!in) return;
        readings_.check_keys(*in, setting_ids());
        for (const DocumentNode& change : in->children)
            for (DocumentNode& setting : settings())
                if (id_of(setting) == change.key) use(setting, change);
    }

    // One algorithm in the place of another, with the values that the other one had under "for".
    void replace_algorithms(const DocumentNode& table) {
        if (table.kind != Kind::table) readings_.fail(table, "is not a table of algorithms");
        for (const DocumentNode& entry : table.children) {
            bool is_found = false;
            for (DocumentNode& setting : settings()) {
                DocumentNode* algorithms = find(setting, "algorithms");
                if (!algorithms) continue;
                for (DocumentNode& algorithm : algorithms->children)
                    if (algorithm.text == entry.key) {
                        algorithm = make_text("", readings_.text(entry));
                        algorithm.position = entry.position;
                        algorithm.file = name_;
                        is_found = true;
                    }
                if (DocumentNode* own = find(setting, "for"))
                    if (DocumentNode* values = find(*own, entry.key)) values->key = readings_.text(entry);
            }
            if (!is_found)
                readings_.fail(entry, fmt::format("stands for {}, which none of its settings has", entry.key));
        }
    }

    // ---- The cut.

    // What stands for a setting: in the reading, or else in the file as a whole.
    const DocumentNode* find_cut(std::string_view setting, std::string_view key) const {
        for (const DocumentNode* of : {&changes_, &readings_.root()}) {
            const auto* cut = of->find("cut");
            if (!cut) continue;
            const auto* in = cut->find("in");
            const auto* own = in ? in->find(setting) : nullptr;
            if (const auto* found = own ? own->find(key) : nullptr) return found;
            if (const auto* found = cut->find(key)) return found;
        }
        return nullptr;
    }

    // Metrics and fresh runs that have as many runs as the setting follow it; fewer stay, as far as there are so many.
    void cut(DocumentNode& setting) const {
        const DocumentNode* instances = find_cut(id_of(setting), "instances");
        if (instances && setting.find("instances")) put(setting, from_readings(*instances));
        const DocumentNode* runs = find_cut(id_of(setting), "runs");
        if (!runs) return;
        const DocumentNode* before = setting.find("runs");
        const double had = before ? before->number : 0;
        const auto follow = [&](DocumentNode& count) {
            if (count.kind != Kind::number || (count.number != had && count.number <= runs->number)) return;
            DocumentNode fewer = from_readings(*runs);
            fewer.key = count.key;
            count = std::move(fewer);
        };
        if (DocumentNode* metrics = find(setting, "metrics"); metrics && metrics->kind == Kind::table)
            for (DocumentNode& metric : metrics->children) follow(metric);
        if (DocumentNode* fresh = find(setting, "fresh-runs"); fresh && fresh->number == had) follow(*fresh);
        put(setting, from_readings(*runs));
    }

    // What it is a reading of: for reports, which find it in the store.
    void add_mark(const Reading& reading) {
        DocumentNode mark;
        mark.kind = Kind::table;
        mark.key = "reading";
        mark.children.push_back(make_text("id", reading.id));
        mark.children.push_back(make_text("statement", reading.statement));
        if (const auto* algorithms = changes_.find("algorithms")) mark.children.push_back(from_readings(*algorithms));
        put(root_, std::move(mark));
    }

    const Document& readings_;
    const DocumentNode& changes_;
    const Document& study_;
    std::shared_ptr<const std::string> name_;
    DocumentNode root_;
};

void check_cut(const Document& file, const DocumentNode& of) {
    const auto* cut = of.find("cut");
    if (!cut) return;
    file.check_keys(*cut, cut_keys);
    if (const auto* in = cut->find("in")) {
        if (in->kind != Kind::table) file.fail(*in, "is not a table of settings");
        for (const DocumentNode& setting : in->children) file.check_keys(setting, cut_keys_of_setting);
    }
}

}  // namespace

ReadingsFile::ReadingsFile(const std::string& name, const std::string& text) : file_(name, text, "the readings file") {
    file_.check_keys(file_.root(), file_keys);
    check_cut(file_, file_.root());
    for (const DocumentNode& node : file_.list(file_.require(file_.root(), "readings"))) {
        file_.check_keys(node, reading_keys);
        check_cut(file_, node);
        const DocumentNode& id = file_.require(node, "id");
        if (!is_plain_id(file_.text(id)))
            file_.fail(id, fmt::format("is '{}': it must be of letters, digits, - and _", id.text));
        for (const Reading& other : readings_)
            if (other.id == id.text) file_.fail(id, fmt::format("is '{}', as that of another reading", id.text));
        const DocumentNode& statement = file_.require(node, "statement");
        if (file_.text(statement).empty()) file_.fail(statement, "is empty");
        readings_.push_back({id.text, statement.text, &node});
    }
}

const Reading& ReadingsFile::require(std::string_view id) const {
    Names known;
    for (const Reading& reading : readings_) {
        if (reading.id == id) return reading;
        known.push_back(reading.id);
    }
    const std::string nearest = did_you_mean(id, known);
    throw UsageError(fmt::format("{} has no reading '{}'{}", file_.name(), id,
                                 nearest.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : nearest));
}

Study ReadingsFile::apply(const Reading& reading, const std::string& study_file, const std::string& study_text) const {
    const Document study(study_file, study_text, "the study");
    return parse_study(study_file, ReadingMaker(file_, reading, study).make(reading),
                       fmt::format("# The study of {} as its reading '{}' has it: written by the program.\n",
                                   fs::path(study_file).filename().string(), reading.id));
}

std::optional<fs::path> readings_file_of(const fs::path& study_file) {
    const fs::path file = study_file.parent_path() / readings_of_folder;
    if (study_file.filename() != study_of_folder || !fs::exists(file)) return std::nullopt;
    return file;
}

Study read_reading(const std::string& study_file, std::string_view id) {
    const auto file = readings_file_of(study_file);
    if (!file)
        throw UsageError(fmt::format("{} has no readings: there is no {} beside it", study_file, readings_of_folder));
    const ReadingsFile readings(file->string(), read_text_file(file->string()));
    return readings.apply(readings.require(id), study_file, read_text_file(study_file));
}

}  // namespace bellwether
