// The work of a tuning that is done, in an SQLite file (tuning.db): a row per fold and algorithm, each stored by one
// transaction, so that work that was interrupted goes on where it stopped.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "logs/tuning.hpp"

namespace bellwether {

class TuningStore : public TuningKeeper {
public:
    explicit TuningStore(std::filesystem::path file);
    ~TuningStore() override;

    void open(const TuningIdentity& identity) override;
    std::optional<StreamScores> find(std::size_t fold, std::size_t algorithm) override;
    void keep(std::size_t fold, std::size_t algorithm, const StreamScores& scores) override;

private:
    struct Connection;
    std::filesystem::path file_;  // made by open()
    std::unique_ptr<Connection> connection_;
};

}  // namespace bellwether
