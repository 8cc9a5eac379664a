// Everything an algorithm remembers, as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bellwether/algorithm.hpp"

namespace bellwether::test {

// Everything an algorithm lists in visit(), of one lane; of what moves along a trace, also where it has got to.
struct Flatten {
    std::size_t lane;
    std::vector<double> numbers_of_lane{};

    template <class State>
    void kept(const char*, State& state) {
        if constexpr (is_moving<State>)
            for (std::size_t i = 0; i < state.base.size; ++i) number(component(state, i), 0);
        parts(*this, state);
    }
    template <class State>
    void cleared(const char* name, State& state) {
        kept(name, state);
    }

    template <class Real>
    void numbers(const Vector<Real>& v) {
        for (std::size_t i = 0; i < v.size; ++i) number(v[i], 0);
    }
    template <class Real>
    void numbers(const Matrix<Real>& m) {
        for (std::size_t i = 0; i < m.size; ++i) numbers(m.row(i));
    }
    template <class Real>
    void number(const Real& number, int) {
        if constexpr (is_pack<Real>) {
            numbers_of_lane.push_back(number[lane]);
        } else {
            numbers_of_lane.push_back(number);
        }
    }
    void flag(std::uint32_t) {}
};

}  // namespace bellwether::test
