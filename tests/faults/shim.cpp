// A library to load before the program (LD_PRELOAD) that makes the system fail, at one call of a kind after the other.
//
//     BELLWETHER_FAULT=KIND:ERROR:N     the N-th call of that kind fails with that error; N+ makes all later ones fail
//     too.
//                                       KIND: write, sync, open, rename, lock, truncate, make, remove, memory, thread
//     BELLWETHER_POWER=N:SEED           before the N-th change of a file or a folder the power is lost: of what was not
//     synced
//                                       yet, some is there, some not, and some in part. N = 0: when the process ends.
//     BELLWETHER_CLOCK=SEED             the time of day jumps, by up to thirty years either way, at every look at it
//     BELLWETHER_FAULT_FOLDER=PATH      calls count where they are about files in this folder
//     BELLWETHER_FAULT_MARK=PATH        made when the fault has happened
//     BELLWETHER_FAULT_PLACES=PATH      nothing fails, and this file gets the numbers of those calls of the kind that
//                                       come from a place of the program from which none has come before
//
// System calls are made directly, memory comes from the functions of the C library that malloc is another name of, so
// that nothing here calls what it replaces.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include "power_loss.hpp"

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

using bellwether::faults::power;

enum Kind {
    write_call,
    sync_call,
    open_call,
    rename_call,
    lock_call,
    truncate_call,
    make_call,
    remove_call,
    memory_call,
    thread_call,
    no_kind
};
constexpr const char* kind_names[] = {"write",    "sync", "open",   "rename", "lock",
                                      "truncate", "make", "remove", "memory", "thread"};

struct NamedError {
    const char* name;
    int number;
};
constexpr NamedError errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},       {"EACCES", EACCES}, {"EMFILE", EMFILE},
                                 {"EINTR", EINTR},   {"ENOMEM", ENOMEM}, {"ENOLCK", ENOLCK}, {"EAGAIN", EAGAIN},
                                 {"EDQUOT", EDQUOT}, {"EROFS", EROFS}};

Kind chosen = no_kind;
int chosen_error = 0;
long chosen_call = 0;
bool stays = false;
char folder[PATH_MAX];
size_t folder_length = 0;
const char* mark = nullptr;
bool ready = false;
long calls = 0;
unsigned long clock_state = 0;  // 0: the clock is right

// ---- places

// A place is the last few returns on the stack: a function that everything calls, such as one that makes a string, is
// many.
constexpr int returns_of_place = 4, own_returns = 3;
constexpr size_t most_places = 1 << 16;
unsigned long places[most_places];
int places_file = -1;
pthread_mutex_t places_mutex = PTHREAD_MUTEX_INITIALIZER;
thread_local bool looks_at_stack = false;

