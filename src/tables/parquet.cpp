#include "tables/parquet.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>

#include "support/error.hpp"

namespace bellwether {

namespace {

static_assert(std::endian::native == std::endian::little);  // as the format has its numbers

constexpr std::string_view parquet_magic = "PAR1";

// The numbers of the format's enumerations (parquet.thrift).
enum class Physical { int64 = 2, number = 5, bytes = 6 };
constexpr int required = 0, optional = 1;  // FieldRepetitionType
constexpr int utf8 = 0;                    // ConvertedType
constexpr int plain = 0, run_lengths = 3;  // Encoding
constexpr int gzip = 2;                    // CompressionCodec
constexpr int data_page = 0;               // PageType

Physical physical_of(Column::Kind kind) {
    switch (kind) {
        case Column::Kind::text:
            return Physical::bytes;
        case Column::Kind::count:
            return Physical::int64;
        case Column::Kind::number:
            break;
    }
    return Physical::number;
}

template <class Number>
void append_raw(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void append_varint(std::string& bytes, std::uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(0x80 | (number & 0x7F));
    bytes += static_cast<char>(number);
}

// ---- Thrift's compact protocol, in which headers are written

// A struct: its fields in the order of their numbers, then end().
class Thrift {
public:
    explicit Thrift(std::string& bytes) : bytes_(bytes) {}

    Thrift& integer(int field, int value) { return number(field, 5, value); }
    Thrift& long_integer(int field, std::uint64_t value) { return number(field, 6, static_cast<std::int64_t>(value)); }
    Thrift& text(int field, std::string_view value) {
        head(field, 8);
        put_text(value);
        return *this;
    }
    // `fill` is given the struct inside.
    template <class Fill>
    Thrift& structure(int field, Fill fill) {
        head(field, 12);
        put_structure(fill);
        return *this;
    }
    template <class Items, class Fill>
    Thrift& structures(int field, const Items& items, Fill fill) {
        list(field, 12, items.size());
        for (const auto& item : items) put_structure([&](Thrift& inside) { fill(inside, item); });
        return *this;
    }
    Thrift& integers(int field, std::initializer_list<int> values) {
        list(field, 5, values.size());
        for (const int value : values) append_varint(bytes_, zigzag(value));
        return *this;
    }
    Thrift& texts(int field, std::initializer_list<std::string_view> values) {
        list(field, 8, values.size());
        for (const std::string_view value : values) put_text(value);
        return *this;
    }
    void end() { bytes_ += '\0'; }

private:
    static std::uint64_t zigzag(std::int64_t value) {
        return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
    }
    void head(int field, int type) {
        bytes_ += static_cast<char>((field - last_) << 4 | type);
        last_ = field;
    }
    void list(int field, int type, std::size_t size) {
        head(field, 9);
        constexpr std::size_t too_long = 15;
        bytes_ += static_cast<char>(std::min(size, too_long) << 4 | static_cast<std::size_t>(type));
        if (size >= too_long) append_varint(bytes_, size);
    }
    Thrift& number(int field, int type, std::int64_t value) {
        head(field, type);
        append_varint(bytes_, zigzag(value));
        return *this;
    }
    void put_text(std::string_view value) {
        append_varint(bytes_, value.size());
        bytes_ += value;
    }
    template <class Fill>
    void put_structure(Fill fill) {
        Thrift inside(bytes_);
        fill(inside);
        inside.end();
    }

    std::string& bytes_;
    int last_ = 0;
};

// ---- pages

// Which cells are there, as runs of equal ones, behind their length in bytes.
std::string definition_levels(const std::vector<std::uint8_t>& present) {
    std::string runs;
    for (auto from = present.begin(); from != present.end();) {
        const auto to = std::find(from, present.end(), !*from);
        append_varint(runs, static_cast<std::uint64_t>(to - from) << 1);
        runs += static_cast<char>(*from);
        from = to;
    }
    std::string bytes;
    append_raw(bytes, static_cast<std::uint32_t>(runs.size()));
    return bytes + runs;
}

// Those that are there, one after the other.
std::string page_of(const Column& column) {
    if (column.kind == Column::Kind::text) {
        std::string bytes;
        for (const std::int32_t place : column.places) {
            const std::string& text = column.texts[static_cast<std::size_t>(place)];
            append_raw(bytes, static_cast<std::uint32_t>(text.size()));
            bytes += text;
        }
        return bytes;
    }
    std::string bytes = definition_levels(column.present);
    for (std::size_t k = 0; k < column.present.size(); ++k) {
        if (!column.present[k]) continue;
        if (column.kind == Column::Kind::count)
            append_raw(bytes, column.counts[k]);
        else
            append_raw(bytes, column.numbers[k]);
    }
    return bytes;
}

std::string compressed(const std::string& bytes) {
    constexpr int with_gzip_header = 16;
    z_stream stream{};
    if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + with_gzip_header, 8,
                       Z_DEFAULT_STRATEGY) != Z_OK)
        throw WorkError("zlib: out of memory");
    std::string out(::deflateBound(&stream, bytes.size()), '\0');
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int status = ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    if (status != Z_STREAM_END) throw WorkError("zlib: a page could not be compressed");
    return out;
}

}  // namespace

