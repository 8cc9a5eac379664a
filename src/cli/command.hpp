// A command and its options as the commands declare them. CLI11 stands behind it, in command.cpp alone: its headers
// take longer to compile than most commands.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace bellwether {

// What the help says, for whatever else is made of it: shell completion, manual pages.
struct OptionDescription {
    std::string name;                // of a positional argument; "" for an option
    std::vector<std::string> flags;  // of an option: "--help", "-h"
    std::string type;                // "FILE"; "" where there is no value, or nothing to be said of it
    std::string help, heading;
    std::vector<std::string> choices;  // its values, where they can be counted
    bool takes_value;
    bool required;
};
struct CommandDescription {
    std::string name, summary, footer;
    std::vector<OptionDescription> options{};
    std::vector<CommandDescription> commands{};
};

// One option or positional argument. Each of these returns the option itself, to go on with.
class Option {
public:
    explicit Option(CLI::Option* option) : option_(option) {}

    Option* type_name(const std::string& name);  // what stands behind the option in the help
    Option* required();
    Option* group(const std::string& heading);        // of the help
    Option* allow_extra_args(bool allow);             // false: one value each time the option is given
    Option* choices(std::vector<std::string> names);  // what shells offer; the command itself checks its values

private:
    friend class Command;
    CLI::Option* option_;
    std::vector<std::string> choices_;
};

// The program, or one of its commands.
class Command {
public:
    Command(const std::string& name, const std::string& description);  // the program
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;
    ~Command();

    Command* add_subcommand(const std::string& name, const std::string& description);
    // "--name" for an option, "NAME" for a positional argument.
    Option* add_option(const std::string& name, std::string& value, const std::string& help);
    Option* add_option(const std::string& name, std::vector<std::string>& values, const std::string& help);
    Option* add_option_function(const std::string& name, const std::function<void(const std::string&)>& take,
                                const std::string& help);
    Option* add_flag(const std::string& name, bool& given, const std::string& help);
    void set_version_flag(const std::string& name, const std::string& text);
    void set_help_flag(const std::string& name, const std::string& help);
    void footer(const std::string& text);
    void column_width(std::size_t width);           // of the options' names in the help, and in that of the commands
    void allow_extras();                            // arguments that no option takes are for remaining()
    void callback(std::function<void()> function);  // called when this command was chosen

    // Reads the arguments and calls the chosen command. Returns false where they only asked for the help or the
    // version, which is then printed; UsageError where they do not fit the options.
    bool parse(int argc, const char* const* argv);

    const std::string& name() const;
    const Command* chosen() const;  // the command that was chosen, null where none was
    std::vector<std::string> command_names() const;
    std::vector<std::string> option_names() const;  // the long ones, with their dashes
    CommandDescription describe() const;
    std::vector<std::string> remaining() const;  // arguments that no option took

private:
    struct Parts;
    explicit Command(CLI::App* app);
    Option* keep(CLI::Option* option);

    std::unique_ptr<Parts> parts_;
};

}  // namespace bellwether
