// exp and log, to the bit: recorded values from an implementation outside of this project, packs against numbers, and
// the distance to the mathematics library's long double.
#include "bellwether/exponential.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "stream.hpp"

namespace bellwether::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
T parse(const std::string& text) {
    return static_cast<T>(std::strtod(text.c_str(), nullptr));
}
std::uint64_t bits(double x) {
    return std::bit_cast<std::uint64_t>(x);
}
std::uint32_t bits(float x) {
    return std::bit_cast<std::uint32_t>(x);
}

TEST(Exponential, RecordedValuesAreMetToTheBit) {
    int checked = 0;
    const std::string path = BELLWETHER_TEST_DATA "/exp-log.csv";
    for (const auto& row : read_csv(path).rows) {
        SCOPED_TRACE(testing::Message() << row[0] << " of " << row[1]);
        const double x = parse<double>(row[1]), value = parse<double>(row[2]);
        if (row[0] == "exp") {
            EXPECT_EQ(bits(bellwether::exp(x)), bits(value));
        } else if (row[0] == "log") {
            EXPECT_EQ(bits(bellwether::log(x)), bits(value));
        } else {
            EXPECT_EQ(bits(bellwether::exp(parse<float>(row[1]))), bits(parse<float>(row[2])));
        }
        ++checked;
    }
    EXPECT_EQ(checked, 657);
}

TEST(Exponential, NanStaysNan) {
    EXPECT_TRUE(std::isnan(bellwether::exp(std::nan(""))));
    EXPECT_TRUE(std::isnan(bellwether::exp(std::nanf(""))));
    EXPECT_TRUE(std::isnan(bellwether::log(std::nan(""))));
    EXPECT_TRUE(std::isnan(bellwether::log(-1.0)));
}

// Arguments of every size: of step sizes, of the whole range and beyond it, and every pattern of bits.
template <class T>
class Arguments {
public:
    T next() {
        switch (count_++ % 4) {
            case 0:
                return static_cast<T>(random_.uniform(-1e-3, 1e-3));
            case 1:
                return static_cast<T>(random_.uniform(-2, 2));
            case 2:
                return static_cast<T>(random_.uniform(-1, 1) * (sizeof(T) == 8 ? 760 : 110));
            default:
                return static_cast<T>(std::ldexp(random_.uniform(-1, 1), static_cast<int>(random_.below(80)) - 60));
        }
    }

private:
    Random random_{7};
    std::size_t count_ = 0;
};

template <class T, std::size_t lanes>
void expect_packs_equal_numbers(std::size_t packs) {
    Arguments<T> arguments;
    for (std::size_t n = 0; n < packs; ++n) {
        Pack<T, lanes> x(T(0));
        for (std::size_t lane = 0; lane < lanes; ++lane) x.set(lane, arguments.next());
        const Pack<T, lanes> several = exp(x);
        for (std::size_t lane = 0; lane < lanes; ++lane)
            ASSERT_EQ(bits(several[lane]), bits(bellwether::exp(x[lane]))) << "exp of " << x[lane];
    }
}
TEST(Exponential, PacksOfEveryWidthEqualNumbers) {
    expect_packs_equal_numbers<double, 2>(40000);
    expect_packs_equal_numbers<double, 4>(40000);
    expect_packs_equal_numbers<double, 8>(40000);
    expect_packs_equal_numbers<double, 16>(40000);
    expect_packs_equal_numbers<float, 4>(40000);
    expect_packs_equal_numbers<float, 8>(40000);
    expect_packs_equal_numbers<float, 16>(40000);
}

// Units in the last place of the result, of those that are normal numbers.
template <class T>
double ulps(T value, long double exact) {
    const double spacing = std::ldexp(1.0, std::ilogb(static_cast<T>(exact)) - (std::numeric_limits<T>::digits - 1));
    return static_cast<double>(std::fabs((static_cast<long double>(value) - exact) / spacing));
}
// The bounds are those that the header states, found over 10⁸ arguments; these fewer must not be worse.
TEST(Exponential, ErrorsAreWithinWhatIsStated) {
    double exp_error = 0, small_error = 0, float_error = 0, log_error = 0;
    Arguments<double> arguments;
    Arguments<float> floats;
    for (std::size_t n = 0; n < 1000000; ++n) {
        const double x = arguments.next();
        const double value = bellwether::exp(x);
        if (value > std::numeric_limits<double>::min() && value < infinity) {
            const double error = ulps(value, std::exp(static_cast<long double>(x)));
            exp_error = std::max(exp_error, error);
            if (std::fabs(x) <= 1e-3) small_error = std::max(small_error, error);
            if (std::fabs(std::log(value)) > 1e-300)
                log_error =
                    std::max(log_error, ulps(bellwether::log(value), std::log(static_cast<long double>(value))));
        }
        const float y = floats.next(), result = bellwether::exp(y);
        if (result > std::numeric_limits<float>::min() && result < std::numeric_limits<float>::infinity())
            float_error = std::max(float_error, ulps(result, std::exp(static_cast<long double>(y))));
    }
    EXPECT_LE(exp_error, 1.004);
    EXPECT_LE(small_error, 0.505);
    EXPECT_LE(float_error, 1.051);
    EXPECT_LE(log_error, 0.833);
}

}  // namespace
}  // namespace bellwether::test
