// How often intervals have the truth in them: made-up studies whose truth is known, judged as claims are. Prints a
// table in Markdown: bellwether_coverage_bench [STUDIES]
//
// The score of configuration c of algorithm a in run r of instance i is
//     exp(m_ac + A_i + G_aci + e_ir + e_aci r),
// normal numbers all: A_i is what an instance does to everybody, G_aci to one configuration, e_ir is the luck of a run
// that all share and e_acir that of one. A configuration is chosen on some runs and measured on others, of the same
// instances or of fresh ones. The truth is the ratio of the expected scores, over all instances, of the configurations
// that were chosen.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "analysis/simultaneous.hpp"
#include "analysis/spread.hpp"

namespace bench {
namespace {

using namespace bellwether;

constexpr std::size_t algorithms = 4, configurations = 20, runs = 20, resamples = 1000;
constexpr double spread_of_instances = 0.3, spread_of_configurations = 0.1, shared_luck = 0.3, own_luck = 0.3;

class Normal {
public:
    explicit Normal(std::uint64_t seed) : engine_(seed) {}
    double operator()() { return normal_quantile((static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53); }

private:
    std::mt19937_64 engine_;
};

struct Shape {
    std::size_t instances;
    bool fresh_instances;
    double apart;  // deviation of the configurations' m_ac
};

// How often the truth was in the interval: of one ratio, and of all of them.
struct Coverage {
    double one = 0, all = 0, width = 0;
};

struct Tally {
    Coverage percentile{}, joint{}, joint_with_choice{};
};

class MadeUpStudy {
public:
    MadeUpStudy(const Shape& shape, std::uint64_t seed) : shape_(shape), normal_(seed), seed_(seed) {
        for (std::size_t k = 0; k < algorithms * configurations; ++k) levels_.push_back(shape.apart * normal_());
        instance_effects_ = draw(shape.instances, spread_of_instances);
        interactions_ = draw(algorithms * configurations * shape.instances, spread_of_configurations);
        choose();
        if (shape.fresh_instances) {
            instance_effects_ = draw(shape.instances, spread_of_instances);
            interactions_ = draw(algorithms * configurations * shape.instances, spread_of_configurations);
        }
        measure();
    }

    void add_to(Tally& tally) const {
        const Bootstrap bootstrap(fresh_, seed_, 0, resamples);
        std::vector<Resampled> fixed, rechosen;
        for (std::size_t a = 0; a < algorithms; ++a) {
            Resampled& score = fixed.emplace_back();
            for (const std::vector<double>& of_instance : fresh_[a])
                for (const double one : of_instance) score.value += one / static_cast<double>(runs * shape_.instances);
            score.draws.assign(bootstrap.scores(a).begin(), bootstrap.scores(a).end());
            rechosen.push_back(score);
            for (std::size_t b = 0; b < resamples; ++b) rechosen[a].draws[b] += costs_[a][b];
        }
        const auto logarithms = [](std::vector<Resampled>& all) {
            for (Resampled& one : all) {
                one.value = std::log(one.value);
                for (double& draw : one.draws) draw = std::log(draw);
            }
        };
        logarithms(fixed);
        logarithms(rechosen);
        add_percentile(fixed, tally.percentile);
        add_joint(fixed, tally.joint);
        add_joint(rechosen, tally.joint_with_choice);
    }

private:
    std::vector<double> draw(std::size_t count, double deviation) {
        std::vector<double> numbers(count);
        for (double& number : numbers) number = deviation * normal_();
        return numbers;
    }

    double level(std::size_t a, std::size_t c, std::size_t i) const {
        return levels_[a * configurations + c] + instance_effects_[i] +
               interactions_[(a * configurations + c) * shape_.instances + i];
    }

    void choose() {
        std::vector<std::vector<double>> means(algorithms, std::vector<double>(configurations * shape_.instances, 0.0));
        for (std::size_t i = 0; i < shape_.instances; ++i)
            for (std::size_t r = 0; r < runs; ++r) {
                const double shared = shared_luck * normal_();
                for (std::size_t a = 0; a < algorithms; ++a)
                    for (std::size_t c = 0; c < configurations; ++c)
                        means[a][c * shape_.instances + i] +=
                            std::exp(level(a, c, i) + shared + own_luck * normal_()) / runs;
            }
        const std::uint32_t address = shape_.fresh_instances ? 1 : 0;
        for (std::size_t a = 0; a < algorithms; ++a) {
            std::size_t best = 0;
            std::vector<double> sums(configurations, 0.0);
            for (std::size_t k = 0; k < means[a].size(); ++k) sums[k / shape_.instances] += means[a][k];
            for (std::size_t c = 0; c < configurations; ++c)
                if (sums[c] < sums[best]) best = c;
            chosen_.push_back(best);
            costs_.push_back(resample_choice(means[a], shape_.instances, best, seed_, address, resamples).costs);
        }
    }

