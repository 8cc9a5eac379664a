// CSV that the analysis writes, read back into columns: one way from results to tables, whatever reads them.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellwether::python {

// An array that owns the vector's memory.
template <class Number>
pybind11::array_t<Number> take_array(std::vector<Number>&& numbers) {
    auto owned = std::make_unique<std::vector<Number>>(std::move(numbers));
    std::vector<Number>* kept = owned.get();
    const pybind11::capsule owner(owned.release(),
                                  [](void* vector) { delete static_cast<std::vector<Number>*>(vector); });
    return pybind11::array_t<Number>(static_cast<pybind11::ssize_t>(kept->size()), kept->data(), owner);
}

// Takes text in pieces of any length; the first line names the columns. No cell has quotes or line breaks in it: ids
// and numbers are all there is. Nothing here needs the interpreter before columns() is called.
class ColumnReader {
public:
    void add(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            if (end == std::string_view::npos) {
                rest_ += text;
                return;
            }
            if (rest_.empty()) {
                add_line(text.substr(0, end));
            } else {
                rest_ += text.substr(0, end);
                add_line(rest_);
                rest_.clear();
            }
            text.remove_prefix(end + 1);
        }
    }

    // By name: an array of numbers, or of texts a pair of an array of places and the list of different texts. Numbers
    // that are missing are NaN; counts are whole numbers where none is missing.
    pybind11::dict columns() && {
        pybind11::dict result;
        for (Column& column : columns_) {
            const pybind11::str name(column.name);
            if (column.is_text)
                result[name] = pybind11::make_tuple(take_array(std::move(column.places)), column.texts);
            else if (column.is_count && !column.has_gaps)
                result[name] = take_array(std::vector<std::int64_t>(column.numbers.begin(), column.numbers.end()));
            else
                result[name] = take_array(std::move(column.numbers));
        }
        return result;
    }

private:
    struct Column {
        std::string name;
        bool is_text, is_count;
        bool has_gaps = false;
        std::vector<double> numbers{};
        std::vector<std::int32_t> places{};
        std::vector<std::string> texts{};

        void add(std::string_view cell) {
            if (is_text) return places.push_back(place_of(cell));
            double number = std::numeric_limits<double>::quiet_NaN();
            if (cell.empty())
                has_gaps = true;
            else
                std::from_chars(cell.data(), cell.data() + cell.size(), number);
            numbers.push_back(number);
        }

        // Neighbours are mostly equal.
        std::int32_t place_of(std::string_view text) {
            if (!places.empty() && texts[static_cast<std::size_t>(places.back())] == text) return places.back();
            const auto found = std::find(texts.begin(), texts.end(), text);
            const auto place = static_cast<std::int32_t>(found - texts.begin());
            if (found == texts.end()) texts.emplace_back(text);
            return place;
        }
    };

    static bool is_one_of(std::string_view name, const auto& names) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    void add_line(std::string_view line) {
        static constexpr std::array<std::string_view, 10> of_text{"setting",   "algorithm",    "metric", "stage",
                                                                  "parameter", "other",        "view",   "edges",
                                                                  "settings",  "worst_setting"};
        static constexpr std::array<std::string_view, 12> of_counts{
            "runs",           "diverged",       "step",   "instance",           "configurations", "fresh_runs",
            "fresh_diverged", "selection_runs", "failed", "selection_diverged", "tried",          "values"};
        const bool is_header = columns_.empty();
        for (std::size_t k = 0;; ++k) {
            const std::size_t end = std::min(line.find(','), line.size());
            const std::string_view cell = line.substr(0, end);
            if (is_header)
                columns_.push_back({std::string(cell), is_one_of(cell, of_text), is_one_of(cell, of_counts)});
            else
                columns_.at(k).add(cell);
            if (end == line.size()) return;
            line.remove_prefix(end + 1);
        }
    }

    std::vector<Column> columns_;
    std::string rest_;
};

}  // namespace bellwether::python
