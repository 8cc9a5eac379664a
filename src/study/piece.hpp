// Pieces of a study's work, as threads of any process do them, and what comes of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <variant>

#include "engine/lanes.hpp"
#include "store/store.hpp"
#include "study/recording.hpp"
#include "study/unit.hpp"

namespace bellwether {

struct UnitPiece {
    Unit unit;
    UnitResult so_far;  // as it is stored, or empty summaries
};
struct RecordingPiece {
    RecordingTask task;
    std::optional<Recording> so_far;
};
using Piece = std::variant<UnitPiece, RecordingPiece>;

struct RecordingResult {
    RecordingKey key;
    Recording recording;
};
// What is to be stored of a piece: at its end, when it is stopped, and now and then before.
struct PieceOutcome {
    std::variant<UnitResult, RecordingResult> result;
    std::uint32_t setting;
    bool done;                  // nothing of the piece is left
    std::uint64_t nanoseconds;  // spent since the last outcome of the piece
};

struct Workbench {
    LaneKernel* kernel;
    const std::atomic<bool>& stop;
    std::uint64_t agent_steps_between_writes;
    std::function<void(std::uint64_t agent_steps)> count;  // told after each run
    std::function<void(PieceOutcome)> deliver;
};

// Run after run, until it is done or stopped.
void do_piece(const Piece& piece, InstanceCache& instances, const Workbench& workbench);

}  // namespace bellwether
