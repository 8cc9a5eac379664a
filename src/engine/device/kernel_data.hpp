// What a device is given: a request of the backend seam, or a stream and a block of configurations that learn from it,
// as one piece of memory, with pointers that are valid there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/lanes.hpp"

namespace bellwether {

// How many threads, each with a configuration of its own, go through one trajectory together; their vectors are
// interleaved. The least there is: more blocks then fit into the memory of a multiprocessor.
inline constexpr std::size_t threads_of_block = 32;
// The errors that one request may have.
inline constexpr std::size_t most_device_errors = 6;
// What errors are made of, in the fast memory of a kernel's arguments: terms and nodes as long as there is room, sets
// of weights always.
inline constexpr std::size_t most_own_parts = 64;
inline constexpr std::size_t most_own_subsets = most_device_errors << LaneError::most_subset_features;

// A step of a trajectory, and what its state says. Behind the last step stands a record of the last state.
struct alignas(64) DeviceStep {
    double reward, gamma, rho, pi, mu;
    double lambda, interest;      // of the state, where states have their own
    std::uint32_t row, row_next;  // of the features of the state and the next one; with one-hot features their indices
};

struct DeviceTrajectory {
    std::uint64_t first;  // of its steps
    std::uint32_t steps, counted_from;
    std::uint64_t first_truth;  // of its truths, where they change
};

// What is to be done at a step, where they are not all alike.
enum DeviceEvent : std::uint16_t {
    adds_error = 1,  // shifted by the error's number: it adds up after the step
    adds_every_error = (1 << most_device_errors) - 1,
    is_recorded = 1 << most_device_errors,           // in learning curves
    repeats_errors = 1 << (most_device_errors + 1),  // they are those that were looked at last
};
// Above them the LaneMarks of the step, shifted.
inline constexpr unsigned marks_of_event = most_device_errors + 2;

// Errors, with what they are made of.
struct DeviceErrors {
    LaneError errors[most_device_errors];
    struct OwnParts {
        std::uint32_t terms, nodes, subsets;  // where they begin
        bool has_terms;                       // whether the terms and nodes of the error are here
    };
    OwnParts own[most_device_errors];
    LaneError::Term own_terms[most_own_parts];
    LaneError::Node own_nodes[most_own_parts];
    LaneError::Affine own_subsets[most_own_subsets];
};

// What only streams have.
struct DeviceStreamParts {
    bool predicts;    // whether some error is of predictions
    double* weights;  // null, or where the final ones go, configuration by configuration
};

struct DeviceRequest {
    std::uint64_t count;  // of configurations
    const double* parameters;
    const std::uint32_t* order;  // which configuration the n-th thread has

    LaneFeatures features, features_next;
    // Features that are not dense, spread out, for algorithms that treat every component on its own: row by row; or for
    // all one-hot features together a 1 with a dimension less one of zeros before and behind it.
    const double *spread, *spread_next;
    const double* initial_weights;
    bool has_lambda, has_interest;

    const DeviceStep* steps;
    const DeviceTrajectory* trajectories;
    std::uint64_t trajectory_count;
    const std::uint16_t* events;  // null, or by step
    const double* lambda_next;    // null, or by step, where it is not that of the next one's state
    // Null, or by record: how many measurements there were until then, where that is not the number of its step.
    const std::uint32_t* measurements;

    bool is_stream;
    DeviceStreamParts stream;

    std::uint64_t error_count;
    std::uint64_t changes_after;  // so many steps, the second errors hold; never where it is more than there are
    DeviceErrors errors[2];
    double scored_steps[most_device_errors];  // what sums are divided by
    // Null, or where what is true changes: the terms of all errors as they are in w_0 and after each measurement.
    const LaneError::Term* truths;

    double* scores;              // trajectory by trajectory, error by error: a number for each configuration
    double* curves;              // null, or likewise: curve_length numbers for each configuration
    std::uint64_t curve_length;  // of the longest one

    std::uint64_t scratch;     // numbers that a thread needs beside its learner's vectors
    std::uint64_t remembered;  // and for its errors, where some events repeat them
};

// What a kernel's arguments may take, from CUDA 12.1 on.
static_assert(sizeof(DeviceRequest) <= 32764);

// The blocks of a request: all configurations of a trajectory, then those of the next.
constexpr std::uint64_t blocks_of_trajectory(std::uint64_t configurations) {
    return (configurations + threads_of_block - 1) / threads_of_block;
}

}  // namespace bellwether
