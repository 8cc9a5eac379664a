// The recorded problem of tests/data/mdp.json.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "small_mdps.hpp"

namespace bellwether::test {

inline Eigen::VectorXd vector_of(const nlohmann::json& j) {
    return to_eigen(j.get<Vec>());
}
inline Eigen::MatrixXd matrix_of(const nlohmann::json& j) {
    Eigen::MatrixXd result(j.size(), j[0].size());
    for (std::size_t i = 0; i < j.size(); ++i) result.row(static_cast<Eigen::Index>(i)) = vector_of(j[i]).transpose();
    return result;
}
inline FiniteMdp mdp_of(const nlohmann::json& j) {
    MdpDescription m = sized("golden", j["states"], j["actions"], j["features"][0].size());
    const auto append = [](Vec& to, const nlohmann::json& rows) {
        for (const Vec& row : rows.get<Mat>()) to.insert(to.end(), row.begin(), row.end());
    };
    m.outcomes.resize(m.states * m.actions);
    for (const auto& t : j["transitions"])
        m.outcomes[t["state"].get<std::size_t>() * m.actions + t["action"].get<std::size_t>()].push_back(
            {t["next"], t["probability"], t["reward"], t["discount"]});
    append(m.target, j["target"]);
    append(m.behaviour, j["behaviour"]);
    append(m.features, j["features"]);
    m.lambda = j["lambda"].get<Vec>();
    m.interest = j["interest"].get<Vec>();
    return FiniteMdp(std::move(m));
}

}  // namespace bellwether::test
