// CSV that the analysis writes, read back into columns: one way from results to tables, whatever reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether {

struct Column {
    enum class Kind { text, count, number };

    std::string name;
    Kind kind;
    std::size_t missing = 0;              // cells that are empty; texts are never missing
    std::vector<std::uint8_t> present{};  // 0 or 1 for each cell of counts and numbers
    std::vector<std::int64_t> counts{};   // 0 where it is missing
    std::vector<double> numbers{};        // NaN where it is missing
    std::vector<std::int32_t> places{};   // of texts, in this list of the different ones
    std::vector<std::string> texts{};

    std::size_t size() const { return kind == Kind::text ? places.size() : present.size(); }
};
using Columns = std::vector<Column>;

// Takes text in pieces of any length; the first line names the columns. No cell has quotes or line breaks in it: ids
// and numbers are all there is.
class ColumnReader {
public:
    void add(std::string_view text);

    std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
    // What was read since the last time.
    Columns take();

private:
    void add_line(std::string_view line);

    Columns columns_;
    std::string rest_;
};

// Where a file's bytes go.
using ByteSink = std::function<void(std::string_view)>;

// A file of columns, of which some rows are added at a time: all with the same columns.
class ColumnsWriter {
public:
    virtual ~ColumnsWriter() = default;
    virtual void add(const Columns& rows) = 0;
    virtual void finish() = 0;  // after at least one call of add(), which may have no rows
};

// Rows that are written together, so that tables of any length need little memory.
inline constexpr std::size_t rows_of_batch = 65536;

}  // namespace bellwether
