#include "support/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#endif

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <system_error>

namespace bellwether {

std::string processor_name() {
#ifdef __APPLE__
    std::array<char, 256> name{};
    std::size_t size = name.size() - 1;
    if (::sysctlbyname("machdep.cpu.brand_string", name.data(), &size, nullptr, 0) == 0) return name.data();
#endif
    std::ifstream facts("/proc/cpuinfo");
    for (std::string line; std::getline(facts, line);)
        if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(": ") + 2));
    utsname system{};
    ::uname(&system);
    return system.machine;
}

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

double memory_of_machine() {
    return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::filesystem::path program_file() {
    std::error_code unknown;
#ifdef __APPLE__
    std::array<char, 4096> path{};
    std::uint32_t size = path.size();
    if (::_NSGetExecutablePath(path.data(), &size) != 0) return {};
    return std::filesystem::canonical(path.data(), unknown);
#else
    return std::filesystem::read_symlink("/proc/self/exe", unknown);
#endif
}

}  // namespace bellwether
