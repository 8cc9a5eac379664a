// What another process has sent, held to the study: a number that was garbled becomes neither an index nor memory.
#pragma once

#include "plan/study.hpp"
#include "run/task.hpp"

namespace bellwether {

// WorkError where it is of no unit or recording of the study.
void check(const Study& study, const Task& task);
void check(const Study& study, const TaskOutcome& outcome);

}  // namespace bellwether
