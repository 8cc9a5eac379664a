#include "schedule.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <vector>

#include "run/work_queue.hpp"

namespace bench {

namespace {

constexpr std::size_t most_results_at_once = 64;  // as in run/coordinator.cpp
constexpr double poll_interval = 1e-3;

enum class Kind { unit_done, work_arrives, message_arrives, owner_looks };

struct Event {
    double time;
    Kind kind;
    std::size_t rank;
    bool is_result;                    // of a message
    std::vector<std::size_t> units{};  // of work

    friend bool operator<(const Event& a, const Event& b) { return a.time > b.time; }  // the earliest first
};

class Simulation {
public:
    Simulation(std::span<const Unit> units, std::size_t ranks, const Costs& costs)
        : units_(units), costs_(costs), ranks_(ranks) {
        for (const Unit& unit : units) agent_steps_.push_back(unit.agent_steps);
    }

    Schedule run() {
        for (std::size_t rank = 1; rank < ranks_.size(); ++rank) ask(rank, 0);
        begin_own(0);
        add({0, Kind::owner_looks, 0, false});
        while (written_ < units_.size()) {
            const Event event = events_.top();
            events_.pop();
            happen(event);
            end_ = std::max(end_, event.time);
        }
        double busy = 0;
        for (const Unit& unit : units_) busy += unit.seconds;
        return {end_, 1 - busy / (end_ * static_cast<double>(ranks_.size())), owner_busy_ / end_, messages_};
    }

private:
    struct Rank {
        std::deque<std::size_t> queue{};
        bool is_working = false;
        bool has_asked = false;
        bool asked_idle = false;
    };
    struct ReceivedMessage {
        std::size_t rank;
        bool is_result;
    };

    void add(Event event) { events_.push(std::move(event)); }

    void happen(const Event& event) {
        switch (event.kind) {
            case Kind::unit_done:
                return unit_done(event.rank, event.time);
            case Kind::work_arrives:
                return work_arrives(event);
            case Kind::message_arrives:
                inbox_.push_back({event.rank, event.is_result});
                return;
            case Kind::owner_looks:
                return look(event.time);
        }
    }

    // ---- Ranks.

    void unit_done(std::size_t rank, double now) {
        ranks_[rank].is_working = false;
        if (rank == 0) {
            own_results_ += 1;
            return begin_own(now);
        }
        send(rank, true, now);
        begin(rank, now);
    }
    void work_arrives(const Event& event) {
        Rank& rank = ranks_[event.rank];
        rank.queue.insert(rank.queue.end(), event.units.begin(), event.units.end());
        rank.has_asked = false;
        if (!rank.is_working) begin(event.rank, event.time);
    }
    void begin(std::size_t number, double now) {
        Rank& rank = ranks_[number];
        if (!rank.queue.empty()) {
            rank.is_working = true;
            add({now + units_[rank.queue.front()].seconds, Kind::unit_done, number, false});
            rank.queue.pop_front();
        }
        if (rank.queue.empty()) ask(number, now);
    }
    void ask(std::size_t number, double now) {
        Rank& rank = ranks_[number];
        const bool idle = !rank.is_working;
        if (rank.has_asked && (rank.asked_idle || !idle)) return;
        rank.has_asked = true;
        rank.asked_idle = idle;
        send(number, false, now);
    }
    void send(std::size_t rank, bool is_result, double now) {
        ++messages_;
        add({now + costs_.latency, Kind::message_arrives, rank, is_result});
    }

    // ---- Rank 0.

    void begin_own(double now) {
        if (next_ == units_.size()) return;
        add({now + units_[next_++].seconds, Kind::unit_done, 0, false});
    }

    // One round: messages, answers, then the store.
    void look(double now) {
        double time = now;
        std::size_t results = own_results_;
        own_results_ = 0;
        while (!inbox_.empty() && results < most_results_at_once) {
            const ReceivedMessage message = inbox_.front();
            inbox_.pop_front();
            time += message.is_result ? costs_.receive : costs_.answer;
            if (message.is_result)
                ++results;
            else
                asking_.push_back(message.rank);
        }
        answer(time);
        time += static_cast<double>(results) * costs_.write;
        written_ += results;
        owner_busy_ += time - now;
        end_ = std::max(end_, time);
        add({inbox_.empty() ? time + poll_interval : time, Kind::owner_looks, 0, false});
    }

    void answer(double now) {
        if (next_ == units_.size()) return;
        std::vector<std::size_t> waiting;
        for (const std::size_t rank : asking_) {
            const bellwether::WorkRequest request{1, ranks_[rank].asked_idle ? std::size_t{1} : 0};
            const std::size_t count =
                bellwether::tasks_of_message(std::span(agent_steps_).subspan(next_), request, ranks_.size());
            if (count == 0) {
                waiting.push_back(rank);
                continue;
            }
            Event work{now + costs_.latency, Kind::work_arrives, rank, false};
            for (std::size_t k = 0; k < count; ++k) work.units.push_back(next_++);
            ++messages_;
            add(std::move(work));
        }
        asking_ = std::move(waiting);
    }

    std::span<const Unit> units_;
    std::vector<double> agent_steps_;
    Costs costs_;
    std::vector<Rank> ranks_;
    std::priority_queue<Event> events_;
    std::deque<ReceivedMessage> inbox_;
    std::vector<std::size_t> asking_;
    std::size_t next_ = 0, written_ = 0, own_results_ = 0, messages_ = 0;
    double end_ = 0, owner_busy_ = 0;
};

}  // namespace

Schedule simulate(std::span<const Unit> units, std::size_t ranks, const Costs& costs) {
    return Simulation(units, ranks, costs).run();
}

}  // namespace bench
