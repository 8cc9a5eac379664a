#include "rooms.hpp"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace bellwether::test {

namespace {

namespace fs = std::filesystem;

const std::set<std::string> operating_system{"crt_externs", "fcntl", "mach-o", "sched",
                                             "spawn",       "sys",   "time",   "unistd"};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells;
    std::istringstream stream(row.substr(1));
    for (std::string cell; std::getline(stream, cell, '|');) cells.push_back(cell);
    return cells;
}

// The words of a cell that are set as code.
std::vector<std::string> names_in(const std::string& cell) {
    static const std::regex code("`([^`]+)`");
    std::vector<std::string> names;
    for (std::sregex_iterator match(cell.begin(), cell.end(), code), end; match != end; ++match)
        names.push_back((*match)[1]);
    return names;
}

std::string library_of(const std::string& header) {
    if (header.find_first_of("./") == std::string::npos) return "";
    const std::string name = header.substr(0, header.find_first_of("./"));
    return operating_system.contains(name) ? "posix" : name;
}

const Room* find(const std::vector<Room>& rooms, const std::string& name) {
    const auto found = std::find_if(rooms.begin(), rooms.end(), [&](const Room& room) { return room.name == name; });
    return found == rooms.end() ? nullptr : &*found;
}

class Comparison {
public:
    Comparison(const std::vector<Room>& table, const std::vector<Room>& sources) : table_(table), sources_(sources) {}

    std::vector<std::string> problems() && {
        for (const Room& room : sources_)
            if (!find(table_, room.name)) say("the room " + room.name + " is not in the table");
        std::set<std::string> above;
        for (const Room& row : table_) {
            check_order(row, above);
            above.insert(row.name);
            if (const Room* room = find(sources_, row.name))
                check(row, *room);
            else
                say("the table has the room " + row.name + ", which does not exist");
        }
        return std::move(problems_);
    }

private:
    void say(std::string problem) { problems_.push_back(std::move(problem)); }

    void check_order(const Room& row, const std::set<std::string>& above) {
        for (const auto& [used, place] : row.rooms)
            if (!above.contains(used)) say(row.name + " may use " + used + ", which is not above it in the table");
    }

    void check(const Room& row, const Room& room) {
        check_uses(row.name, row.rooms, room.rooms);
        check_uses(row.name, row.libraries, room.libraries);
    }

    void check_uses(const std::string& name, const std::map<std::string, std::string>& allowed,
                    const std::map<std::string, std::string>& used) {
        for (const auto& [other, place] : used)
            if (!allowed.contains(other)) say(place + ": " + name + " may not use " + other);
        for (const auto& [other, place] : allowed)
            if (!used.contains(other)) say(name + " may use " + other + ", and does not any more");
    }

    const std::vector<Room>& table_;
    const std::vector<Room>& sources_;
    std::vector<std::string> problems_;
};

}  // namespace

std::vector<Room> read_table(const std::string& markdown) {
    std::vector<Room> rooms;
    bool is_inside = false;
    for (const std::string& line : lines_of(markdown)) {
        if (line.starts_with("| room ")) is_inside = true;
        if (is_inside && !line.starts_with("|")) break;
        if (!is_inside || !line.starts_with("| `")) continue;
        const std::vector<std::string> cells = cells_of(line);
        if (cells.size() != 4) throw std::runtime_error("not a row of four cells: " + line);
        Room& room = rooms.emplace_back(Room{.name = names_in(cells[0]).front()});
        for (const std::string& name : names_in(cells[2])) room.rooms[name] = "the table";
        for (const std::string& name : names_in(cells[3])) room.libraries[name] = "the table";
    }
    return rooms;
}

void read_includes(const std::string& source, const std::string& name_of_source, Room& room) {
    static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
    const std::vector<std::string> lines = lines_of(source);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        std::smatch match;
        if (!std::regex_match(lines[k], match, include)) continue;
        const std::string header = match[2], place = name_of_source + ":" + std::to_string(k + 1);
        if (match[1] == "<") {
            if (const std::string library = library_of(header); !library.empty())
                room.libraries.try_emplace(library, place);
            continue;
        }
        std::string used = header.substr(0, header.find('/'));
        if (used == "bellwether") used = "core";
        if (used != room.name) room.rooms.try_emplace(used, place);
    }
}

Room read_room(const std::string& name, const fs::path& folder) {
    Room room{.name = name};
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".hpp" || entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        read_includes(text.str(), name + "/" + fs::relative(file, folder).string(), room);
    }
    return room;
}

std::set<std::string> read_cmake_lists(const std::string& cmake) {
    static const std::regex word(R"([A-Za-z0-9_:./$\{\}]+|\)|#[^\n]*)");
    std::set<std::string> rooms;
    bool is_list = false;
    for (std::sregex_iterator match(cmake.begin(), cmake.end(), word), end; match != end; ++match) {
        const std::string token = match->str();
        if (token == "USES" || token == "SEES")
            is_list = true;
        else if (token == ")" || token.starts_with("#") ||
                 std::all_of(token.begin(), token.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
            is_list = false;
        else if (is_list)
            rooms.insert(token);
    }
    return rooms;
}

std::vector<std::string> compare(const std::vector<Room>& table, const std::vector<Room>& sources) {
    return Comparison(table, sources).problems();
}

}  // namespace bellwether::test
