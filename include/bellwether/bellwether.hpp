// Bellwether: linear temporal-difference learning. This one header brings everything.
#pragma once

#include "bellwether/fourier.hpp"
#include "bellwether/horde.hpp"
#include "bellwether/learner.hpp"
#include "bellwether/online.hpp"
#include "bellwether/registry.hpp"
#include "bellwether/tile_coding.hpp"
