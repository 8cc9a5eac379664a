// Tile coders and Fourier bases of any bounds and inputs.
#include <algorithm>
#include <cmath>

#include "bellwether/fourier.hpp"
#include "bellwether/tile_coding.hpp"
#include "harness.hpp"

namespace bellwether::fuzz {
namespace {

double bound(Numbers& numbers) {
    return numbers.below(4) == 0 ? numbers.any() : 4 * numbers.small();
}

void tiles(Bytes bytes) {
    Numbers numbers(bytes);
    std::vector<TiledInput> inputs(numbers.below(5));
    for (TiledInput& input : inputs) {
        input = {.lower = bound(numbers), .upper = bound(numbers), .tiles = numbers.byte()};
        if (numbers.below(8) == 0) input.tiles = numbers.whole();
        input.wraps = numbers.below(2) == 1;
    }
    TileCoderOptions options{.tilings = numbers.byte(), .memory = std::size_t{numbers.byte()} * numbers.byte()};
    if (numbers.below(8) == 0) options.memory = numbers.whole();
    options.bias = numbers.below(2) == 1;
    auto made = make_tile_coder(inputs, options);
    if (!made) return must_name_place(made.error(), "tile coding");
    const TileCoder& coder = *made;
    must(coder.size() <= UINT32_MAX && coder.active() == options.tilings + (options.bias ? 1 : 0), "sizes");
    must(options.memory == 0 || coder.size() <= options.memory, "the memory is enough");
    SparseBuffer<double> buffer = coder.buffer(), again = coder.buffer();
    std::vector<double> input(inputs.size());
    while (!numbers.at_end()) {
        for (double& number : input) number = bound(numbers);
        coder.encode(input, buffer);
        const auto indices = buffer.indices();
        for (std::size_t i = 0; i < indices.size(); ++i) {
            must(indices[i] < coder.size(), "a tile is one of them");
            must(i == 0 || indices[i - 1] < indices[i], "tiles ascend");
        }
        coder.encode(input, again);
        must(std::equal(indices.begin(), indices.end(), again.indices().begin()), "the same input has the same tiles");
    }
}

void fourier(Bytes bytes) {
    Numbers numbers(bytes);
    std::vector<Bounds> inputs(numbers.below(4));
    for (Bounds& input : inputs) input = {bound(numbers), bound(numbers)};
    FourierOptions options{.order = numbers.below(10), .scaled = numbers.below(2) == 1};
    if (numbers.below(16) == 0) options.order = numbers.whole() | (std::size_t{1} << 25);
    auto made = make_fourier_basis(inputs, options);
    if (!made) return must_name_place(made.error(), "Fourier basis");
    const FourierBasis& basis = *made;
    must(options.order < 10, "what is too large is refused");
    std::vector<double> input(inputs.size()), x(basis.size());
    while (!numbers.at_end()) {
        for (double& number : input) number = bound(numbers);
        basis.encode(input, x);
        for (const double feature : x) must(std::fabs(feature) <= 1, "a feature is in [-1, 1]");
        must(x[0] == 1, "the first is the constant");
    }
}

const Registration registrations[]{Registration({"tiles", tiles}), Registration({"fourier", fourier})};

}  // namespace
}  // namespace bellwether::fuzz
