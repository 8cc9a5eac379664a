// libFuzzer on one of the targets: bellwether_fuzz --target=NAME CORPUS ... -max_total_time=60
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "mutators.hpp"

namespace {

const bellwether::fuzz::Target* chosen = nullptr;

// libFuzzer learns from comparisons what to put into an input: in one execution of sixteen, since looking at them takes
// half of an execution's time.
bool looks_at_comparisons = true;
constexpr unsigned executions_to_look_at_one = 16;

}  // namespace

// What the compiler calls at a comparison, by the linker's --wrap. The real function wants to be called from there.
#define COMPARISON(name, Word)                                                                                     \
    extern "C" void __real___sanitizer_cov_trace_##name(Word a, Word b);                                           \
    extern "C"                                                                                                     \
        __attribute__((no_sanitize("all", "coverage"))) void __wrap___sanitizer_cov_trace_##name(Word a, Word b) { \
        if (looks_at_comparisons) [[clang::musttail]]                                                              \
            return __real___sanitizer_cov_trace_##name(a, b);                                                      \
    }
COMPARISON(cmp1, std::uint8_t)
COMPARISON(cmp2, std::uint16_t)
COMPARISON(cmp4, std::uint32_t)
COMPARISON(cmp8, std::uint64_t)
COMPARISON(const_cmp1, std::uint8_t)
COMPARISON(const_cmp2, std::uint16_t)
COMPARISON(const_cmp4, std::uint32_t)
COMPARISON(const_cmp8, std::uint64_t)
#undef COMPARISON

extern "C" {

// What is freed waits in a small quarantine, so that memory stays in the processor's caches; of the calls that led to
// an allocation a few are noted. Both cost more than most targets otherwise; ASAN_OPTIONS has the last word.
const char* __asan_default_options() {
    return "quarantine_size_mb=8:thread_local_quarantine_size_kb=64:malloc_context_size=1:detect_stack_use_after_"
           "return=0";
}

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
    static unsigned executions = 0;
    looks_at_comparisons = executions++ % executions_to_look_at_one == 0;
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
