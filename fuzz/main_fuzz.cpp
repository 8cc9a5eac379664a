// libFuzzer on one of the targets: bellwether_fuzz --target=NAME CORPUS ... -max_total_time=60
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "mutators.hpp"

namespace {

const bellwether::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" {

std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t room);
int LLVMFuzzerInitialize(int* count, char*** arguments);
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed);

int LLVMFuzzerInitialize(int* count, char*** arguments) {
    constexpr std::string_view option = "--target=";  // libFuzzer leaves what begins with two dashes alone
    for (int i = 1; i < *count; ++i) {
        const std::string_view argument = (*arguments)[i];
        if (argument.starts_with(option)) chosen = bellwether::fuzz::find_target(argument.substr(option.size()));
        if (argument == "--list") {
            for (const auto& target : bellwether::fuzz::targets())
                std::printf("%.*s\n", static_cast<int>(target.name.size()), target.name.data());
            std::exit(0);
        }
    }
    if (!chosen) {
        std::fprintf(stderr, "bellwether_fuzz: --target=NAME is missing or unknown; --list lists them\n");
        std::exit(2);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    chosen->run({data, size});
    return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t room, unsigned seed) {
    using namespace bellwether::fuzz;
    switch (chosen->form) {
        case Form::document:
            return mutate_document(data, size, room, seed);
        case Form::table:
            return mutate_table(data, size, room, seed);
        case Form::state:
            return mutate_state(data, size, room, seed);
        case Form::bytes:
            break;
    }
    return LLVMFuzzerMutate(data, size, room);
}

}  // extern "C"
