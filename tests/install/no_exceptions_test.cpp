// Compiled with -fno-exceptions -fno-rtti, as on small devices: everything can be made, errors are values, and learning
// allocates nothing. GoogleTest needs exceptions, so this is a program of its own.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "bellwether/bellwether.hpp"
#include "bellwether/fourier.hpp"
#include "bellwether/tile_coding.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this test is about a compiler without exceptions and run-time types"
#endif

namespace {

std::size_t allocations = 0;

void* allocate(std::size_t bytes, std::size_t alignment) {
    ++allocations;
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory == nullptr) std::abort();
    return memory;
}

int failures = 0;

void expect(bool holds, const char* what) {
    if (holds) return;
    ++failures;
    std::fprintf(stderr, "failed: %s\n", what);
}

}  // namespace

void* operator new(std::size_t bytes) {
    return allocate(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

int main() {
    using namespace bellwether;
    auto coder = make_tile_coder({{.lower = 0, .upper = 1, .tiles = 4}}, {.tilings = 4, .bias = true});
    auto hashing = make_tile_coder({{.lower = 0, .upper = 1, .tiles = 400}}, {.tilings = 4, .memory = 64});
    auto basis = make_fourier_basis({{.lower = 0, .upper = 1}}, {.order = 3});
    expect(coder && hashing && basis && hashing->hashed(), "feature makers are made");
    SparseBuffer<float> x = coder->buffer<float>(), x_next = coder->buffer<float>();
    SparseBuffer<double> hashed = hashing->buffer();
    std::vector<double> dense(basis->size());

    Online<Gtd<float>> on_device(coder->size(), {.alpha = 0.05F, .lambda = 0.9F});
    Online<ToTd<double, SparseTraces>> sparse(hashing->size(), {.alpha = 0.05, .lambda = 0.9});
    std::vector<std::unique_ptr<Learner>> learners;
    for (const AlgorithmInfo& info : algorithm_table) {
        std::vector<NamedValue> parameters;
        for (const ParameterInfo& parameter : info.parameters)
            if (parameter.required()) parameters.push_back({parameter.name, 0.05});
        auto made = make_learner(info.id, basis->size(), parameters);
        expect(static_cast<bool>(made), "every algorithm can be made by name");
        if (made) learners.push_back(std::move(made).value());
    }

    const std::size_t allocations_before = allocations;
    coder->encode(std::array{0.9}, x);
    for (int step = 0; step < 1000; ++step) {
        const double input = step % 10 / 10.0;
        coder->encode(std::array{input}, x_next);
        on_device.step(
            Transition<Sparse<float>, float>{.x = x.view(), .reward = 1, .gamma = 0.5F, .x_next = x_next.view()});
        std::swap(x, x_next);
        const Sparse<double> tiles = hashing->encode(std::array{input}, hashed);
        sparse.step(Transition<Sparse<double>>{.x = tiles, .reward = 1, .gamma = 0.5, .x_next = tiles});
        const Dense<double> waves = basis->encode(std::array{input}, dense);
        for (const auto& learner : learners) learner->step({.x = waves, .reward = 1, .gamma = 0.5, .x_next = waves});
        if (step == 500) {
            on_device.start();
            for (const auto& learner : learners) learner->start();
        }
    }
    expect(allocations == allocations_before, "learning allocates nothing");
    expect(!on_device.diverged() && std::fabs(on_device.predict(x.view()) - 2) < 0.05F, "1 + γ + γ² + ... is learned");
    for (const auto& learner : learners) expect(!learner->diverged(), "no learner diverges");

    const auto refused = make_learner("no-such-algorithm", 3, {});
    expect(!refused && !refused.error().empty(), "a wrong request is an error with a message");
    expect(!make_tile_coder({{.lower = 1, .upper = 0, .tiles = 4}}), "bounds the wrong way round are refused");
    const std::vector<std::byte> saved = learners.front()->save();
    expect(static_cast<bool>(load_learner(saved)), "a saved state is loaded");
    expect(!load_learner(std::span(saved).first(saved.size() / 2)), "half a saved state is refused");
    return failures == 0 ? 0 : 1;
}
