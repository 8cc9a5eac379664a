// What a setting makes of a stream of behaviour: several target policies learned from it, and transitions over several
// of its steps.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/study.hpp"
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

// Over how many steps a transition of the setting goes, on-policy and for TD(0) alone.
void read_steps_ahead(const Document& file, const DocumentNode& node, const FiniteMdp& problem, Setting& setting);

}  // namespace bellwether
