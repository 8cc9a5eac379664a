// The file format of Apache Arrow ("IPC file", also called Feather 2): a schema, batches of rows, and a footer that
// says where they are. https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format
#pragma once

#include <cstdint>
#include <vector>

#include "tables/arrow_columns.hpp"
#include "tables/columns.hpp"

namespace bellwether {

class ArrowFileWriter : public ColumnsWriter {
public:
    explicit ArrowFileWriter(ByteSink write) : write_(std::move(write)) {}

    void add(const Columns& rows) override;
    void finish() override;

private:
    // Where a batch is; laid out as the footer has it.
    struct Block {
        std::int64_t offset;
        std::int32_t metadata_length;
        std::int32_t padding = 0;
        std::int64_t body_length;
    };

    void put(std::string_view bytes);
    void pad();
    std::int32_t put_message(const void* metadata, std::size_t size);

    ByteSink write_;
    std::uint64_t written_ = 0;
    std::vector<ArrowColumn> schema_;  // without cells
    std::vector<Block> batches_;
};

}  // namespace bellwether
