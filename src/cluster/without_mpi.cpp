#include "cluster/communicator.hpp"
#include "support/error.hpp"

namespace bellwether {

bool has_mpi() {
    return false;
}

std::unique_ptr<Communicator> join_ranks() {
    throw WorkError("this program was built without MPI");
}

}  // namespace bellwether