void ParquetWriter::put(std::string_view bytes) {
    write_(bytes);
    written_ += bytes.size();
}

ParquetWriter::Chunk ParquetWriter::write_chunk(const Column& column) {
    const std::string page = page_of(column), packed = compressed(page);
    std::string header;
    Thrift(header)
        .integer(1, data_page)
        .integer(2, static_cast<int>(page.size()))
        .integer(3, static_cast<int>(packed.size()))
        .structure(5,
                   [&](Thrift& of_data) {
                       of_data.integer(1, static_cast<int>(column.size()))
                           .integer(2, plain)
                           .integer(3, run_lengths)
                           .integer(4, run_lengths);
                   })
        .end();
    const Chunk chunk{written_, column.size(), header.size() + page.size(), header.size() + packed.size()};
    put(header);
    put(packed);
    return chunk;
}

void ParquetWriter::add(const Columns& rows) {
    if (schema_.empty()) {
        put(parquet_magic);
        for (const Column& column : rows) schema_.push_back({.name = column.name, .kind = column.kind});
    }
    if (rows.front().size() == 0) return;
    RowGroup group{rows.front().size(), {}};
    for (const Column& column : rows) group.chunks.push_back(write_chunk(column));
    groups_.push_back(std::move(group));
}

std::string ParquetWriter::footer() const {
    std::uint64_t rows = 0;
    for (const RowGroup& group : groups_) rows += group.rows;
    // The first element of the schema is the root, and has the others as its children.
    std::vector<const Column*> elements{nullptr};
    for (const Column& column : schema_) elements.push_back(&column);

    const auto describe_element = [&](Thrift& element, const Column* column) {
        if (!column) {
            element.text(4, "schema").integer(5, static_cast<int>(schema_.size()));
            return;
        }
        const bool is_text = column->kind == Column::Kind::text;
        element.integer(1, static_cast<int>(physical_of(column->kind)))
            .integer(3, is_text ? required : optional)
            .text(4, column->name);
        if (is_text) element.integer(6, utf8);
    };
    const auto describe_group = [&](Thrift& one, const RowGroup& group) {
        std::uint64_t bytes = 0;
        for (const Chunk& chunk : group.chunks) bytes += chunk.uncompressed;
        one.structures(1, group.chunks,
                       [&](Thrift& of_chunk, const Chunk& chunk) {
                           const Column& column = schema_[static_cast<std::size_t>(&chunk - group.chunks.data())];
                           of_chunk.long_integer(2, chunk.offset).structure(3, [&](Thrift& meta) {
                               meta.integer(1, static_cast<int>(physical_of(column.kind)))
                                   .integers(2, {plain, run_lengths})
                                   .texts(3, {column.name})
                                   .integer(4, gzip)
                                   .long_integer(5, chunk.values)
                                   .long_integer(6, chunk.uncompressed)
                                   .long_integer(7, chunk.compressed)
                                   .long_integer(9, chunk.offset);
                           });
                       })
            .long_integer(2, bytes)
            .long_integer(3, group.rows);
    };
    std::string bytes;
    Thrift(bytes)
        .integer(1, 1)  // the format's version
        .structures(2, elements, describe_element)
        .long_integer(3, rows)
        .structures(4, groups_, describe_group)
        .text(6, creator_)
        .end();
    return bytes;
}

void ParquetWriter::finish() {
    std::string bytes = footer();
    append_raw(bytes, static_cast<std::uint32_t>(bytes.size()));
    put(bytes + std::string(parquet_magic));
}

}  // namespace bellwether
