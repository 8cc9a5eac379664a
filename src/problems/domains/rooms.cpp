// Rooms and High-Variance Rooms: four rooms, one endless stream of behaviour, and eight questions about it, two for
// each room: what is the way to one of its hallways worth? Ghiassian & Sutton (2021), "An Empirical Comparison of
// Off-policy Prediction Learning Algorithms in the Four Rooms Environment".
#include <array>
#include <optional>

#include "problems/domains/description.hpp"

namespace bellwether {

namespace {

constexpr int side = 11;
enum Action : std::size_t { up, down, right, left };
constexpr std::size_t actions = 4;

struct Cell {
    int x, y;
    bool operator==(const Cell&) const = default;
};
constexpr Cell after(Cell from, std::size_t action) {
    return {from.x + (action == right) - (action == left), from.y + (action == up) - (action == down)};
}

struct Room {
    Cell low, high;  // corners
    constexpr bool has(Cell cell) const {
        return cell.x >= low.x && cell.x <= high.x && cell.y >= low.y && cell.y <= high.y;
    }
};
constexpr Room a{{0, 0}, {4, 4}}, b{{0, 6}, {4, 10}}, c{{6, 5}, {10, 10}}, d{{6, 0}, {10, 3}};
constexpr std::array rooms{a, b, c, d};
constexpr Cell hallway0{5, 1}, hallway1{1, 5}, hallway2{5, 8}, hallway3{8, 4};
constexpr std::array hallways{hallway0, hallway1, hallway2, hallway3};

// Active are the room and its other hallway.
struct Question {
    Room room;
    Cell goal, other;
};
constexpr std::array questions{Question{a, hallway0, hallway1}, Question{a, hallway1, hallway0},
                               Question{b, hallway1, hallway2}, Question{b, hallway2, hallway1},
                               Question{c, hallway2, hallway3}, Question{c, hallway3, hallway2},
                               Question{d, hallway3, hallway0}, Question{d, hallway0, hallway3}};

// The free cells, by y and then x.
class Map {
public:
    Map() {
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                bool free = false;
                for (const Room& room : rooms) free = free || room.has({x, y});
                for (const Cell& hallway : hallways) free = free || hallway == Cell{x, y};
                if (free) cells_.push_back({x, y});
            }
    }

    std::size_t size() const { return cells_.size(); }
    Cell cell(std::size_t state) const { return cells_[state]; }
    std::optional<std::size_t> state(Cell cell) const {
        for (std::size_t s = 0; s < cells_.size(); ++s)
            if (cells_[s] == cell) return s;
        return std::nullopt;
    }
    // A move into a wall stays.
    std::size_t next(std::size_t s, std::size_t action) const { return state(after(cells_[s], action)).value_or(s); }

private:
    std::vector<Cell> cells_;
};

// By state: the number of steps to the goal within the room and its hallways; `size()` elsewhere.
std::vector<std::size_t> distances(const Map& map, const Question& question) {
    const std::size_t far = map.size();
    std::vector<std::size_t> distance(map.size(), far), reached{*map.state(question.goal)};
    distance[reached[0]] = 0;
    for (std::size_t k = 0; k < reached.size(); ++k)
        for (std::size_t action = 0; action < actions; ++action) {
            const std::size_t next = map.next(reached[k], action);
            const Cell cell = map.cell(next);
            if (distance[next] != far || !(question.room.has(cell) || cell == question.other)) continue;
            distance[next] = distance[reached[k]] + 1;
            reached.push_back(next);
        }
    return distance;
}

double behaviour(Cell cell, std::size_t action, bool high_variance) {
    constexpr double preferred = 0.97, others = 0.01;
    const bool is_special = (cell.x == 1 || cell.x == 8) && (cell.y == 1 || cell.y == 8);
    if (!high_variance || !is_special) return 1.0 / actions;
    return action == (cell.x == 1 ? left : right) ? preferred : others;
}

// Three tilings of 2 × 2 tiles, cut at 10, 7 and 4.
void set_tiles(MdpDescription& description, const Map& map) {
    constexpr std::array cuts{10, 7, 4};
    constexpr std::size_t tiles = 4;
    set_features(description, cuts.size() * tiles, [&](std::size_t s, std::size_t i) {
        const int cut = cuts[i / tiles];
        const std::size_t tile = (map.cell(s).y >= cut ? 2 : 0) + (map.cell(s).x >= cut ? 1 : 0);
        return tile == i % tiles ? 1.0 : 0.0;
    });
}

MdpDescription make(const DomainRequest& request) {
    const Map map;
    const Question& question = questions[request.count("question")];
    const std::vector<std::size_t> distance = distances(map, question);
    MdpDescription description = blank_description(request, map.size(), actions);
    start_in(description, *map.state({0, 0}));
    for (std::size_t s = 0; s < map.size(); ++s)
        description.active.push_back(question.room.has(map.cell(s)) || map.cell(s) == question.other);
    for (std::size_t s = 0; s < map.size(); ++s)
        for (std::size_t action = 0; action < actions; ++action) {
            const std::size_t next = map.next(s, action);
            add_outcome(description, s, action, next, 1, map.cell(next) == question.goal ? 1 : 0,
                        description.active[next] ? request.value("gamma") : 0);
        }
    // Of the moves that shorten the way each is as likely; elsewhere the question has no policy, and any will do.
    const auto shortens = [&](std::size_t s, std::size_t action) {
        return description.active[s] && distance[map.next(s, action)] < distance[s];
    };
    const auto target = [&](std::size_t s, std::size_t action) {
        double moves = 0;
        for (std::size_t other = 0; other < actions; ++other) moves += shortens(s, other) ? 1 : 0;
        return moves == 0 ? 1.0 / actions : shortens(s, action) ? 1 / moves : 0;
    };
    set_policies(description, request, target, [&](std::size_t s, std::size_t action) {
        return behaviour(map.cell(s), action, request.value("high-variance") == 1);
    });
    if (request.features == "tabular") {
        set_tabular_features(description);
    } else {
        set_tiles(description, map);
    }
    return description;
}

constexpr bool whole = true;
constexpr DomainParameter parameters[]{
    {{"gamma", {0, 1}, "discount γ within the room and its other hallway", 0.9}},
    {{"high-variance", {0, 1}, "1: the behaviour policy hardly ever leaves four cells by three of their sides", 0},
     whole},
    {{question_parameter, {0, questions.size() - 1}, "which of the questions about the one stream", 0}, whole},
};
constexpr std::string_view features[]{"tiles", "tabular"};

}  // namespace

const DomainInfo builtin::rooms{
    .id = "rooms",
    .summary = "four rooms: one stream, eight questions about the ways to the hallways, twelve features of tiles",
    .source = "Ghiassian & Sutton (2021)",
    .parameters = parameters,
    .features = features,
    .make = make,
};

}  // namespace bellwether
