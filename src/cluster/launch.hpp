// What a launcher of parallel programs (mpirun, srun) says in the environment of the processes that it starts.
#pragma once

#include <cstddef>

namespace bellwether {

struct Launch {
    std::size_t rank = 0;        // of this process
    std::size_t ranks = 1;       // how many there are
    bool has_mpi = false;        // whether they can find each other by MPI
    std::size_t local_rank = 0;  // among those on this machine
};

Launch launched();

}  // namespace bellwether
