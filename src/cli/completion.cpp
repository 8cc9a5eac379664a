// bellwether completion: what a shell needs to complete the program's commands, options and names.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bellwether/catalogue.hpp"
#include "bellwether/suggest.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace bellwether {
namespace {

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

std::string algorithm_ids() {
    std::vector<std::string> ids;
    for (const AlgorithmInfo& info : algorithm_table) ids.emplace_back(info.id);
    return joined(ids);
}

// What a shell offers where an option or an argument wants a value, in its own language.
struct Offers {
    std::string files, directories, studies, algorithms, nothing;
};

std::string Offers::*offered_for(const OptionDescription& option) {
    if (option.name == "STUDY") return &Offers::studies;
    if (option.name == "DIR" || option.type == "DIR") return &Offers::directories;
    if (option.type == "FILE" || !option.name.empty()) return &Offers::files;
    for (const std::string& flag : option.flags)
        if (flag == "--algorithm") return &Offers::algorithms;
    return &Offers::nothing;
}

std::vector<std::string> flags_of(const CommandDescription& command) {
    std::vector<std::string> flags;
    for (const OptionDescription& option : command.options)
        flags.insert(flags.end(), option.flags.begin(), option.flags.end());
    return flags;
}

std::vector<std::string> names_of(const CommandDescription& program) {
    std::vector<std::string> names;
    for (const CommandDescription& command : program.commands) names.push_back(command.name);
    return names;
}

// The first line, which is all that a list of choices has room for.
std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

// ---- bash

std::string bash(const CommandDescription& program) {
    const Offers offers{.files = "$(compgen -f -- \"$word\")",
                        .directories = "$(compgen -d -- \"$word\")",
                        .studies = "$(bellwether list studies --names 2>/dev/null) $(compgen -f -- \"$word\")",
                        .algorithms = algorithm_ids(),
                        .nothing = ""};
    std::string text = fmt::format(
        "# bash completion of bellwether, made by 'bellwether completion bash'\n"
        "_bellwether() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=\n"
        "    COMPREPLY=()\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        words=\"{} {}\"\n"
        "    else\n"
        "        case \"${{COMP_WORDS[1]}} $before\" in\n",
        joined(names_of(program)), joined(flags_of(program)));
    for (const CommandDescription& command : program.commands)
        for (const OptionDescription& option : command.options)
            for (const std::string& flag : option.flags)
                if (option.takes_value)
                    text += fmt::format("        '{} {}') words=\"{}\" ;;\n", command.name, flag,
                                        offers.*offered_for(option));
    text += "        *) case \"${COMP_WORDS[1]}\" in\n";
    for (const CommandDescription& command : program.commands) {
        std::string positional;
        for (const OptionDescription& option : command.options)
            if (!option.name.empty()) positional = offers.*offered_for(option);
        text += fmt::format("            {}) words=\"{}\"; case $word in -*) ;; *) words=\"{}\" ;; esac ;;\n",
                            command.name, joined(flags_of(command)), positional);
    }
    return text +
           "            esac ;;\n"
           "        esac\n"
           "    fi\n"
           "    local IFS=$' \\n'\n"
           "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -o filenames -F _bellwether bellwether\n";
}

// ---- zsh

// Within single quotes, in a specification of _arguments.
std::string zsh_quoted(const std::string& text) {
    return replaced(replaced(replaced(replaced(first_line(text), "'", "'\\''"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh(const CommandDescription& program) {
    const Offers offers{.files = "_files",
                        .directories = "_files -/",
                        .studies = "_bellwether_studies",
                        .algorithms = fmt::format("({})", algorithm_ids()),
                        .nothing = " "};
    std::string text =
        "#compdef bellwether\n"
        "# zsh completion of bellwether, made by 'bellwether completion zsh'\n"
        "_bellwether_studies() {\n"
        "    compadd -- ${(f)\"$(bellwether list studies --names 2>/dev/null)\"}\n"
        "    _files\n"
        "}\n"
        "_bellwether() {\n"
        "    local -a commands\n"
        "    commands=(\n";
    for (const CommandDescription& command : program.commands)
        text += fmt::format("        '{}:{}'\n", command.name, zsh_quoted(command.summary));
    text +=
        "    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe 'command' commands\n"
        "        return\n"
        "    fi\n"
        "    local command=$words[2]\n"
        "    shift words\n"
        "    (( CURRENT-- ))\n"
        "    case $command in\n";
    for (const CommandDescription& command : program.commands) {
        text += fmt::format("    {})\n        _arguments", command.name);
        for (const OptionDescription& option : command.options) {
            const std::string value =
                option.takes_value ? fmt::format(":{}:{}", option.type, offers.*offered_for(option)) : "";
            if (!option.name.empty())
                text += fmt::format(" \\\n            '*:{}:{}'", option.name, offers.*offered_for(option));
            for (const std::string& flag : option.flags)
                text += fmt::format(" \\\n            '{}[{}]{}'", flag, zsh_quoted(option.help), value);
        }
        text += "\n        ;;\n";
    }
    return text +
           "    esac\n"
           "}\n"
           "if [ \"$funcstack[1]\" = _bellwether ]; then _bellwether \"$@\"; else compdef _bellwether bellwether; fi\n";
}

// ---- fish

std::string fish_quoted(const std::string& text) {
    return fmt::format("'{}'", replaced(replaced(first_line(text), "\\", "\\\\"), "'", "\\'"));
}

std::string fish(const CommandDescription& program) {
    const Offers offers{.files = " -F",
                        .directories = " -f -a '(__fish_complete_directories)'",
                        .studies = " -F -a '(bellwether list studies --names 2>/dev/null)'",
                        .algorithms = fmt::format(" -f -a '{}'", algorithm_ids()),
                        .nothing = " -f"};
    std::string text =
        "# fish completion of bellwether, made by 'bellwether completion fish'\n"
        "complete -c bellwether -f\n";
    for (const CommandDescription& command : program.commands)
        text += fmt::format("complete -c bellwether -n __fish_use_subcommand -a {} -d {}\n", command.name,
                            fish_quoted(command.summary));
    for (const CommandDescription& command : program.commands)
        for (const OptionDescription& option : command.options) {
            std::string line = fmt::format("complete -c bellwether -n '__fish_seen_subcommand_from {}'", command.name);
            for (const std::string& flag : option.flags)
                line += flag.starts_with("--") ? fmt::format(" -l {}", flag.substr(2))
                                               : fmt::format(" -s {}", flag.substr(1));
            if (option.takes_value) line += (option.flags.empty() ? "" : " -r") + offers.*offered_for(option);
            text += fmt::format("{} -d {}\n", line, fish_quoted(option.help));
        }
    return text;
}

struct Shell {
    std::string_view name;
    std::string (*write)(const CommandDescription&);
};
constexpr std::array<Shell, 3> shells{{{"bash", bash}, {"zsh", zsh}, {"fish", fish}}};

void write_completion(const Command& program, const std::string& wanted) {
    std::vector<std::string> names;
    for (const Shell& shell : shells) {
        names.emplace_back(shell.name);
        if (shell.name != wanted) continue;
        OutputFile out("-");
        out.write(shell.write(program.describe()));
        return out.commit();
    }
    throw UsageError(
        fmt::format("'{}' is none of the shells {}{}", wanted, fmt::join(names, ", "), did_you_mean(wanted, names)));
}

}  // namespace

void add_completion(Command& program, int&) {
    const auto shell = std::make_shared<std::string>();
    Command* command = program.add_subcommand("completion", "A script by which bash, zsh or fish completes commands");
    command->allow_extras();
    command->add_option("SHELL", *shell, "bash, zsh or fish")->type_name("")->required();
    command->footer(
        "Example: source <(bellwether completion bash), or once and for all\n"
        "bellwether completion bash > ~/.local/share/bash-completion/completions/bellwether\n"
        "bellwether completion fish > ~/.config/fish/completions/bellwether.fish\n"
        "bellwether completion zsh > ~/.zfunc/_bellwether, with ~/.zfunc in $fpath");
    command->callback([command, shell, &program] {
        refuse_extras(*command);
        write_completion(program, *shell);
    });
}

}  // namespace bellwether
