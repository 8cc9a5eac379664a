#include <mpi.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <climits>
#include <deque>
#include <span>

#include "cluster/communicator.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

int length_of(std::size_t bytes) {
    if (bytes > INT_MAX) throw WorkError("a message between processes is over 2 GB: the study's curves are too long");
    return static_cast<int>(bytes);
}

// Errors of MPI itself end the job: that is its default.
class MpiCommunicator : public Communicator {
public:
    MpiCommunicator() {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
        if (provided < MPI_THREAD_FUNNELED) throw WorkError("this MPI cannot be used by a program with threads");
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
        count_sharers();
    }

    std::size_t rank() const override { return static_cast<std::size_t>(rank_); }
    std::size_t ranks() const override { return static_cast<std::size_t>(ranks_); }
    std::size_t sharers_of_cores() const override { return sharers_; }

    // The analyzer follows a request within one function only.
    // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)
    void send(std::size_t to, Bytes content) override {
        forget_sent();
        count(content.size());
        Sending& sending = sending_.emplace_back();
        sending.content = std::move(content);
        MPI_Isend(sending.content.data(), length_of(sending.content.size()), MPI_BYTE, static_cast<int>(to), 0,
                  MPI_COMM_WORLD, &sending.request);
    }
    // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

    std::optional<Message> receive() override {
        forget_sent();
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        if (!there) return std::nullopt;
        int length = 0;
        MPI_Get_count(&status, MPI_BYTE, &length);
        Message message{static_cast<std::size_t>(status.MPI_SOURCE), Bytes(static_cast<std::size_t>(length))};
        MPI_Recv(message.content.data(), length, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        count(message.content.size());
        return message;
    }

    Bytes broadcast(Bytes content) override {
        unsigned long long length = content.size();
        MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
        const int bytes = length_of(length);
        content.resize(length);
        MPI_Bcast(content.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        return content;
    }

    void end() override {
        for (Sending& sending : sending_)
            MPI_Wait(&sending.request, MPI_STATUS_IGNORE);  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker)
        sending_.clear();
        MPI_Finalize();
    }

private:
    struct Sending {
        Bytes content;
        MPI_Request request;
    };

    void forget_sent() {
        std::erase_if(sending_, [](Sending& sending) {
            int done = 0;
            MPI_Test(&sending.request, &done, MPI_STATUS_IGNORE);
            return done != 0;
        });
    }

    // Those of the same machine whose set of cores is the same: a launcher binds each to its own, or none of them.
    void count_sharers() {
        MPI_Comm machine;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
        int neighbours = 0;
        MPI_Comm_size(machine, &neighbours);
#ifdef __linux__
        cpu_set_t mine;
        CPU_ZERO(&mine);
        ::sched_getaffinity(0, sizeof mine, &mine);
        std::vector<cpu_set_t> all(static_cast<std::size_t>(neighbours));
        MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, machine);
        sharers_ = static_cast<std::size_t>(
            std::count_if(all.begin(), all.end(), [&](const cpu_set_t& other) { return CPU_EQUAL(&other, &mine); }));
#else
        sharers_ = static_cast<std::size_t>(neighbours);  // processes are not bound to cores there
#endif
        MPI_Comm_free(&machine);
    }

    int rank_ = 0, ranks_ = 1;
    std::size_t sharers_ = 1;
    std::deque<Sending> sending_;
};

}  // namespace

bool has_mpi() {
    return true;
}

std::unique_ptr<Communicator> join_ranks() {
    return std::make_unique<MpiCommunicator>();
}

}  // namespace bellwether
