// bellwether manual: the help as manual pages, in the language of man.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "bellwether/suggest.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

// Backslashes and dashes as they are, and no line that begins like a request.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
    }
    return result;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

// "bellwether-learn" for a command, "bellwether" for the program.
std::string page_name(const CommandDescription& command, bool is_program) {
    return is_program ? command.name : fmt::format("bellwether-{}", command.name);
}

std::string synopsis_of(const CommandDescription& command, bool is_program) {
    if (is_program) return ".B bellwether\n.I COMMAND\n[\\fIOPTION\\fR]...\n";
    std::string text = fmt::format(".B bellwether {}\n", command.name);
    for (const OptionDescription& option : command.options)
        if (!option.name.empty())
            text += option.required ? fmt::format(".I {}\n", option.name) : fmt::format("[\\fI{}\\fR]\n", option.name);
    return text + "[\\fIOPTION\\fR]...\n";
}

std::string entry_of(const OptionDescription& option) {
    std::string names;
    for (const std::string& flag : option.flags)
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(flag));
    if (!option.name.empty()) names = fmt::format("\\fI{}\\fR", escaped(option.name));
    const std::string value =
        option.takes_value && option.name.empty() ? fmt::format(" \\fI{}\\fR", escaped(option.type)) : "";
    return fmt::format(".TP\n{}{}\n{}\n", names, value, escaped(option.help));
}

std::string page_of(const CommandDescription& command, bool is_program) {
    const std::string name = page_name(command, is_program);
    std::string text =
        fmt::format(".TH {} 1 \"\" \"bellwether {}\" \"User Commands\"\n", upper(escaped(name)), BELLWETHER_VERSION);
    text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}", escaped(name), escaped(command.summary),
                        synopsis_of(command, is_program));
    std::string heading;
    std::vector<OptionDescription> options = command.options;
    std::stable_partition(options.begin(), options.end(), [](const auto& option) { return !option.name.empty(); });
    for (const OptionDescription& option : options) {
        const std::string wanted = option.name.empty() ? option.heading : "Arguments";
        if (wanted != heading) text += fmt::format(".SH {}\n", upper(wanted));
        heading = wanted;
        text += entry_of(option);
    }
    if (is_program) {
        text += ".SH COMMANDS\n";
        for (const CommandDescription& one : command.commands)
            text += fmt::format(".TP\n.BR bellwether\\-{} (1)\n{}\n", escaped(one.name), escaped(one.summary));
    }
    if (!command.footer.empty()) text += fmt::format(".SH NOTES\n.nf\n{}\n.fi\n", escaped(command.footer));
    return text + (is_program ? "" : ".SH SEE ALSO\n.BR bellwether (1)\n");
}

// Every page, NAME.1 each.
void write_all(const Command& program, const std::string& directory) {
    const CommandDescription all = program.describe();
    const auto write = [&](const CommandDescription& command, bool is_program) {
        OutputFile out(fmt::format("{}/{}.1", directory, page_name(command, is_program)));
        out.write(page_of(command, is_program));
        out.commit();
    };
    write(all, true);
    for (const CommandDescription& command : all.commands) write(command, false);
}

void write_manual(const Command& program, const std::string& wanted) {
    const CommandDescription all = program.describe();
    std::vector<std::string> names{page_name(all, true)};
    const CommandDescription* chosen = wanted == names.front() ? &all : nullptr;
    for (const CommandDescription& command : all.commands) {
        names.push_back(page_name(command, false));
        if (names.back() == wanted) chosen = &command;
    }
    if (!chosen) throw UsageError(fmt::format("there is no page '{}'{}", wanted, did_you_mean(wanted, names)));
    OutputFile out("-");
    out.write(page_of(*chosen, chosen == &all));
    out.commit();
}

}  // namespace

void add_manual(Command& program, int&) {
    const auto wanted = std::make_shared<std::string>("bellwether");
    const auto directory = std::make_shared<std::string>();
    Command* command = program.add_subcommand("manual", "A manual page, for man, of the program or of a command");
    command->allow_extras();
    std::vector<std::string> pages{page_name({.name = program.name(), .summary = "", .footer = ""}, true)};
    for (const std::string& name : program.command_names())
        pages.push_back(page_name({.name = name, .summary = "", .footer = ""}, false));
    command->add_option("PAGE", *wanted, "Which one: bellwether (the default), bellwether-learn, ...")
        ->choices(std::move(pages))
        ->type_name("");
    command->add_option("--out", *directory, "Every page, as files in this directory")->type_name("DIR");
    command->footer("Example: bellwether manual bellwether-learn | man -l -");
    command->callback([command, wanted, directory, &program] {
        refuse_extras(*command);
        directory->empty() ? write_manual(program, *wanted) : write_all(program, *directory);
    });
}

}  // namespace bellwether
