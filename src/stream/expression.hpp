// Arithmetic over the columns of a stream and over what other questions say:
//     2 * light + (bump > 0)      prediction(light)      td_error('left motor') * 0.5
// Numbers, columns (in single quotes where their names are no words), + − * / and parentheses, comparisons (< <= > >=
// == !=, which are 1 or 0), min(a, b), max(a, b), abs(a); prediction(NAME) and td_error(NAME).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

class Expression {
public:
    // What a name refers to: the place of a column, or of a question; UsageError-free: `complain` is called with what
    // is wrong, and must throw.
    struct Names {
        std::span<const std::string> columns;
        std::span<const std::string> questions;
    };
    using Complain = std::function<void(const std::string& problem)>;

    explicit Expression(double number) : operations_{{Kind::number, number, 0}} {}
    Expression(std::string_view text, const Names& names, const Complain& complain);

    // The questions that it reads.
    std::vector<std::size_t> questions() const;
    bool is_constant() const;  // it reads nothing

    // `columns`: the numbers of a step; `predictions` and `errors`: those of the questions.
    double value(std::span<const double> columns, std::span<const double> predictions,
                 std::span<const double> errors) const;

private:
    enum class Kind {
        number,
        column,
        prediction,
        error,
        add,
        subtract,
        multiply,
        divide,
        negate,
        less,
        less_equal,
        equal,
        unequal,
        minimum,
        maximum,
        magnitude
    };
    struct Operation {
        Kind kind;
        double number;
        std::size_t place;
    };
    class Parser;

    std::vector<Operation> operations_;  // in reverse Polish order
    std::size_t depth_ = 1;              // of the stack
};

}  // namespace bellwether
