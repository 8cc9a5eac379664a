// Apache Parquet, as much of the format as tidy tables need: a flat schema, row groups of one page a column, values as
// they are (PLAIN), pages compressed by gzip. https://parquet.apache.org/docs/file-format/
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tables/columns.hpp"

namespace bellwether {

class ParquetWriter : public ColumnsWriter {
public:
    // `creator`: "bellwether version 0.2.0"
    ParquetWriter(ByteSink write, std::string creator) : write_(std::move(write)), creator_(std::move(creator)) {}

    void add(const Columns& rows) override;
    void finish() override;

private:
    struct Chunk {
        std::uint64_t offset, values, uncompressed, compressed;  // bytes with the page's header
    };
    struct RowGroup {
        std::uint64_t rows;
        std::vector<Chunk> chunks;
    };

    void put(std::string_view bytes);
    Chunk write_chunk(const Column& column);
    std::string footer() const;

    ByteSink write_;
    std::string creator_;
    std::uint64_t written_ = 0;
    Columns schema_;  // without cells
    std::vector<RowGroup> groups_;
};

}  // namespace bellwether
