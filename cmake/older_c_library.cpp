// What g++'s library, as a newer system has it, asks of a C library, and an older one has not (BELLWETHER_C_LIBRARY).
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

#define INSIDE extern "C" __attribute__((visibility("hidden")))

// glibc 2.32: whether there is one thread alone, so that counts of references need no atomic operations. Not known: no.
INSIDE char __libc_single_threaded;
char __libc_single_threaded = 0;

// glibc 2.36: a random number, for std::random_device.
INSIDE std::uint32_t arc4random();
std::uint32_t arc4random() {
    std::uint32_t number = 0;
    if (getentropy(&number, sizeof number) != 0) std::abort();
    return number;
}
