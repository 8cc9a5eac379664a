#include "logs/online_estimates.hpp"

#include <algorithm>

#include "logs/doubly_robust.hpp"

namespace bellwether {

namespace {

std::vector<double> gradient_of(const CrossFitted& fitted) {
    std::vector<double> sum = fitted.gradient[0];
    for (std::size_t k = 1; k < folds; ++k) add_scaled(1, fitted.gradient[k], sum);
    return sum;
}

}  // namespace

OnlineEstimates online_estimates(Log& log, const Products& products, const OnlineLearner& learner, const Starts& starts,
                                 std::size_t horizon, std::size_t check_horizon, double level, std::size_t threads,
                                 const PassWatch& watch) {
    OnlineEstimates result{.values = online_values(log, learner, starts, level, threads, watch),
                           .doubly_robust = {},
                           .weighted = {},
                           .answer = {},
                           .against_weights = {}};
    const FoldWeights fold_weights = online_fold_weights(log, learner, threads);
    const ValueModel model(log, ValueModel::Of::states);
    // A horizon of no step has no estimate of its own.
    const std::vector<DoublyRobust> wanted{{products.longest, false},
                                           {products.longest, true},
                                           {std::max<std::size_t>(1, horizon), true},
                                           {std::max<std::size_t>(1, check_horizon), true}};
    DoublyRobustGradients gradients(products, {&model, 1}, {&wanted, 1});
    for_each_part_by_fold(log, PartReads::features, threads, [&](const FoldPart& part) {
        for_each_segment_of(log, part, [&](std::size_t, const Segment& s) { gradients.add(part.fold, s); });
    });
    const HeldOutValues held_out = held_out_values(model, fold_weights, threads);
    DoublyRobustEstimates robust(products, held_out, wanted, gradients.of(0));
    for_each_part_by_fold(log, PartReads::numbers, threads, [&](const FoldPart& part) {
        for_each_segment_of(log, part, [&](std::size_t i, const Segment& s) { robust.add_values(part.fold, i, s); });
    });
    robust.finish_values();
    for_each_part_by_fold(log, PartReads::numbers, threads, [&](const FoldPart& part) {
        for_each_segment_of(log, part, [&](std::size_t i, const Segment& s) { robust.add_influence(part.fold, i, s); });
    });

    const OnlineValues& values = result.values;
    const auto estimate_of = [&](std::string_view name, const CrossFitted& fitted) {
        PolicyEstimate estimate{.name = name,
                                .value = fitted.value,
                                .influence = by_group(fitted.influence),
                                .effective = fitted.effective,
                                .se_of_values = values.deviation_of_values(gradient_of(fitted))};
        set_interval(estimate, level);
        return estimate;
    };
    const std::vector<CrossFitted>& fitted = robust.results();
    result.doubly_robust = estimate_of("dr", fitted[0]);
    result.weighted = estimate_of("wdr", fitted[1]);
    result.answer = horizon == 0 ? values.estimate : estimate_of("answer-v", fitted[2]);
    result.answer.name = "answer-v";
    if (check_horizon == 0) return result;
    std::vector<double> g = mean_start(log, model, starts);
    add_scaled(-1, gradient_of(fitted[3]), g);
    result.against_weights = estimate_of("", fitted[3]);
    result.against_weights.value = values.estimate.value - fitted[3].value;
    result.against_weights.se_of_values = values.deviation_of_values(g);
    set_interval(result.against_weights, level);
    return result;
}

}  // namespace bellwether
