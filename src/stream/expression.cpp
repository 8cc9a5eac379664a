#include "stream/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "bellwether/suggest.hpp"

namespace bellwether {

// One function per level of precedence: comparison, sum, product, sign, atom.
class Expression::Parser {
public:
    Parser(std::string_view text, const Names& names, const Complain& complain, std::vector<Operation>& to)
        : text_(text), rest_(text), names_(names), complain_(complain), to_(to) {}

    void parse() {
        comparison();
        skip_spaces();
        if (!rest_.empty()) fail(fmt::format("'{}' is not expected", rest_));
    }

private:
    void comparison() {
        sum();
        struct Comparison {
            std::string_view sign;
            Kind kind;
            bool swapped;
        };
        static constexpr std::array<Comparison, 6> comparisons{{{"<=", Kind::less_equal, false},
                                                                {">=", Kind::less_equal, true},
                                                                {"==", Kind::equal, false},
                                                                {"!=", Kind::unequal, false},
                                                                {"<", Kind::less, false},
                                                                {">", Kind::less, true}}};
        for (const Comparison& c : comparisons) {
            if (!take(c.sign)) continue;
            sum();
            add(c.kind, 0, c.swapped);
            return;
        }
    }
    void sum() {
        product();
        for (;;) {
            if (take("+")) {
                product();
                add(Kind::add);
            } else if (take("-")) {
                product();
                add(Kind::subtract);
            } else {
                return;
            }
        }
    }
    void product() {
        signed_atom();
        for (;;) {
            if (take("*")) {
                signed_atom();
                add(Kind::multiply);
            } else if (take("/")) {
                signed_atom();
                add(Kind::divide);
            } else {
                return;
            }
        }
    }
    void signed_atom() {
        if (++nesting_ > most_nesting) fail("it is nested too deeply");
        if (take("-")) {
            signed_atom();
            add(Kind::negate);
        } else {
            atom();
        }
        --nesting_;
    }
    void atom() {
        if (take("(")) {
            comparison();
            expect(")");
            return;
        }
        if (!rest_.empty() && (std::isdigit(static_cast<unsigned char>(rest_[0])) != 0 || rest_[0] == '.')) {
            double number = 0;
            const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
            if (error != std::errc()) fail(fmt::format("'{}' is not a number", rest_));
            rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
            add(Kind::number, number);
            return;
        }
        const bool quoted = !rest_.empty() && rest_[0] == '\'';
        const std::string name = word();
        if (!quoted && take("(")) return call(name);
        add(Kind::column, 0, place_of(name, "column", names_.columns));
    }
    void call(const std::string& name) {
        if (name == "prediction" || name == "td_error") {
            skip_spaces();
            const std::size_t place = place_of(word(), "question", names_.questions);
            add(name == "prediction" ? Kind::prediction : Kind::error, 0, place);
        } else if (name == "min" || name == "max") {
            comparison();
            expect(",");
            comparison();
            add(name == "min" ? Kind::minimum : Kind::maximum);
        } else if (name == "abs") {
            comparison();
            add(Kind::magnitude);
        } else {
            fail(fmt::format("there is no function '{}' (there are min, max, abs, prediction, td_error)", name));
        }
        expect(")");
    }

    std::string word() {
        skip_spaces();
        if (rest_.empty()) fail("it ends where a number, a column or '(' is expected");
        std::size_t length = 0;
        if (rest_[0] == '\'') {
            length = rest_.find('\'', 1);
            if (length == std::string_view::npos) fail("a quote is not closed");
            std::string name(rest_.substr(1, length - 1));
            rest_.remove_prefix(length + 1);
            return name;
        }
        const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        while (length < rest_.size() && is_part(rest_[length])) ++length;
        if (length == 0) fail(fmt::format("'{}' stands where a number, a column or '(' is expected", rest_));
        std::string name(rest_.substr(0, length));
        rest_.remove_prefix(length);
        return name;
    }
    std::size_t place_of(const std::string& name, std::string_view what, std::span<const std::string> names) const {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            std::vector<std::string_view> views(names.begin(), names.end());
            fail(fmt::format("there is no {} '{}'{}", what, name, did_you_mean(name, views)));
        }
        return static_cast<std::size_t>(found - names.begin());
    }

