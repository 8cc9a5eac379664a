#include "cli/command.hpp"

#include <CLI/CLI.hpp>

#include <utility>

#include "support/error.hpp"

namespace bellwether {

Option* Option::type_name(const std::string& name) {
    option_->type_name(name);
    return this;
}
Option* Option::required() {
    option_->required();
    return this;
}
Option* Option::group(const std::string& heading) {
    option_->group(heading);
    return this;
}
Option* Option::allow_extra_args(bool allow) {
    option_->allow_extra_args(allow);
    return this;
}
Option* Option::choices(std::vector<std::string> names) {
    choices_ = std::move(names);
    return this;
}

struct Command::Parts {
    std::unique_ptr<CLI::App> own;  // the program's; it owns those of its commands
    CLI::App* app;
    std::string name = app->get_name();
    std::vector<std::unique_ptr<Command>> commands{};
    std::vector<std::unique_ptr<Option>> options{};
};

Command::Command(const std::string& name, const std::string& description) : Command(new CLI::App(description, name)) {
    parts_->own.reset(parts_->app);
    parts_->app->require_subcommand(0, 1);  // a second one is an argument that nobody takes
}
Command::Command(CLI::App* app) : parts_(new Parts{.own = nullptr, .app = app}) {}
Command::~Command() = default;

Command* Command::add_subcommand(const std::string& name, const std::string& description) {
    CLI::App* app = parts_->app->add_subcommand(name, description);
    parts_->commands.push_back(std::unique_ptr<Command>(new Command(app)));
    return parts_->commands.back().get();
}

Option* Command::keep(CLI::Option* option) {
    parts_->options.push_back(std::make_unique<Option>(option));
    return parts_->options.back().get();
}
Option* Command::add_option(const std::string& name, std::string& value, const std::string& help) {
    return keep(parts_->app->add_option(name, value, help));
}
Option* Command::add_option(const std::string& name, std::vector<std::string>& values, const std::string& help) {
    return keep(parts_->app->add_option(name, values, help));
}
Option* Command::add_option_function(const std::string& name, const std::function<void(const std::string&)>& take,
                                     const std::string& help) {
    return keep(parts_->app->add_option_function<std::string>(name, take, help));
}
Option* Command::add_flag(const std::string& name, bool& given, const std::string& help) {
    return keep(parts_->app->add_flag(name, given, help));
}

void Command::set_version_flag(const std::string& name, const std::string& text) {
    parts_->app->set_version_flag(name, text);
}
void Command::set_help_flag(const std::string& name, const std::string& help) {
    parts_->app->set_help_flag(name, help);
}
void Command::footer(const std::string& text) {
    parts_->app->footer(text);
}
void Command::column_width(std::size_t width) {
    parts_->app->get_formatter()->column_width(width);
}
void Command::allow_extras() {
    parts_->app->allow_extras();
}
void Command::callback(std::function<void()> function) {
    parts_->app->callback(std::move(function));
}

bool Command::parse(int argc, const char* const* argv) {
    try {
        parts_->app->parse(argc, argv);
        return true;
    } catch (const CLI::Success& request) {  // --help and --version
        parts_->app->exit(request);
        return false;
    } catch (const CLI::ArgumentMismatch& error) {  // "--alpha: 1 required NUMBER missing"
        const std::string text = error.what();
        throw UsageError(text.substr(0, text.find(':')) + " needs a value");
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
}

const std::string& Command::name() const {
    return parts_->name;
}
const Command* Command::chosen() const {
    const std::vector<CLI::App*> parsed = parts_->app->get_subcommands();
    for (const auto& command : parts_->commands)
        if (!parsed.empty() && command->parts_->app == parsed.front()) return command.get();
    return nullptr;
}
std::vector<std::string> Command::command_names() const {
    std::vector<std::string> names;
    for (const auto& command : parts_->commands) names.push_back(command->name());
    return names;
}
std::vector<std::string> Command::option_names() const {
    std::vector<std::string> names;
    for (const CLI::Option* option : std::as_const(*parts_->app).get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}
CommandDescription Command::describe() const {
    const CLI::App& app = *parts_->app;
    CommandDescription description{name(), app.get_description(), app.get_footer()};
    for (const CLI::Option* option : app.get_options()) {
        OptionDescription& one = description.options.emplace_back(
            OptionDescription{.name = option->get_positional() ? option->get_name(true) : "",
                              .flags = {},
                              .type = option->get_type_name(),
                              .help = option->get_description(),
                              .heading = option->get_group(),
                              .choices = {},
                              .takes_value = option->get_items_expected_max() > 0,
                              .required = option->get_required()});
        for (const std::string& flag : option->get_lnames()) one.flags.push_back("--" + flag);
        for (const std::string& flag : option->get_snames()) one.flags.push_back("-" + flag);
        for (const auto& ours : parts_->options)
            if (ours->option_ == option) one.choices = ours->choices_;
    }
    for (const auto& command : parts_->commands) description.commands.push_back(command->describe());
    return description;
}
std::vector<std::string> Command::remaining() const {
    return parts_->app->remaining();
}

}  // namespace bellwether
