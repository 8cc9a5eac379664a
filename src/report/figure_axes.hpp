// Ranges and tics that make the panels of a figure comparable.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "report/figure_model.hpp"

namespace bellwether {

// From 0 to so many steps or iterations.
Axis step_axis(std::string title, std::size_t steps);

// From 0 to a little above that value.
Axis axis_from_zero(std::string title, double top);

// An axis of errors for these values, the infinite ones left aside. It ends a little above `top`, whatever is higher:
// what lies beyond is drawn as marks. Logarithmic where the values span more than a factor of 30, and never
// longer than eight decades.
Axis error_axis(std::string title, std::span<const double> values, double top);

// The values of a parameter on an axis: as they are where they are evenly spaced, logarithmic to the base 2 where they
// are positive and span a factor of 8, and else one after the other in the order of size, unless they are to lie as
// they are.
class ParameterAxis {
public:
    ParameterAxis(std::string title, std::vector<double> values, bool as_they_are = false);

    const Axis& axis() const { return axis_; }
    double coordinate(double value) const;

private:
    bool is_ordinal() const { return !places_.empty(); }
    void set_range(std::span<const double> values);
    void add_value_tics(std::span<const double> values);

    Axis axis_;
    std::map<double, double> places_;  // only where the axis is ordinal
};

}  // namespace bellwether
