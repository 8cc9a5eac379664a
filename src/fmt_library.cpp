// fmt as a library of this project's own, for builds that link no shared one (cmake/BellwetherStatic.cmake): its source
// is a header, and these are the templates that its other headers expect to be instantiated elsewhere.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template char decimal_point_impl<char>(locale_ref);
template dragonbox::decimal_fp<float> dragonbox::to_decimal<float>(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal<double>(double) noexcept;
}  // namespace detail
FMT_END_NAMESPACE
