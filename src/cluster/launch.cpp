#include "cluster/launch.hpp"

#include <cstdlib>
#include <initializer_list>
#include <optional>

#include "support/number.hpp"

namespace bellwether {

namespace {

std::optional<std::size_t> first_count(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const char* value = std::getenv(name))
            if (const auto count = parse_count(value)) return *count;
    return std::nullopt;
}

}  // namespace

Launch launched() {
    const std::size_t local_rank =
        first_count({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}).value_or(0);
    // Open MPI's mpirun; MPICH's and Slurm's PMI-1 and PMI-2; PMIx, which leaves the size to whoever started it.
    if (const auto rank = first_count({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})) {
        const auto ranks = first_count({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
        return {.rank = *rank, .ranks = ranks.value_or(1), .has_mpi = true, .local_rank = local_rank};
    }
    // srun without an MPI plugin. A batch script is a step of one task.
    if (const auto ranks = first_count({"SLURM_STEP_NUM_TASKS"}); ranks && *ranks > 1)
        return {.rank = first_count({"SLURM_PROCID"}).value_or(0),
                .ranks = *ranks,
                .has_mpi = false,
                .local_rank = local_rank};
    return {};
}

}  // namespace bellwether
