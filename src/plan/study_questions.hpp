// The questions of a setting: several target policies learned from one stream of behaviour.
#pragma once

#include <cstddef>
#include <vector>

#include "problems/domain.hpp"
#include "support/document.hpp"

namespace bellwether {

// Which of so many questions a setting asks: all where it does not say (`node` is null), else "all" or a list of their
// numbers, in its order.
std::vector<std::size_t> read_questions(const Document& file, const DocumentNode* node, std::size_t count);

// The values of a domain's parameters, once for each question that the setting asks.
std::vector<std::vector<NamedValue>> read_questions_of_domain(const Document& file, const DocumentNode& setting,
                                                              const DomainInfo& info,
                                                              const std::vector<NamedValue>& values);

}  // namespace bellwether