struct Returns {
    unsigned long hash = 1469598103934665603UL;
    int seen = 0;
};
_Unwind_Reason_Code see_return(_Unwind_Context* context, void* data) {
    auto& returns = *static_cast<Returns*>(data);
    if (++returns.seen > own_returns) returns.hash = (returns.hash ^ _Unwind_GetIP(context)) * 1099511628211UL;
    return returns.seen == own_returns + returns_of_place ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void note_place(long call) {
    if (looks_at_stack) return;
    looks_at_stack = true;
    Returns returns;
    _Unwind_Backtrace(see_return, &returns);
    pthread_mutex_lock(&places_mutex);
    size_t at = returns.hash % most_places;
    while (places[at] != 0 && places[at] != returns.hash) at = (at + 1) % most_places;
    if (places[at] == 0) {
        places[at] = returns.hash;
        char line[32];
        const int length = snprintf(line, sizeof line, "%ld\n", call);
        syscall(SYS_write, places_file, line, length);
    }
    pthread_mutex_unlock(&places_mutex);
    looks_at_stack = false;
}

// Whether this call is the one that fails.
bool fails(Kind kind) {
    if (!ready || kind != chosen) return false;
    const long call = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
    if (places_file >= 0) {
        note_place(call);
        return false;
    }
    if (call != chosen_call && !(stays && call > chosen_call)) return false;
    if (mark) {
        const long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (file >= 0) syscall(SYS_close, file);
    }
    errno = chosen_error;
    return true;
}

bool is_in_folder(const char* path) {
    if (!ready || folder_length == 0 || !path) return false;
    char whole[PATH_MAX];
    if (path[0] == '/') return strncmp(path, folder, folder_length) == 0;
    if (syscall(SYS_getcwd, whole, sizeof whole) < 0) return false;
    strncat(whole, "/", sizeof whole - strlen(whole) - 1);
    strncat(whole, path, sizeof whole - strlen(whole) - 1);
    return strncmp(whole, folder, folder_length) == 0;
}

bool is_in_folder(int file) {
    if (!ready || folder_length == 0) return false;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
    if (length <= 0) return false;
    path[length] = 0;
    return strncmp(path, folder, folder_length) == 0;
}

__attribute__((constructor)) void begin() {
    if (const char* where = getenv("BELLWETHER_FAULT_FOLDER")) {
        snprintf(folder, sizeof folder, "%s", where);
        folder_length = strlen(folder);
    }
    mark = getenv("BELLWETHER_FAULT_MARK");
    if (const char* fault = getenv("BELLWETHER_FAULT")) {
        char kind[32] = {}, error[32] = {}, call[32] = {};
        if (sscanf(fault, "%31[^:]:%31[^:]:%31s", kind, error, call) == 3) {
            for (int k = 0; k < no_kind; ++k)
                if (strcmp(kind, kind_names[k]) == 0) chosen = static_cast<Kind>(k);
            for (const NamedError& e : errors)
                if (strcmp(error, e.name) == 0) chosen_error = e.number;
            chosen_call = atol(call);
            stays = strchr(call, '+') != nullptr;
        }
        if (chosen == no_kind || chosen_error == 0 || chosen_call <= 0) abort();
        if (chosen == memory_call) unsetenv("LD_PRELOAD");  // gnuplot's memory is not what is looked at
    }
    if (const char* path = getenv("BELLWETHER_FAULT_PLACES"))
        places_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (const char* seed = getenv("BELLWETHER_CLOCK")) clock_state = strtoul(seed, nullptr, 10) | 1;
    if (const char* loss = getenv("BELLWETHER_POWER")) power.begin(loss, folder, mark);
    ready = true;
}

__attribute__((destructor)) void end() {
    power.end_of_process();
}

long opened(const char* path, int folder_file, int flags, mode_t mode) {
    const bool counts = is_in_folder(path);
    if (counts && fails(open_call)) return -1;
    const bool makes = counts && (flags & O_CREAT) && syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0;
    if (makes) power.before_making(path);
    if (counts && (flags & O_TRUNC)) power.before_emptying(path);
    return syscall(SYS_openat, folder_file, path, flags, mode);
}

// The time of day, or what a clock says that somebody sets again and again.
timespec time_of_day() {
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    if (clock_state != 0) {
        constexpr long thirty_years = 30L * 365 * 24 * 3600;
        const unsigned long draw =
            __atomic_add_fetch(&clock_state, 0x9E3779B97F4A7C15UL, __ATOMIC_SEQ_CST) * 0xBF58476D1CE4E5B9UL >> 20;
        now.tv_sec += static_cast<long>(draw % (2 * thirty_years)) - thirty_years;
        if (mark) {
            const long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
            if (file >= 0) syscall(SYS_close, file);
        }
    }
    return now;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

#define OPEN(name, more)                                          \
    int name(const char* path, int flags, ...) {                  \
        mode_t mode = 0;                                          \
        if (flags & (O_CREAT | O_TMPFILE)) {                      \
            va_list arguments;                                    \
            va_start(arguments, flags);                           \
            mode = va_arg(arguments, mode_t);                     \
            va_end(arguments);                                    \
        }                                                         \
        return (int)opened(path, AT_FDCWD, flags | (more), mode); \
    }
OPEN(open, 0)
OPEN(open64, O_LARGEFILE)

int mkstemp(char* form) {
    if (is_in_folder(form)) {
        if (fails(open_call)) return -1;
    }
    const int file = next<int(char*)>("mkstemp")(form);
    if (file >= 0 && is_in_folder(form)) power.made(form);
    return file;
}
int mkstemp64(char* form) {
    return mkstemp(form);
}
FILE* fopen64(const char* path, const char* mode) {
    if (is_in_folder(path) && fails(open_call)) return nullptr;
    return next<FILE*(const char*, const char*)>("fopen64")(path, mode);
}
FILE* fopen(const char* path, const char* mode) {
    return fopen64(path, mode);
}

ssize_t write(int file, const void* data, size_t size) {
    if (is_in_folder(file)) {
        if (fails(write_call)) return -1;
        power.before_write(file, syscall(SYS_lseek, file, 0, SEEK_CUR), data, size);
    }
    return syscall(SYS_write, file, data, size);
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t at) {
    if (is_in_folder(file)) {
        if (fails(write_call)) return -1;
        power.before_write(file, at, data, size);
    }
    return syscall(SYS_pwrite64, file, data, size, at);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
    return pwrite64(file, data, size, at);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
    ssize_t written = 0;
    for (int i = 0; i < count; ++i) {
        const ssize_t part = write(file, parts[i].iov_base, parts[i].iov_len);
        if (part < 0) return written > 0 ? written : part;
        written += part;
        if (static_cast<size_t>(part) < parts[i].iov_len) break;
    }
    return written;
}

int fsync(int file) {
    if (is_in_folder(file) || power.is_folder(file)) {
        if (fails(sync_call)) return -1;
        power.before_change();
        const int status = (int)syscall(SYS_fsync, file);
        if (status == 0) power.synced(file);
        return status;
    }
    return (int)syscall(SYS_fsync, file);
}
int fdatasync(int file) {
    return fsync(file);
}

int ftruncate64(int file, off64_t size) {
    if (is_in_folder(file)) {
        if (fails(truncate_call)) return -1;
        power.before_truncation(file, size);
    }
    return (int)syscall(SYS_ftruncate, file, size);
}
int ftruncate(int file, off_t size) {
    return ftruncate64(file, size);
}

int rename(const char* from, const char* to) {
    if (is_in_folder(to)) {
        if (fails(rename_call)) return -1;
        power.before_rename(from, to);
    }
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char* path) {
    if (is_in_folder(path)) {
        if (fails(remove_call)) return -1;
        power.before_removal(path);
    }
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
int mkdir(const char* path, mode_t mode) {
    if (is_in_folder(path) && fails(make_call)) return -1;
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int flock(int file, int operation) {
    if (is_in_folder(file) && fails(lock_call)) return -1;
    return (int)syscall(SYS_flock, file, operation);
}
#define FCNTL(name)                                                                                   \
    int name(int file, int command, ...) {                                                            \
        va_list arguments;                                                                            \
        va_start(arguments, command);                                                                 \
        void* argument = va_arg(arguments, void*);                                                    \
        va_end(arguments);                                                                            \
        const bool locks = command == F_SETLK || command == F_SETLKW;                                 \
        if (locks && is_in_folder(file) && static_cast<struct flock*>(argument)->l_type != F_UNLCK && \
            fails(lock_call))                                                                         \
            return -1;                                                                                \
        return (int)syscall(SYS_fcntl, file, command, argument);                                      \
    }
FCNTL(fcntl)
FCNTL(fcntl64)

// Who is refused a lock tries again for some seconds, which are a millisecond here: all the refusals, none of the time.
int clock_nanosleep(clockid_t clock, int flags, const struct timespec* time, struct timespec* left) {
    constexpr timespec millisecond{0, 1'000'000};
    const bool waits_for_lock = chosen == lock_call && flags == 0;
    return syscall(SYS_clock_nanosleep, clock, flags, waits_for_lock ? &millisecond : time, left) == 0 ? 0 : errno;
}
int nanosleep(const struct timespec* time, struct timespec* left) {
    const int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    if (error == 0) return 0;
    errno = error;
    return -1;
}
int usleep(useconds_t microseconds) {
    const timespec time{microseconds / 1'000'000, microseconds % 1'000'000 * 1000L};
    return nanosleep(&time, nullptr);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    if (clock == CLOCK_REALTIME && clock_state != 0) return *time = time_of_day(), 0;
    return (int)syscall(SYS_clock_gettime, clock, time);
}
int gettimeofday(struct timeval* time, void*) {
    const timespec now = time_of_day();
    *time = {now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
time_t time(time_t* where) {
    const time_t now = time_of_day().tv_sec;
    if (where) *where = now;
    return now;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) {
    if (fails(thread_call)) return chosen_error;
    return next<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create")(thread, attributes,
                                                                                                   work, argument);
}

void* malloc(size_t size) {
    return fails(memory_call) ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    return fails(memory_call) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, size_t size) {
    return fails(memory_call) ? nullptr : __libc_realloc(block, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return fails(memory_call) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) {
    if (fails(memory_call)) return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

}  // extern "C"
