#include "run/coordinator.hpp"

#include <fmt/format.h>

#include <numeric>
#include <thread>
#include <utility>

#include "cluster/encoding.hpp"
#include "run/task_check.hpp"
#include "support/error.hpp"

namespace bellwether {

namespace {

// So that those who wait for tasks are answered before too much is written.
constexpr std::size_t most_outcomes_at_once = 64;
// What no machine has.
constexpr std::size_t most_threads = 1 << 20;

}  // namespace

Coordinator::Coordinator(const Study& study, Communicator& ranks, std::size_t threads, Take take)
    : study_(study),
      ranks_(ranks),
      take_(std::move(take)),
      threads_(ranks.ranks(), threads),
      requests_(ranks.ranks()) {}

void Coordinator::serve(WorkQueue& queue) {
    bool may_be_more = true;
    while (may_be_more) {
        receive_all();
        may_be_more = outcomes_.size() == most_outcomes_at_once;
        answer(queue);
        take_(std::exchange(outcomes_, {}), std::exchange(agent_steps_, 0));
    }
}

void Coordinator::receive_all() {
    while (outcomes_.size() < most_outcomes_at_once) {
        const std::optional<Message> message = ranks_.receive();
        if (!message) return;
        receive(message->from, decode_message_to_coordinator(message->content));
    }
}

void Coordinator::receive(std::size_t from, MessageToCoordinator message) {
    agent_steps_ += message.agent_steps;
    if (const auto* request = std::get_if<WorkRequest>(&message.event)) {
        if (request->threads == 0 || request->threads > most_threads) Decoder::garbled();
        threads_[from] = request->threads;
        requests_[from] = *request;
    } else if (auto* delivery = std::get_if<Delivery>(&message.event)) {
        check(study_, delivery->outcome);
        done_ += delivery->outcome.done;
        outcomes_.push_back(std::move(delivery->outcome));
    } else if (const auto* failure = std::get_if<Failure>(&message.event)) {
        const std::string text = fmt::format("rank {}: {}", from, failure->text);
        if (failure->is_usage) throw UsageError(text);
        throw WorkError(text);
    } else if (const auto* interrupted = std::get_if<Interruption>(&message.event)) {
        interruption_ = interrupted->signal;
    } else if (std::holds_alternative<Stopped>(message.event)) {
        ++stopped_;
    }
}

void Coordinator::answer(WorkQueue& queue) {
    if (queue.is_empty()) return;
    const std::size_t threads = threads_of_all();
    for (std::size_t rank = 0; rank < requests_.size(); ++rank) {
        if (!requests_[rank]) continue;
        std::vector<Task> tasks = queue.next_for(*requests_[rank], threads);
        if (tasks.empty()) continue;
        requests_[rank].reset();
        handed_out_ += tasks.size();
        ranks_.send(rank, encode(MessageToWorker(NewTasks{std::move(tasks)})));
    }
}

std::size_t Coordinator::threads_of_all() const {
    return std::accumulate(threads_.begin(), threads_.end(), std::size_t{0});
}

void Coordinator::tell_all(const MessageToWorker& message) {
    for (std::size_t rank = 1; rank < ranks_.ranks(); ++rank) ranks_.send(rank, encode(message));
}

void Coordinator::stop(std::chrono::milliseconds patience) {
    tell_all(Stop{});
    const auto end = std::chrono::steady_clock::now() + patience;
    const auto all = [&] { return stopped_ == ranks_.ranks() - 1; };
    while (!all() && std::chrono::steady_clock::now() < end) {
        receive_all();
        take_(std::exchange(outcomes_, {}), std::exchange(agent_steps_, 0));
        if (!all()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    all_stopped_ = all();
}

void Coordinator::dismiss() {
    tell_all(Dismissal{});
    if (all_stopped_) ranks_.end();
}

}  // namespace bellwether