    void add(Kind kind, double number = 0, std::size_t place = 0) { to_.push_back({kind, number, place}); }
    void skip_spaces() {
        while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t')) rest_.remove_prefix(1);
    }
    bool take(std::string_view sign) {
        skip_spaces();
        if (!rest_.starts_with(sign)) return false;
        rest_.remove_prefix(sign.size());
        skip_spaces();
        return true;
    }
    void expect(std::string_view sign) {
        if (!take(sign))
            fail(fmt::format("'{}' is missing{}", sign,
                             rest_.empty() ? " at the end" : fmt::format(" before '{}'", rest_)));
    }
    [[noreturn]] void fail(const std::string& problem) const {
        complain_(fmt::format("is '{}': {}", text_, problem));
        std::abort();
    }

    static constexpr std::size_t most_nesting = 200;
    std::string_view text_, rest_;
    const Names& names_;
    const Complain& complain_;
    std::vector<Operation>& to_;
    std::size_t nesting_ = 0;
};

Expression::Expression(std::string_view text, const Names& names, const Complain& complain) {
    Parser(text, names, complain, operations_).parse();
    depth_ = operations_.size();
}

std::vector<std::size_t> Expression::questions() const {
    std::vector<std::size_t> read;
    for (const Operation& o : operations_)
        if (o.kind == Kind::prediction || o.kind == Kind::error) read.push_back(o.place);
    return read;
}

bool Expression::is_constant() const {
    return std::none_of(operations_.begin(), operations_.end(), [](const Operation& o) {
        return o.kind == Kind::column || o.kind == Kind::prediction || o.kind == Kind::error;
    });
}

double Expression::value(std::span<const double> columns, std::span<const double> predictions,
                         std::span<const double> errors) const {
    if (operations_.size() == 1 && operations_[0].kind == Kind::number) return operations_[0].number;
    if (operations_.size() == 1 && operations_[0].kind == Kind::column) return columns[operations_[0].place];
    std::vector<double> stack;
    stack.reserve(depth_);
    for (const Operation& o : operations_) {
        const auto binary = [&](auto compute) {
            const double right = stack.back();
            stack.pop_back();
            stack.back() = compute(stack.back(), right);
        };
        switch (o.kind) {
            case Kind::number:
                stack.push_back(o.number);
                break;
            case Kind::column:
                stack.push_back(columns[o.place]);
                break;
            case Kind::prediction:
                stack.push_back(predictions[o.place]);
                break;
            case Kind::error:
                stack.push_back(errors[o.place]);
                break;
            case Kind::add:
                binary([](double a, double b) { return a + b; });
                break;
            case Kind::subtract:
                binary([](double a, double b) { return a - b; });
                break;
            case Kind::multiply:
                binary([](double a, double b) { return a * b; });
                break;
            case Kind::divide:
                binary([](double a, double b) { return a / b; });
                break;
            case Kind::negate:
                stack.back() = -stack.back();
                break;
            case Kind::less:
                binary([&](double a, double b) { return (o.place ? b < a : a < b) ? 1.0 : 0.0; });
                break;
            case Kind::less_equal:
                binary([&](double a, double b) { return (o.place ? b <= a : a <= b) ? 1.0 : 0.0; });
                break;
            case Kind::equal:
                binary([](double a, double b) { return a == b ? 1.0 : 0.0; });
                break;
            case Kind::unequal:
                binary([](double a, double b) { return a != b ? 1.0 : 0.0; });
                break;
            case Kind::minimum:
                binary([](double a, double b) { return a < b ? a : b; });
                break;
            case Kind::maximum:
                binary([](double a, double b) { return a > b ? a : b; });
                break;
            case Kind::magnitude:
                stack.back() = std::abs(stack.back());
                break;
        }
    }
    return stack.back();
}

}  // namespace bellwether
