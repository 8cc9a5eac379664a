// Logged streams: dense, sparse, with segments and all optional columns; as `learn`, `evaluate` and `horde` read them.
#include <array>

#include "bellwether/catalogue.hpp"
#include "bellwether/number_text.hpp"
#include "harness.hpp"
#include "stream/stream_reader.hpp"

namespace bellwether::fuzz {
namespace {

constexpr std::size_t dimension_of_sparse = 7;

std::optional<std::size_t> dimension_for(std::string_view text) {
    const std::string_view header = text.substr(0, text.find('\n'));
    return header.find("features") == std::string_view::npos ? std::nullopt : std::optional(dimension_of_sparse);
}

struct ReadStream {
    bool sparse = false;
    std::size_t dimension = 0;
    std::vector<StreamRow> rows;
};

template <class... Kind>
ReadStream read(const std::string& path, std::optional<std::size_t> dimension, const Kind&... kind) {
    StreamReader reader(path, dimension, kind...);
    ReadStream stream{reader.sparse(), reader.dimension(), {}};
    for (StreamRow row; reader.next(row);) {
        must(reader.fits(row) || row.values.size() <= stream.dimension, "a row has the form of its stream");
        stream.rows.push_back(row);
    }
    return stream;
}

// The same stream written anew: a row of every number that the reader understood.
std::string written(const ReadStream& stream) {
    std::string text;
    for (std::size_t i = 0; !stream.sparse && i < stream.dimension; ++i) text += "x" + std::to_string(i) + ",";
    if (stream.sparse) text += "features,";
    text += "reward,gamma,rho,lambda,interest\n";
    const bool has_lambda = [&] {
        for (const StreamRow& row : stream.rows)
            if (row.lambda) return true;
        return false;
    }();
    if (!has_lambda) text.replace(text.find("lambda,"), 7, "");
    for (const StreamRow& row : stream.rows) {
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            if (stream.sparse)
                text += std::to_string(row.indices[i]) + ":" + number_text(row.values[i]) + " ";
            else
                text += number_text(row.values[i]) + ",";
        }
        if (stream.sparse) text += ",";
        const std::string lambda = has_lambda ? (row.lambda ? number_text(*row.lambda) : "") + "," : "";
        if (row.closes_segment)
            text += ",,," + lambda + "\n";
        else
            text += number_text(row.reward) + "," + number_text(row.gamma) + "," + number_text(row.rho) + "," + lambda +
                    number_text(row.interest) + "\n";
    }
    return text;
}

void must_read_back(const ReadStream& stream, const AlgorithmInfo& algorithm) {
    static MemoryFile again;
    const std::string text = written(stream);
    const auto dimension = stream.sparse ? std::optional(stream.dimension) : std::nullopt;
    const ReadStream copy = read(again.holding(text), dimension, algorithm);
    must(copy.rows.size() == stream.rows.size(), "as many rows are read back");
    for (std::size_t t = 0; t < copy.rows.size(); ++t) {
        const StreamRow &a = stream.rows[t], &b = copy.rows[t];
        must(a.indices == b.indices && same_bits(a.values, b.values), "features are read back to the bit");
        must(a.closes_segment == b.closes_segment, "segments are read back");
        if (a.closes_segment) continue;
        must(same_bits(std::array{a.reward, a.gamma, a.rho, a.interest, a.lambda.value_or(-1)},
                       std::array{b.reward, b.gamma, b.rho, b.interest, b.lambda.value_or(-1)}),
             "numbers are read back to the bit");
    }
}

void run(Bytes bytes) {
    static MemoryFile file;
    const std::string& path = file.holding(bytes);
    const auto dimension = dimension_for(text_of(bytes));
    const AlgorithmInfo& gtd = *find_algorithm("gtd");
    std::optional<ReadStream> stream;
    if (const auto problem = refusal([&] { stream = read(path, dimension, gtd); })) must_name_place(*problem, path);
    if (stream && !stream->rows.empty()) must_read_back(*stream, gtd);
    if (const auto problem = refusal([&] { read(path, dimension, std::optional<char>()); }))
        must_name_place(*problem, path);
    if (const auto problem = refusal([&] { read(path, dimension); })) must_name_place(*problem, path);
}

const Registration registration({"stream", run, Form::table});

}  // namespace
}  // namespace bellwether::fuzz
