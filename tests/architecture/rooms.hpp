// The rooms of src/ and who uses whom, read from the sources and from the table in docs/architecture.md.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bellwether::test {

// A room, with the rooms and the libraries that it uses; each with a place that says so.
struct Room {
    std::string name;
    std::map<std::string, std::string> rooms{}, libraries{};
};

// The rows of the first table whose header begins with "room".
std::vector<Room> read_table(const std::string& markdown);

// What one source includes. A quoted include is a header of a room, named with it; <a/b.hpp> and <a.h> are of library
// a, or of the operating system; names without a dot and a slash are the standard library's.
void read_includes(const std::string& source, const std::string& name_of_source, Room& room);
// All of a folder.
Room read_room(const std::string& name, const std::filesystem::path& folder);

// The rooms in the lists USES and SEES of a CMakeLists.txt.
std::set<std::string> read_cmake_lists(const std::string& cmake);

// What is wrong, a sentence each. The table's rooms use those above them only, so that there is no cycle.
std::vector<std::string> compare(const std::vector<Room>& table, const std::vector<Room>& sources);

}  // namespace bellwether::test
