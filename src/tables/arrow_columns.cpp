#include "tables/arrow_columns.hpp"

#include <bit>
#include <cstring>
#include <span>

namespace bellwether {

namespace {

static_assert(std::endian::native == std::endian::little);  // as the format has its numbers

template <class Number>
std::vector<std::byte> bytes_of(const std::vector<Number>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    return {bytes.begin(), bytes.end()};
}

std::vector<std::byte> bitmap_of(const std::vector<std::uint8_t>& present) {
    std::vector<std::byte> bits((present.size() + 7) / 8);
    for (std::size_t k = 0; k < present.size(); ++k)
        if (present[k]) bits[k / 8] |= std::byte{1} << (k % 8);
    return bits;
}

ArrowColumn arrow_column(const Column& column) {
    ArrowColumn result{.name = column.name,
                       .format = column.kind == Column::Kind::text    ? "u"
                                 : column.kind == Column::Kind::count ? "l"
                                                                      : "g",
                       .rows = column.size(),
                       .missing = column.missing};
    if (column.missing > 0) result.bitmap = bitmap_of(column.present);
    if (column.kind == Column::Kind::count) result.values = bytes_of(column.counts);
    if (column.kind == Column::Kind::number) result.values = bytes_of(column.numbers);
    if (column.kind != Column::Kind::text) return result;
    std::vector<std::int32_t> offsets{0};
    for (const std::int32_t place : column.places) {
        const auto text = std::as_bytes(std::span(column.texts[static_cast<std::size_t>(place)]));
        result.values.insert(result.values.end(), text.begin(), text.end());
        offsets.push_back(static_cast<std::int32_t>(result.values.size()));
    }
    result.offsets = bytes_of(offsets);
    return result;
}

}  // namespace

std::vector<const std::vector<std::byte>*> ArrowColumn::buffers() const {
    if (format[0] == 'u') return {&bitmap, &offsets, &values};
    return {&bitmap, &values};
}

std::vector<ArrowColumn> arrow_columns(const Columns& columns) {
    std::vector<ArrowColumn> result;
    for (const Column& column : columns) result.push_back(arrow_column(column));
    return result;
}

}  // namespace bellwether
