// bellwether sample: a stream from a problem, in the form that learn reads.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "bellwether/number_text.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/problem_options.hpp"
#include "problems/trajectory.hpp"
#include "support/error.hpp"
#include "support/interrupt.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"

namespace bellwether {
namespace {

struct SampleOptions {
    std::unique_ptr<ProblemOptions> problem;
    std::string steps;
    std::string out = "-";
    bool sparse = false;
    bool quiet = false;
};

// The cells of a state's features, and of its lambda and interest where the problem has them, as every row of that
// state has them.
struct StateCells {
    std::string features, lambda, interest;
};

std::vector<StateCells> cells_of_states(const FiniteMdp& mdp, bool sparse, bool interest) {
    std::vector<StateCells> cells(mdp.states());
    for (std::size_t s = 0; s < mdp.states(); ++s) {
        const auto x = mdp.features(s);
        std::string& text = cells[s].features;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (sparse && x[i] == 0) continue;
            if (!text.empty()) text += sparse ? ' ' : ',';
            text += sparse ? fmt::format("{}:{}", i, number_text(x[i])) : number_text(x[i]);
        }
        if (mdp.has_lambda()) cells[s].lambda = fmt::format(",{}", number_text(mdp.lambda(s)));
        if (interest) cells[s].interest = fmt::format(",{}", number_text(mdp.interest(s)));
    }
    return cells;
}

void sample(const SampleOptions& options) {
    watch_interrupts();
    const FiniteMdp mdp = options.problem->make();
    const std::uint64_t steps = count_option("steps", options.steps, 1, Sampler::longest_run);
    const Sampler sampler(mdp);
    bool interest = false;
    for (std::size_t s = 0; s < mdp.states(); ++s) interest = interest || mdp.interest(s) != 1;
    const std::vector<StateCells> cells = cells_of_states(mdp, options.sparse, interest);

    OutputFile out(options.out);
    std::string header = "features";
    if (!options.sparse) {
        header = "x0";
        for (std::size_t i = 1; i < mdp.dimension(); ++i) header += fmt::format(",x{}", i);
    }
    out.write(header + ",reward,gamma,rho,pi,mu" + (mdp.has_lambda() ? ",lambda" : "") + (interest ? ",interest" : "") +
              "\n");
    Progress progress("sampling", "steps", static_cast<double>(steps), options.quiet);
    Sampler::Walk walk(sampler, options.problem->seed(), options.problem->instance(), options.problem->run());
    for (std::uint64_t t = 0; t < steps; ++t) {
        const bool is_learned_from = sampler.is_active(walk.state());
        const StateCells& state = cells[walk.state()];
        const Sampler::Draw draw = walk.step();
        if (is_learned_from) {
            out.write(state.features);
            for (const double number : {draw.reward, draw.gamma, draw.rho, draw.pi, draw.mu}) {
                out.write(",");
                out.write(number_text(number));
            }
            out.write(state.lambda);
            out.write(state.interest);
            out.write("\n");
        }
        if (t % 4096 == 0) {
            stop_if_interrupted();
            progress.update(static_cast<double>(t));
        }
    }
    // The state that the last step leads to closes the stream.
    const StateCells& last = cells[walk.state()];
    out.write(last.features + ",,,,," + last.lambda + (interest ? "," : "") + "\n");
    out.commit();
}

}  // namespace

void add_sample(Command& program, int&) {
    const auto options = std::make_shared<SampleOptions>();
    Command* command = program.add_subcommand("sample", "A stream from a problem, in the form that learn reads");
    command->allow_extras();
    options->problem = std::make_unique<ProblemOptions>(*command);
    command->add_option("--steps", options->steps, "How many steps")->type_name("COUNT")->required();
    command->add_flag("--sparse", options->sparse, "Sparse features (index:value)");
    command->add_option("--out", options->out, "Where the stream goes (default: standard output)")->type_name("FILE");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->footer(
        "Example: bellwether sample random-mdp --steps 10000 | bellwether learn - --algorithm gtd --alpha 0.05");
    command->callback([command, options] {
        refuse_extras(*command);
        sample(*options);
    });
}

}  // namespace bellwether
