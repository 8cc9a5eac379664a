// The message with which something is refused.
#pragma once

#include <string>

#include "support/error.hpp"

namespace bellwether::test {

// "" where it is not refused.
template <class Work>
std::string refusal(Work work) {
    try {
        work();
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

}  // namespace bellwether::test
