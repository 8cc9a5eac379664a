#include "scalar_learner.hpp"

#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "feed_lanes.hpp"
#include "state_numbers.hpp"

namespace bellwether::test {
namespace {

template <template <class, class> class Algorithm>
class ScalarLearnerOf final : public ScalarLearner {
    using Static = Online<Algorithm<double, DenseTraces>>;

public:
    ScalarLearnerOf(std::size_t dimension, const typename Static::Parameters& parameters)
        : online_(dimension, parameters) {}

    void set_weights(std::span<const double> weights) override { online_.set_weights(weights); }
    void step(FeatureKind kind, const Sample& s) override { feed_lanes<double>(kind, online_, s); }
    std::vector<double> numbers() override {
        Flatten all{0};
        online_.algorithm().visit(all);
        return all.numbers;
    }

private:
    Static online_;
};

}  // namespace

std::unique_ptr<ScalarLearner> make_scalar_learner(std::string_view algorithm, std::size_t dimension,
                                                   std::span<const NamedValue> given) {
    std::unique_ptr<ScalarLearner> learner;
    Algorithms::for_each([&]<template <class, class> class Algorithm>() {
        if (algorithm != info_of<Algorithm>.id) return;
        typename Algorithm<double, DenseTraces>::Parameters parameters;
        for (const auto& declared : parameters.declare())
            for (const NamedValue& p : given)
                if (p.name == declared.name) parameters.*declared.field = p.value;
        learner = std::make_unique<ScalarLearnerOf<Algorithm>>(dimension, parameters);
    });
    return learner;
}

}  // namespace bellwether::test
