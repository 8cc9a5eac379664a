// Compiled once per instruction set, with that set's flags: everything in it lives in the set's own inline namespace.
#include "bellwether/learner.hpp"

namespace bellwether {
inline namespace BELLWETHER_TARGET {

Learner* new_learner(std::size_t algorithm, std::size_t dimension, const double* values, const double* cutoff);

namespace {

using MakeLearner = Learner*(std::size_t dimension, const double* values, const double* cutoff);

template <template <class, class> class Algorithm>
Learner* make(std::size_t dimension, const double* values, const double* cutoff) {
    const auto value = [&](std::size_t p) { return values[p]; };
    if (cutoff)
        return new LearnerOf<Algorithm, double, SparseTraces>(
            dimension, parameters_from<typename Algorithm<double, SparseTraces>::Parameters>(value), *cutoff);
    return new LearnerOf<Algorithm, double, DenseTraces>(
        dimension, parameters_from<typename Algorithm<double, DenseTraces>::Parameters>(value), 0.0);
}

template <template <class, class> class... Algorithm>
Learner* make_by_number(AlgorithmList<Algorithm...>, std::size_t algorithm, std::size_t dimension, const double* values,
                        const double* cutoff) {
    static constexpr MakeLearner* all[] = {make<Algorithm>...};
    return all[algorithm](dimension, values, cutoff);
}

}  // namespace

Learner* new_learner(std::size_t algorithm, std::size_t dimension, const double* values, const double* cutoff) {
    return make_by_number(Algorithms{}, algorithm, dimension, values, cutoff);
}

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether
