#include "tables/arrow_file.hpp"

#include <flatbuffers/flatbuffers.h>

#include <string_view>

namespace bellwether {

namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::uoffset_t;
using flatbuffers::voffset_t;

constexpr std::string_view arrow_magic = "ARROW1";
constexpr std::size_t alignment = 8;
constexpr std::int16_t version_5 = 4;  // MetadataVersion

// Kinds of messages and of types, as the format numbers them (Message.fbs, Schema.fbs).
constexpr std::uint8_t schema_message = 1, batch_message = 3;
constexpr std::uint8_t integer_type = 2, float_type = 3, text_type = 5;

std::size_t padded(std::size_t size) {
    return (size + alignment - 1) / alignment * alignment;
}

// A field of a table by its number.
voffset_t slot(int number) {
    return flatbuffers::FieldIndexToOffset(static_cast<voffset_t>(number));
}

uoffset_t add_type(FlatBufferBuilder& builder, const ArrowColumn& column) {
    const uoffset_t start = builder.StartTable();
    if (column.format[0] == 'l') {
        builder.AddElement<std::int32_t>(slot(0), 64, 0);  // bits
        builder.AddElement<std::uint8_t>(slot(1), 1, 0);   // signed
    } else if (column.format[0] == 'g') {
        builder.AddElement<std::int16_t>(slot(0), 2, 0);  // double precision
    }
    return builder.EndTable(start);
}

Offset<void> add_field(FlatBufferBuilder& builder, const ArrowColumn& column) {
    const auto name = builder.CreateString(column.name);
    const uoffset_t type = add_type(builder, column);
    const auto children = builder.CreateVector(std::vector<Offset<void>>());
    const uoffset_t start = builder.StartTable();
    builder.AddOffset(slot(0), name);
    builder.AddElement<std::uint8_t>(slot(1), column.format[0] != 'u', 0);  // whether cells may be missing
    builder.AddElement<std::uint8_t>(slot(2),
                                     column.format[0] == 'u'   ? text_type
                                     : column.format[0] == 'l' ? integer_type
                                                               : float_type,
                                     0);
    builder.AddOffset(slot(3), Offset<void>(type));
    builder.AddOffset(slot(5), children);
    return builder.EndTable(start);
}

uoffset_t add_schema(FlatBufferBuilder& builder, const std::vector<ArrowColumn>& columns) {
    std::vector<Offset<void>> fields;
    for (const ArrowColumn& column : columns) fields.push_back(add_field(builder, column));
    const auto all = builder.CreateVector(fields);
    const uoffset_t start = builder.StartTable();
    builder.AddOffset(slot(1), all);  // little-endian is the default
    return builder.EndTable(start);
}

void finish_message(FlatBufferBuilder& builder, std::uint8_t kind, uoffset_t header, std::int64_t body_length) {
    const uoffset_t start = builder.StartTable();
    builder.AddElement<std::int64_t>(slot(3), body_length, 0);
    builder.AddOffset(slot(2), Offset<void>(header));
    builder.AddElement<std::int16_t>(slot(0), version_5, 0);
    builder.AddElement<std::uint8_t>(slot(1), kind, 0);
    builder.Finish(Offset<void>(builder.EndTable(start)));
}

struct Node {
    std::int64_t rows, missing;
};
struct Place {
    std::int64_t offset, length;
};

uoffset_t add_batch(FlatBufferBuilder& builder, const std::vector<ArrowColumn>& columns, std::int64_t& body_length) {
    std::vector<Node> nodes;
    std::vector<Place> places;
    body_length = 0;
    for (const ArrowColumn& column : columns) {
        nodes.push_back({static_cast<std::int64_t>(column.rows), static_cast<std::int64_t>(column.missing)});
        for (const auto* buffer : column.buffers()) {
            places.push_back({body_length, static_cast<std::int64_t>(buffer->size())});
            body_length += static_cast<std::int64_t>(padded(buffer->size()));
        }
    }
    const auto all_nodes = builder.CreateVectorOfStructs(nodes);
    const auto all_places = builder.CreateVectorOfStructs(places);
    const uoffset_t start = builder.StartTable();
    builder.AddElement<std::int64_t>(slot(0), nodes.front().rows, 0);
    builder.AddOffset(slot(1), all_nodes);
    builder.AddOffset(slot(2), all_places);
    return builder.EndTable(start);
}

}  // namespace

void ArrowFileWriter::put(std::string_view bytes) {
    write_(bytes);
    written_ += bytes.size();
}

void ArrowFileWriter::pad() {
    put(std::string(padded(written_) - written_, '\0'));
}

// Behind a mark and its length, which counts the zeros after it; returns the bytes of all that.
std::int32_t ArrowFileWriter::put_message(const void* metadata, std::size_t size) {
    const std::uint32_t mark = 0xFFFFFFFF;
    const auto length = static_cast<std::int32_t>(padded(size));
    put({reinterpret_cast<const char*>(&mark), sizeof mark});
    put({reinterpret_cast<const char*>(&length), sizeof length});
    put({static_cast<const char*>(metadata), size});
    pad();
    return length + static_cast<std::int32_t>(sizeof mark + sizeof length);
}

void ArrowFileWriter::add(const Columns& rows) {
    const std::vector<ArrowColumn> columns = arrow_columns(rows);
    if (schema_.empty()) {
        put(arrow_magic);
        pad();
        for (const ArrowColumn& column : columns) schema_.push_back({.name = column.name, .format = column.format});
        FlatBufferBuilder builder;
        finish_message(builder, schema_message, add_schema(builder, schema_), 0);
        put_message(builder.GetBufferPointer(), builder.GetSize());
    }
    if (columns.front().rows == 0) return;
    FlatBufferBuilder builder;
    Block block{.offset = static_cast<std::int64_t>(written_), .metadata_length = 0, .body_length = 0};
    const uoffset_t batch = add_batch(builder, columns, block.body_length);
    finish_message(builder, batch_message, batch, block.body_length);
    block.metadata_length = put_message(builder.GetBufferPointer(), builder.GetSize());
    for (const ArrowColumn& column : columns)
        for (const auto* buffer : column.buffers()) {
            put({reinterpret_cast<const char*>(buffer->data()), buffer->size()});
            pad();
        }
    batches_.push_back(block);
}

void ArrowFileWriter::finish() {
    const std::uint32_t end_of_stream[] = {0xFFFFFFFF, 0};
    put({reinterpret_cast<const char*>(end_of_stream), sizeof end_of_stream});
    FlatBufferBuilder builder;
    const uoffset_t schema = add_schema(builder, schema_);
    const auto dictionaries = builder.CreateVectorOfStructs(std::vector<Block>());
    const auto batches = builder.CreateVectorOfStructs(batches_);
    const uoffset_t start = builder.StartTable();
    builder.AddOffset(slot(1), Offset<void>(schema));
    builder.AddOffset(slot(2), dictionaries);
    builder.AddOffset(slot(3), batches);
    builder.AddElement<std::int16_t>(slot(0), version_5, 0);
    builder.Finish(Offset<void>(builder.EndTable(start)));
    const auto length = static_cast<std::int32_t>(builder.GetSize());
    put({reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()});
    put({reinterpret_cast<const char*>(&length), sizeof length});
    put(arrow_magic);
}

}  // namespace bellwether
