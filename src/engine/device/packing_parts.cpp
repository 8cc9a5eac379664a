#include "engine/device/packing_parts.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "bellwether/registry.hpp"
#include "engine/device/kernel.hpp"

namespace bellwether {

namespace {

template <template <class, class> class Algorithm>
constexpr OnDevice knowledge_of() {
    if constexpr (runs_on_device<Algorithm>)
        return {numbers_of_learner<Algorithm>, numbers_for_adagrad<Algorithm>, spreads_on_device<Algorithm>};
    return {nullptr, nullptr, false};
}
template <template <class, class> class... Algorithm>
OnDevice knowledge_by_number(AlgorithmList<Algorithm...>, std::size_t algorithm) {
    static constexpr OnDevice all[] = {knowledge_of<Algorithm>()...};
    return all[algorithm];
}

// Configurations with the same λ settle at the same steps, and threads that work together should: by λ, then as they
// are.
std::vector<std::uint32_t> order_of(const LaneBlock& block) {
    std::vector<std::uint32_t> order(block.count);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    const auto parameters = algorithm_table[block.algorithm].parameters;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        if (parameters[p].name != "lambda") continue;
        const double* lambda = block.parameters + p * block.count;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return lambda[a] < lambda[b]; });
    }
    return order;
}

}  // namespace

OnDevice on_device(std::size_t algorithm) {
    return knowledge_by_number(Algorithms{}, algorithm);
}

void put_block(const LaneBlock& block, DeviceRequest& packed, DeviceArena& input) {
    const std::vector<std::uint32_t> order = order_of(block);
    packed.count = block.count;
    packed.parameters = input.put(block.parameters, block.count * algorithm_table[block.algorithm].parameters.size());
    packed.order = input.put(order.data(), block.count);
}

LaneFeatures pack_features(LaneFeatures features, std::size_t rows, DeviceArena& input) {
    switch (features.kind) {
        case LaneFeatures::Kind::one_hot:
            features.indices = nullptr;
            break;
        case LaneFeatures::Kind::sparse: {
            const std::size_t begin = rows == 0 ? 0 : features.first[0];
            const std::size_t entries = rows == 0 ? 0 : features.first[rows] - begin;
            std::uint32_t* first = nullptr;
            const std::uint32_t* there = input.reserve<std::uint32_t>(rows == 0 ? 0 : rows + 1, &first);
            for (std::size_t row = 0; first && rows > 0 && row <= rows; ++row)
                first[row] = features.first[row] - static_cast<std::uint32_t>(begin);
            features.indices = input.put(features.indices + begin, entries);
            features.values = input.put(features.values + begin, entries);
            features.first = there;
            break;
        }
        case LaneFeatures::Kind::dense:
            features.values = input.put(features.values, rows * features.dimension);
            break;
    }
    return features;
}

const double* pack_spread(const LaneFeatures& features, std::size_t rows, DeviceArena& input) {
    const std::size_t d = features.dimension;
    if (features.kind == LaneFeatures::Kind::dense || d == 0) return nullptr;
    const bool one_hot = features.kind == LaneFeatures::Kind::one_hot;
    double* here = nullptr;
    const double* there = input.reserve<double>(one_hot ? 2 * d - 1 : rows * d, &here);
    if (!here) return there;
    std::fill_n(here, one_hot ? 2 * d - 1 : rows * d, 0.0);
    if (one_hot) {
        here[d - 1] = 1;
    } else {
        for (std::size_t row = 0; row < rows; ++row)
            for (std::uint32_t k = features.first[row]; k < features.first[row + 1]; ++k)
                here[row * d + features.indices[k]] = features.values[k];
    }
    return there;
}

}  // namespace bellwether
