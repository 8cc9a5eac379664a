#include "plan/study_cut.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bellwether {

namespace {

constexpr std::array<std::string_view, 3> keys{"instances", "runs", "in"};
constexpr std::array<std::string_view, 2> keys_of_setting{"instances", "runs"};

}  // namespace

void read_cut(const Document& file, const DocumentNode& cut, std::span<Setting> settings) {
    const auto read = [&](const DocumentNode& table, Cut& into) {
        if (const auto* instances = table.find("instances")) into.instances = file.count(*instances, UINT32_MAX);
        if (const auto* runs = table.find("runs")) into.runs = file.count(*runs, first_fresh_run);
    };
    file.check_keys(cut, keys);
    for (Setting& setting : settings) read(cut, setting.cut);
    const auto* in = cut.find("in");
    if (!in) return;
    std::vector<std::string_view> ids;
    for (const Setting& setting : settings) ids.push_back(setting.id);
    file.check_keys(*in, ids);
    for (const DocumentNode& table : in->children) {
        file.check_keys(table, keys_of_setting);
        for (Setting& setting : settings)
            if (setting.id == table.key) read(table, setting.cut);
    }
}

}  // namespace bellwether
