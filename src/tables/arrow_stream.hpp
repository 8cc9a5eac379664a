// The C stream interface of Apache Arrow: a table handed to another library in the same process, without a library and
// without a copy. The structs are those of the interface, by which any two libraries understand each other.
// https://arrow.apache.org/docs/format/CStreamInterface.html
#pragma once

#include <cstdint>
#include <vector>

#include "tables/columns.hpp"

extern "C" {

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
    int (*get_next)(ArrowArrayStream*, ArrowArray* out);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};
}

namespace bellwether {

// A stream of these batches, of which there is at least one; whoever takes it releases it.
void make_arrow_stream(const std::vector<Columns>& batches, ArrowArrayStream& out);

}  // namespace bellwether
