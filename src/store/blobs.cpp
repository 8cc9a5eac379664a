#include "store/blobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace bellwether {

namespace {

constexpr std::size_t bytes_of_reals = 2 * sizeof(double);  // mean and m2, at the front of a record

std::size_t bytes_of_record(std::uint32_t integer_bytes) {
    return bytes_of_reals + std::size_t{3} * integer_bytes;
}

std::byte* put(std::byte* to, std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::byte>(value >> (8 * i));
    return to + bytes;
}
std::byte* put(std::byte* to, double value) {
    return put(to, std::bit_cast<std::uint64_t>(value), sizeof value);
}

std::uint64_t integer_at(const std::byte* from, std::size_t bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(from[i]) << (8 * i);
    return value;
}
double real_at(const std::byte* from) {
    return std::bit_cast<double>(integer_at(from, sizeof(double)));
}

std::uint32_t bytes_for(std::uint64_t largest) {
    for (const std::uint32_t bytes : {1U, 2U, 4U})
        if (largest >> (8 * bytes) == 0) return bytes;
    return 8;
}

// ---- the same in SQL ----

// The number whose bytes, the least first, have their digits in `digits`.
std::string integer_of_digits(std::size_t bytes) {
    std::string sum;
    for (std::size_t k = 0; k < bytes; ++k)
        for (const std::size_t half : {std::size_t{0}, std::size_t{1}})
            sum += fmt::format("{}(instr('123456789ABCDEF', substr(digits, {}, 1)) << {})", sum.empty() ? "" : " | ",
                               2 * k + 1 + half, 8 * k + 4 * (1 - half));
    return sum;
}
// OFFSET keeps SQLite from putting the inner expression wherever its name stands.
std::string integer_field(std::string_view begin) {
    return fmt::format(
        "(SELECT CASE integer_bytes WHEN 1 THEN {} WHEN 2 THEN {} ELSE {} END FROM (SELECT hex(substr(record, {}, "
        "integer_bytes)) || '00000000' AS digits LIMIT 1 OFFSET 0))",
        integer_of_digits(1), integer_of_digits(2), integer_of_digits(8), begin);
}
// ± (1 + fraction / 2⁵²) 2^(exponent − 1023), with the exceptions of IEEE 754; NULL for NaN.
std::string real_field(std::string_view begin) {
    return fmt::format(
        "(SELECT CASE WHEN exponent < 2047 THEN sign * (fraction / 4503599627370496.0 + (exponent > 0)) * "
        "pow(2, max(exponent, 1) - 1023) WHEN fraction = 0 THEN sign * 9e999 END FROM (SELECT bits & 4503599627370495 "
        "AS fraction, (bits >> 52) & 2047 AS exponent, CASE WHEN bits < 0 THEN -1.0 ELSE 1.0 END AS sign FROM (SELECT "
        "(SELECT {} FROM (SELECT hex(substr(record, {}, 8)) AS digits LIMIT 1 OFFSET 0)) AS bits LIMIT 1 OFFSET 0)))",
        integer_of_digits(8), begin);
}

}  // namespace

std::vector<std::byte> to_blob(std::span<const double> values) {
    std::vector<std::byte> bytes(values.size() * sizeof(double));
    std::byte* to = bytes.data();
    for (const double value : values) to = put(to, value);
    return bytes;
}

std::vector<double> from_blob(std::span<const std::byte> bytes) {
    std::vector<double> values(bytes.size() / sizeof(double));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = real_at(bytes.data() + i * sizeof(double));
    return values;
}

ScoreRecords to_records(std::span<const ScoreSummary> summaries) {
    std::uint64_t bits = 0;
    for (const ScoreSummary& s : summaries) bits |= s.runs | s.diverged | s.worse;
    ScoreRecords records{bytes_for(bits)};
    records.bytes.resize(summaries.size() * bytes_of_record(records.integer_bytes));
    std::byte* to = records.bytes.data();
    for (const ScoreSummary& s : summaries) {
        to = put(put(to, s.mean), s.m2);
        for (const std::uint64_t count : {s.runs, s.diverged, s.worse}) to = put(to, count, records.integer_bytes);
    }
    return records;
}

std::size_t StoredRecords::size() const {
    return bytes_.size() / bytes_of_record(integer_bytes_);
}

ScoreSummary StoredRecords::operator[](std::size_t i) const {
    const std::byte* record = bytes_.data() + i * bytes_of_record(integer_bytes_);
    const auto count = [&](std::size_t k) {
        return integer_at(record + bytes_of_reals + k * integer_bytes_, integer_bytes_);
    };
    return {count(0), count(1), count(2), real_at(record), real_at(record + sizeof(double))};
}

std::string view_of_scores() {
    return fmt::format(
        R"(
CREATE VIEW scores AS
WITH RECURSIVE
    places(place) AS (
        SELECT 0 UNION ALL SELECT place + 1 FROM places
        WHERE place + 1 < (SELECT max(length(records) / (16 + 3 * integer_bytes)) FROM blocks)
    ),
    found AS (
        SELECT setting, place / configurations AS metric, instance,
               first_configuration + place % configurations AS configuration, integer_bytes,
               substr(records, 1 + place * (16 + 3 * integer_bytes), 16 + 3 * integer_bytes) AS record
        FROM blocks CROSS JOIN places WHERE place < length(records) / (16 + 3 * integer_bytes)
    )
SELECT setting, metric, instance, configuration, {runs} AS runs, {mean} AS mean, {m2} AS m2, {diverged} AS diverged,
       {worse} AS worse
FROM found;
)",
        fmt::arg("mean", real_field("1")), fmt::arg("m2", real_field("9")), fmt::arg("runs", integer_field("17")),
        fmt::arg("diverged", integer_field("17 + integer_bytes")),
        fmt::arg("worse", integer_field("17 + 2 * integer_bytes")));
}

}  // namespace bellwether
