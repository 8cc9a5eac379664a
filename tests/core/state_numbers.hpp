// Everything an algorithm remembers, as numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "bellwether/algorithm.hpp"

namespace bellwether::test {
inline namespace BELLWETHER_TARGET {

// Everything an algorithm lists in visit(), of one lane.
struct Flatten {
    std::size_t lane;
    std::vector<double> numbers{};

    template <class State>
    void kept(const char*, State& state) {
        add(state);
    }
    template <class State>
    void cleared(const char*, State& state) {
        add(state);
    }

private:
    template <class Real>
    void add(Vector<Real>& v) {
        for (std::size_t i = 0; i < v.size; ++i) add(v[i]);
    }
    template <class Real>
    void add(MovingVector<Real>& v) {
        for (std::size_t i = 0; i < v.base.size; ++i) {
            Real number = component(v, i);
            add(number);
        }
        add(v.base);
        add(v.steps);
    }
    template <class Real>
    void add(CarriedProduct<Real>& product) {
        add(product.with_base);
        add(product.with_along);
    }
    template <class Real>
    void add(CarriedSquare<Real>& square) {
        add(square.sum);
    }
    template <class Real>
    void add(DenseTrace<Real>& e) {
        add(e.values);
        add(e.scale);
    }
    template <class Real>
    void add(Matrix<Real>& m) {
        for (std::size_t i = 0; i < m.size; ++i)
            for (std::size_t j = 0; j < m.size; ++j) add(m.row(i)[j]);
    }
    template <std::size_t N>
    void add(Pack<double, N>& pack) {
        numbers.push_back(pack[lane]);
    }
    void add(double& number) { numbers.push_back(number); }
};

}  // namespace BELLWETHER_TARGET
}  // namespace bellwether::test
