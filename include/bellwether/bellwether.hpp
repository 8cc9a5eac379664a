// Bellwether: linear temporal-difference learning. This one header brings everything.
#pragma once

#include "bellwether/learner.hpp"
#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
