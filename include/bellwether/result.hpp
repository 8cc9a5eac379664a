// Errors as values: the core throws nothing on its own.
#pragma once

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace bellwether {

// A value, or one line that says why there is none.
template <class Value>
class Result {
public:
    Result(Value value) : value_(std::move(value)) {}
    static Result failure(const std::string& error) {
        Result result;
        result.error_ = error;
        return result;
    }

    explicit operator bool() const noexcept { return value_.has_value(); }
    const std::string& error() const noexcept { return error_; }

    // The value; where there is none, an exception (the end of the program where exceptions are switched off).
    Value& value() & {
        if (!value_) fail();
        return *value_;
    }
    Value value() && {
        if (!value_) fail();
        return std::move(*value_);
    }
    // What the value is, or what it points to: a result that holds a pointer is used like that pointer.
    auto& operator*() {
        if constexpr (requires(Value v) { *v; }) {
            return *value();
        } else {
            return value();
        }
    }
    auto* operator->() { return &**this; }

private:
    Result() = default;
    [[noreturn]] void fail() const {
#if defined(__cpp_exceptions)
        throw std::invalid_argument(error_);
#else
        std::abort();
#endif
    }

    std::optional<Value> value_;
    std::string error_;
};

}  // namespace bellwether
