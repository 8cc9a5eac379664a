// Weights to start from: index,weight.
#include "bellwether/number_text.hpp"
#include "harness.hpp"
#include "stream/weights_file.hpp"

namespace bellwether::fuzz {
namespace {

void run(Bytes bytes) {
    static MemoryFile file, again;
    std::vector<double> weights(3), copy(3);
    const std::string& path = file.holding(bytes);
    if (const auto problem = refusal([&] { read_weights(path, weights); })) return must_name_place(*problem, path);
    static MemoryPipe pipe;
    OutputFile out(pipe.path());
    write_weights(weights, out);
    out.commit();
    read_weights(again.holding(pipe.taken()), copy);
    must(same_bits(weights, copy), "weights are read back to the bit");
}

const Registration registration({"weights", run, Form::table});

}  // namespace
}  // namespace bellwether::fuzz
