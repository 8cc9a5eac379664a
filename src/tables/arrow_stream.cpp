#include "tables/arrow_stream.hpp"

#include <memory>
#include <string>
#include <utility>

#include "tables/arrow_columns.hpp"

namespace bellwether {

namespace {

constexpr std::int64_t may_be_missing = 2;  // ARROW_FLAG_NULLABLE

// ---- types: a struct with a child for each column

struct OwnedSchema {
    std::vector<std::string> names{};
    std::vector<ArrowSchema> children{};
    std::vector<ArrowSchema*> pointers{};
};

void release_child(ArrowSchema* schema) {
    schema->release = nullptr;  // its parent owns what it points to
}
void release_schema(ArrowSchema* schema) {
    for (std::int64_t k = 0; k < schema->n_children; ++k)
        if (schema->children[k]->release) schema->children[k]->release(schema->children[k]);
    delete static_cast<OwnedSchema*>(schema->private_data);
    schema->release = nullptr;
}

void make_schema(const std::vector<ArrowColumn>& columns, ArrowSchema& out) {
    auto owned = std::make_unique<OwnedSchema>();
    for (const ArrowColumn& column : columns) owned->names.push_back(column.name);
    for (std::size_t k = 0; k < columns.size(); ++k)
        owned->children.push_back({.format = columns[k].format,
                                   .name = owned->names[k].c_str(),
                                   .metadata = nullptr,
                                   .flags = columns[k].format[0] == 'u' ? 0 : may_be_missing,
                                   .n_children = 0,
                                   .children = nullptr,
                                   .dictionary = nullptr,
                                   .release = release_child,
                                   .private_data = nullptr});
    for (ArrowSchema& child : owned->children) owned->pointers.push_back(&child);
    out = {.format = "+s",
           .name = "",
           .metadata = nullptr,
           .flags = 0,
           .n_children = static_cast<std::int64_t>(columns.size()),
           .children = owned->pointers.data(),
           .dictionary = nullptr,
           .release = release_schema,
           .private_data = owned.release()};
}

// ---- cells

// A child can outlive its parent: who takes a table apart moves it away. So each owns its column.
struct OwnedColumn {
    ArrowColumn column;
    std::vector<const void*> buffers{};
};
struct OwnedBatch {
    const void* no_bitmap = nullptr;
    std::vector<ArrowArray> children{};
    std::vector<ArrowArray*> pointers{};
};

void release_column(ArrowArray* array) {
    delete static_cast<OwnedColumn*>(array->private_data);
    array->release = nullptr;
}
void release_batch(ArrowArray* array) {
    for (std::int64_t k = 0; k < array->n_children; ++k)
        if (array->children[k]->release) array->children[k]->release(array->children[k]);
    delete static_cast<OwnedBatch*>(array->private_data);
    array->release = nullptr;
}

ArrowArray make_column(ArrowColumn column) {
    auto owned = std::make_unique<OwnedColumn>();
    owned->column = std::move(column);
    for (const auto* buffer : owned->column.buffers())
        owned->buffers.push_back(buffer->empty() ? nullptr : buffer->data());
    static constexpr double nothing = 0;  // an empty column still points somewhere
    if (!owned->buffers.back()) owned->buffers.back() = &nothing;
    ArrowArray array{.length = static_cast<std::int64_t>(owned->column.rows),
                     .null_count = static_cast<std::int64_t>(owned->column.missing),
                     .offset = 0,
                     .n_buffers = static_cast<std::int64_t>(owned->buffers.size()),
                     .n_children = 0,
                     .buffers = owned->buffers.data(),
                     .children = nullptr,
                     .dictionary = nullptr,
                     .release = release_column,
                     .private_data = owned.release()};
    return array;
}

void make_batch(std::vector<ArrowColumn> columns, ArrowArray& out) {
    auto owned = std::make_unique<OwnedBatch>();
    const std::size_t rows = columns.front().rows;
    for (ArrowColumn& column : columns) owned->children.push_back(make_column(std::move(column)));
    for (ArrowArray& child : owned->children) owned->pointers.push_back(&child);
    out = {.length = static_cast<std::int64_t>(rows),
           .null_count = 0,
           .offset = 0,
           .n_buffers = 1,
           .n_children = static_cast<std::int64_t>(owned->children.size()),
           .buffers = &owned->no_bitmap,
           .children = owned->pointers.data(),
           .dictionary = nullptr,
           .release = release_batch,
           .private_data = owned.release()};
}

// ---- the stream

struct Batches {
    std::vector<std::vector<ArrowColumn>> all{};
    std::vector<ArrowColumn> schema{};
    std::size_t next = 0;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
    make_schema(static_cast<Batches*>(stream->private_data)->schema, *out);
    return 0;
}
int get_next(ArrowArrayStream* stream, ArrowArray* out) {
    auto& batches = *static_cast<Batches*>(stream->private_data);
    if (batches.next == batches.all.size())
        out->release = nullptr;  // the end
    else
        make_batch(std::move(batches.all[batches.next++]), *out);
    return 0;
}
const char* get_last_error(ArrowArrayStream*) {
    return nullptr;
}
void release_stream(ArrowArrayStream* stream) {
    delete static_cast<Batches*>(stream->private_data);
    stream->release = nullptr;
}

}  // namespace

void make_arrow_stream(const std::vector<Columns>& batches, ArrowArrayStream& out) {
    auto owned = std::make_unique<Batches>();
    for (const Column& column : batches.front())
        owned->schema.push_back(arrow_columns({{.name = column.name, .kind = column.kind}}).front());
    for (const Columns& batch : batches) owned->all.push_back(arrow_columns(batch));
    out = {.get_schema = get_schema,
           .get_next = get_next,
           .get_last_error = get_last_error,
           .release = release_stream,
           .private_data = owned.release()};
}

}  // namespace bellwether
