// What processes that run a study together send to each other.
#include "run/messages.hpp"

#include "harness.hpp"

namespace bellwether::fuzz {
namespace {

// What was understood is said again in the same bytes, and these are understood in the same way.
template <class Decode>
void must_repeat(std::span<const std::byte> bytes, Decode decode) {
    std::optional<decltype(decode(bytes))> message;
    if (const auto problem = refusal([&] { message = decode(bytes); }))
        return must_name_place(*problem, "a message between processes");
    const auto said = encode(*message);
    must(encode(decode(said)) == said, "a message is understood as it was meant");
}

void run(Bytes bytes) {
    if (bytes.empty()) return;
    const auto message = std::as_bytes(bytes.subspan(1));
    switch (bytes[0] % 3) {
        case 0:
            return must_repeat(message, decode_assignment);
        case 1:
            return must_repeat(message, decode_message_to_worker);
        default:
            return must_repeat(message, decode_message_to_coordinator);
    }
}

const Registration registration({"messages", run});

}  // namespace
}  // namespace bellwether::fuzz
