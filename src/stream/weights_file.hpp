// Weights as CSV: a header `index,weight`, then a row per component, in order.
#pragma once

#include <span>
#include <string>

#include "support/output_file.hpp"

namespace bellwether {

void write_weights(std::span<const double> weights, OutputFile& out);

// Fills `weights` from a file of just that length; UsageError says what is wrong and where.
void read_weights(const std::string& path, std::span<double> weights);

}  // namespace bellwether
