// bellwether completion: what a shell needs to complete the program's commands, options and names.
#include <fmt/format.h>

#include <algorithm>
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

// What may stand where an option or an argument wants a value.
struct Offer {
    enum class Of { nothing, words, files, directories, studies };
    Of of = Of::nothing;
    std::string words{};  // beside files, where both may stand there
    bool and_files = false;
};

Offer offered_for(const OptionDescription& option) {
    const bool is_algorithm = std::find(option.flags.begin(), option.flags.end(), "--algorithm") != option.flags.end();
    if (is_algorithm) return {.of = Offer::Of::words, .words = algorithm_ids()};
    if (!option.choices.empty())
        return {.of = Offer::Of::words, .words = joined(option.choices), .and_files = option.type.ends_with("FILE")};
    if (option.name == "STUDY") return {.of = Offer::Of::studies};
    if (option.name == "DIR" || option.type == "DIR") return {.of = Offer::Of::directories};
    if (option.type == "FILE" || !option.name.empty()) return {.of = Offer::Of::files};
    return {};
}

std::vector<OptionDescription> arguments_of(const CommandDescription& command) {
    std::vector<OptionDescription> arguments;
    for (const OptionDescription& option : command.options)
        if (!option.name.empty()) arguments.push_back(option);
    return arguments;
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

// Names of files and studies are others' words: they are compared with what was typed and never become a part of a list
// that bash expands, in which $(...) would be run.
std::string bash_offer(const OptionDescription& option) {
    const Offer offer = offered_for(option);
    switch (offer.of) {
        case Offer::Of::words:
            return fmt::format("words=\"{}\"{}", offer.words, offer.and_files ? " files=-f" : "");
        case Offer::Of::files:
            return "files=-f";
        case Offer::Of::directories:
            return "files=-d";
        case Offer::Of::studies:
            return "files=-f studies=yes";
        case Offer::Of::nothing:
            break;
    }
    return ":";
}

std::string bash(const CommandDescription& program) {
    std::string text = fmt::format(
        "# bash completion of bellwether, made by 'bellwether completion bash'\n"
        "_bellwether() {{\n"
        "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words= files= studies= name\n"
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
                    text += fmt::format("        '{} {}') {} ;;\n", command.name, flag, bash_offer(option));
    text += "        *) case \"${COMP_WORDS[1]} $word\" in\n";
    for (const CommandDescription& command : program.commands) {
        const std::vector<OptionDescription> arguments = arguments_of(command);
        std::string offer = arguments.empty() ? ":" : bash_offer(arguments.back());
        if (arguments.size() > 1)
            offer =
                fmt::format("if [ \"$COMP_CWORD\" -eq 2 ]; then {}; else {}; fi", bash_offer(arguments.front()), offer);
        text += fmt::format("            '{0} -'*) words=\"{1}\" ;;\n            '{0} '*) {2} ;;\n", command.name,
                            joined(flags_of(command)), offer);
    }
    return text +
           "            esac ;;\n"
           "        esac\n"
           "    fi\n"
           "    while IFS= read -r name; do COMPREPLY+=(\"$name\"); done < <(\n"
           "        compgen -W \"$words\" -- \"$word\"\n"
           "        [ -z \"$studies\" ] || bellwether list studies --names 2>/dev/null |\n"
           "            while IFS= read -r name; do case $name in \"$word\"*) printf '%s\\n' \"$name\" ;; esac; done\n"
           "        [ -z \"$files\" ] || compgen \"$files\" -- \"$word\"\n"
           "    )\n"
           "}\n"
           "complete -o filenames -F _bellwether bellwether\n";
}

// ---- zsh

// Within single quotes, in a specification of _arguments.
std::string zsh_quoted(const std::string& text) {
    return replaced(replaced(replaced(replaced(first_line(text), "'", "'\\''"), "[", "\\["), "]", "\\]"), ":", "\\:");
}

std::string zsh_offer(const OptionDescription& option) {
    const Offer offer = offered_for(option);
    switch (offer.of) {
        case Offer::Of::words:
            return offer.and_files ? fmt::format(" _bellwether_or_files {}", offer.words)
                                   : fmt::format("({})", offer.words);
        case Offer::Of::files:
            return "_files";
        case Offer::Of::directories:
            return "_files -/";
        case Offer::Of::studies:
            return "_bellwether_studies";
        case Offer::Of::nothing:
            break;
    }
    return " ";
}

std::string zsh(const CommandDescription& program) {
    std::string text =
        "#compdef bellwether\n"
        "# zsh completion of bellwether, made by 'bellwether completion zsh'\n"
        "_bellwether_studies() {\n"
        "    compadd -- ${(f)\"$(bellwether list studies --names 2>/dev/null)\"}\n"
        "    _files\n"
        "}\n"
        "_bellwether_or_files() {\n"
        "    compadd -- $@\n"
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
        const std::vector<OptionDescription> arguments = arguments_of(command);
        for (std::size_t k = 0; k < arguments.size(); ++k)
            text +=
                fmt::format(" \\\n            '{}:{}:{}'", k + 1 < arguments.size() ? fmt::format("{}", k + 1) : "*",
                            arguments[k].name, zsh_offer(arguments[k]));
        for (const OptionDescription& option : command.options) {
            const std::string value = option.takes_value ? fmt::format(":{}:{}", option.type, zsh_offer(option)) : "";
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

std::string fish_offer(const OptionDescription& option) {
    const Offer offer = offered_for(option);
    switch (offer.of) {
        case Offer::Of::words:
            return fmt::format(" {} -a '{}'", offer.and_files ? "-F" : "-f", offer.words);
        case Offer::Of::files:
            return " -F";
        case Offer::Of::directories:
            return " -f -a '(__fish_complete_directories)'";
        case Offer::Of::studies:
            return " -F -a '(bellwether list studies --names 2>/dev/null)'";
        case Offer::Of::nothing:
            break;
    }
    return " -f";
}

std::string fish(const CommandDescription& program) {
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
            if (option.takes_value) line += (option.flags.empty() ? "" : " -r") + fish_offer(option);
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
    std::vector<std::string> names;
    for (const Shell& one : shells) names.emplace_back(one.name);
    command->add_option("SHELL", *shell, "bash, zsh or fish")->choices(std::move(names))->type_name("")->required();
    command->footer(
        "Example: source <(bellwether completion bash), or once and for all, in a folder that is there,\n"
        "bellwether completion bash > ~/.local/share/bash-completion/completions/bellwether\n"
        "bellwether completion fish > ~/.config/fish/completions/bellwether.fish\n"
        "bellwether completion zsh > ~/.zfunc/_bellwether, with ~/.zfunc in $fpath");
    command->callback([command, shell, &program] {
        refuse_extras(*command);
        write_completion(program, *shell);
    });
}

}  // namespace bellwether
