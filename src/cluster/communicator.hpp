// Processes that work together on one or many machines, and the messages between them. Used by one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace bellwether {

using Bytes = std::vector<std::byte>;

struct Message {
    std::size_t from;
    Bytes content;
};

class Communicator {
public:
    virtual ~Communicator() = default;

    virtual std::size_t rank() const = 0;
    virtual std::size_t ranks() const = 0;
    // How many of the processes may use the cores that this one may use, itself included.
    virtual std::size_t sharers_of_cores() const = 0;

    // Neither waits. Messages from one process to another arrive in their order.
    virtual void send(std::size_t to, Bytes content) = 0;
    virtual std::optional<Message> receive() = 0;

    // Everybody calls it, and everybody gets what rank 0 has given.
    virtual Bytes broadcast(Bytes content) = 0;

    // Everybody calls it at the end, and waits for the others. A process that goes without it ends the others too.
    virtual void end() = 0;

    std::uint64_t messages() const { return messages_; }  // sent and received
    std::uint64_t bytes() const { return bytes_; }

protected:
    void count(std::size_t bytes) {
        ++messages_;
        bytes_ += bytes;
    }

private:
    std::uint64_t messages_ = 0, bytes_ = 0;
};

// Whether the program was built with MPI.
bool has_mpi();

// Joins the processes that a launcher has started. Not to be called without one.
std::unique_ptr<Communicator> join_ranks();

}  // namespace bellwether