    void measure() {
        fresh_.assign(algorithms, RunScores(shape_.instances, std::vector<double>(runs)));
        for (std::size_t i = 0; i < shape_.instances; ++i)
            for (std::size_t r = 0; r < runs; ++r) {
                const double shared = shared_luck * normal_();
                for (std::size_t a = 0; a < algorithms; ++a)
                    fresh_[a][i][r] = std::exp(level(a, chosen_[a], i) + shared + own_luck * normal_());
            }
    }

    double truth(std::size_t a, std::size_t other) const {
        return levels_[a * configurations + chosen_[a]] - levels_[other * configurations + chosen_[other]];
    }

    template <class IntervalOf>
    void add(const std::vector<Resampled>& scores, Coverage& coverage, IntervalOf interval) const {
        double covered = 0, pairs = 0, width = 0;
        for (std::size_t a = 0; a < algorithms; ++a)
            for (std::size_t other = a + 1; other < algorithms; ++other) {
                const Interval found = interval(difference_of(scores[a], scores[other]));
                covered += found.low <= truth(a, other) && truth(a, other) <= found.high;
                width += found.high - found.low;
                ++pairs;
            }
        coverage.one += covered / pairs;
        coverage.all += covered == pairs;
        coverage.width += width / pairs;
    }
    void add_percentile(const std::vector<Resampled>& scores, Coverage& coverage) const {
        add(scores, coverage, [](const Resampled& ratio) { return central_interval(ratio.draws); });
    }
    void add_joint(const std::vector<Resampled>& scores, Coverage& coverage) const {
        std::vector<Resampled> family;
        for (std::size_t a = 0; a < algorithms; ++a)
            for (std::size_t other = a + 1; other < algorithms; ++other)
                family.push_back(difference_of(scores[a], scores[other]));
        const double critical = critical_value(family);
        add(scores, coverage, [&](const Resampled& ratio) { return interval_of(ratio, critical); });
    }

    Shape shape_;
    Normal normal_;
    std::uint64_t seed_;
    std::vector<double> levels_, instance_effects_, interactions_;
    std::vector<std::size_t> chosen_;
    std::vector<std::vector<double>> costs_;
    std::vector<RunScores> fresh_;
};

void print_row(const Shape& shape, std::size_t studies) {
    Tally tally;
    for (std::size_t k = 0; k < studies; ++k) MadeUpStudy(shape, k + 1).add_to(tally);
    const auto n = static_cast<double>(studies);
    const auto cells = [&](const Coverage& coverage) {
        return fmt::format("{:.1f} | {:.1f} | {:.3f}", 100 * coverage.one / n, 100 * coverage.all / n,
                           coverage.width / n);
    };
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", shape.instances, shape.fresh_instances ? "fresh" : "same",
               shape.apart, cells(tally.percentile), cells(tally.joint), cells(tally.joint_with_choice));
    std::fflush(stdout);
}

}  // namespace
}  // namespace bench

int main(int count, char** words) {
    const auto studies = static_cast<std::size_t>(count > 1 ? std::atoi(words[1]) : 1000);
    fmt::print(
        "{} studies of {} algorithms with {} configurations, {} runs of each instance. In percent: how often the "
        "interval of a ratio has the truth in it, and how often those of all six pairs have; and the mean "
        "width.\n\n",
        studies, bench::algorithms, bench::configurations, bench::runs);
    fmt::print(
        "| instances | measured on | configurations apart | percentile: one | all | width | max-T: one | all | width "
        "| max-T, choice drawn again: one | all | width |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const double apart : {0.0, 0.1})
        for (const std::size_t instances : {10U, 30U})
            for (const bool fresh : {false, true}) bench::print_row({instances, fresh, apart}, studies);
}
