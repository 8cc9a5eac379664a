// Questions answered from the rows of a stream: a horde for each algorithm and depth, fed in stretches, depth after
// depth, so that a question finds what those before it predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "stream/horde.hpp"
#include "stream/questions.hpp"
#include "stream/stream_reader.hpp"

namespace bellwether {

// How well a question is answered, over the latter part of the stream (its last half to three quarters).
struct QuestionScore {
    double steps = 0, squared_errors = 0;  // TD errors
    // Returns that were followed to where their discount is below `least_discount`, one after the other.
    double returns = 0, squared_return_errors = 0, sum_of_returns = 0, squared_returns = 0;
    // Σ δ(e·h) over `projected_steps`: their mean is the mean squared projected error (see QuestionHorde::Projection).
    double projected_steps = 0, projected_errors = 0;

    void add(const QuestionScore& other);
};

class QuestionHorde {
public:
    // With `rupee` every question has a helper that learns what its TD errors have in common with the features.
    QuestionHorde(Questions questions, std::vector<std::string> columns, std::size_t dimension, bool sparse,
                  std::size_t threads, bool rupee = false);

    std::size_t size() const { return asked_; }
    const Question& question(std::size_t q) const { return questions_.questions[q]; }
    const AlgorithmInfo& algorithm(std::size_t q) const { return *questions_.groups[question(q).group].algorithm; }
    std::uint64_t steps() const { return steps_; }
    std::vector<double> weights(std::size_t q) const;
    QuestionScore score(std::size_t q) const;

    // What is called for every step, in order: its number, and all predictions before it.
    using Observe = std::function<void(std::uint64_t step, std::span<const double> predictions)>;

    // `where`: the row, for messages ("stream.csv:12").
    void take(const StreamRow& row, std::string where, const Observe& observe);
    // Learns from all rows that have one after them.
    void flush(const Observe& observe);
    // The end of the stream: a last row all of whose discounts are 0 needs no next one.
    void finish(const Observe& observe);
    // The row that waits for its next one; empty where none does.
    std::string waiting_row() const { return where_.empty() ? std::string() : where_.back(); }

    // Everything, the row that waits included. load() takes the questions that it knows by name; others begin anew. It
    // returns what is wrong, or an empty text.
    std::vector<std::byte> save() const;
    std::string load(std::span<const std::byte> bytes);

private:
    // Questions of one algorithm and depth.
    struct Part {
        std::vector<std::size_t> questions;
        Horde horde;
    };
    struct OpenReturn {
        double prediction = 0, sum = 0, weight = 1, discount = 1;
        std::uint64_t open = 0;
    };
    // RUPEE (White 2015): with e the trace of a question and δ its TD error, E[δe]ᵀE[xxᵀ]⁻¹E[δe] is the mean squared
    // projected error. The helper learns h = E[xxᵀ]⁻¹E[δe]: it is TD(1) with δ for the cumulant and γλ for the
    // discount, whose trace is e too, so that its mean update is E[δe] − E[xxᵀ]h. And e·h is the trace of h·x:
    //     z ← ρ(γλz + h·x)
    struct Projection {
        double trace = 0, decay = 0;  // z, and γλ of the step before
    };
    struct Signals {
        std::vector<double> cumulants, discounts, ratios, targets, behaviours;
    };

    void learn(std::size_t entries, const Observe& observe);
    Signals signals_of(const Part& part, std::size_t entries) const;
    double checked(const Question& question, std::string_view what, const Expression& expression,
                   std::size_t entry) const;
    void learn_part(Part& part, std::size_t entries);
    void add_helpers();
    bool is_helper(std::size_t q) const { return q >= asked_; }
    std::size_t all() const { return questions_.questions.size(); }
    void add_scores(std::size_t entry);
    void add_projected_errors(std::size_t entry);
    StreamView view(std::size_t entries) const;
    void keep_rows_from(std::size_t row);

    Questions questions_;  // that are asked, and then the helpers of each
    std::size_t asked_;
    std::vector<double> lambda_;  // of those that are asked
    std::vector<std::string> columns_;
    std::size_t dimension_;
    bool sparse_;
    std::size_t threads_;
    std::vector<Part> parts_;

    // The rows that wait.
    std::vector<std::uint32_t> first_{0}, indices_;
    std::vector<double> values_, others_;
    std::vector<std::uint8_t> marks_;
    std::vector<std::string> where_;
    bool segment_closed_ = false;

    // Of the stretch that is learned: entries × questions, helpers included.
    std::vector<double> now_, next_, errors_, cumulants_, discounts_, ratios_;

    std::uint64_t steps_ = 0;
    std::vector<QuestionScore> earlier_, later_;
    std::vector<OpenReturn> open_;
    std::vector<Projection> projections_;  // of those that are asked; empty without helpers
};

}  // namespace bellwether
