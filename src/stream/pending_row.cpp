#include "stream/pending_row.hpp"

#include "bellwether/state.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// reward … interest, then λ (−1 where the row had none), then the vectors.
constexpr double no_lambda = -1;

}  // namespace

std::vector<std::byte> write_pending_row(const StreamRow& row) {
    state_format::Writer writer;
    for (const double number :
         {row.reward, row.gamma, row.rho, row.pi, row.mu, row.interest, row.lambda.value_or(no_lambda)})
        writer.number(number);
    writer.block(std::as_bytes(std::span(row.indices)));
    writer.block(std::as_bytes(std::span(row.values)));
    return std::move(writer.out_);
}

StreamRow read_pending_row(std::span<const std::byte> bytes) {
    state_format::Reader reader(bytes);
    StreamRow row;
    for (double* number : {&row.reward, &row.gamma, &row.rho, &row.pi, &row.mu, &row.interest})
        *number = reader.number<double>();
    if (const auto lambda = reader.number<double>(); lambda != no_lambda) row.lambda = lambda;
    const auto indices = reader.block(), values = reader.block();
    if (!reader.good()) throw UsageError("the saved state carries something other than a row of a stream");
    const auto fill = [](auto& numbers, std::span<const std::byte> from) {
        numbers.resize(from.size() / sizeof(numbers[0]));
        if (!numbers.empty()) std::memcpy(numbers.data(), from.data(), numbers.size() * sizeof(numbers[0]));
    };
    fill(row.indices, indices);
    fill(row.values, values);
    return row;
}

}  // namespace bellwether
