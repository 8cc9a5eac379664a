// A tuning on the console, as JSON and as files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "logs/tuning.hpp"

namespace bellwether {

// The best configurations, how sure that is, and the command to learn with; or that the log cannot tell.
// What to know before that.
std::vector<std::string> notes_of(const Tuning& tuning);
std::string tuning_text(const Tuning& tuning);
std::string tuning_json(const Tuning& tuning);

// The options of learn that make the best learner: those that are not the defaults.
std::string learn_command(const Tuning& tuning);

// tune.json, and configurations.csv with every configuration, the best first. Each appears whole or not at all.
std::vector<std::string> write_tuning(const Tuning& tuning, const std::filesystem::path& directory);

}  // namespace bellwether
