#include "power_loss.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace bellwether::faults {

namespace {

// No container of the standard library: their memory would be that of the program under test.
template <class T, size_t most>
class List {
public:
    T* begin() { return items_; }
    T* end() { return items_ + size_; }
    size_t size() const { return size_; }
    T& operator[](size_t i) { return items_[i]; }
    T& add(const T& item) {
        if (size_ == most) abort();
        return items_[size_++] = item;
    }
    void keep_first(size_t count) { size_ = count; }
    void remove(size_t i) { items_[i] = items_[--size_]; }

private:
    T items_[most];
    size_t size_ = 0;
};

struct Blob {
    char* data = nullptr;
    size_t size = 0;
};

Blob copied(const void* data, size_t size) {
    Blob blob{static_cast<char*>(malloc(size + 1)), size};
    memcpy(blob.data, data, size);
    return blob;
}

struct Change {
    bool is_truncation;
    off64_t at;  // or the new size
    Blob data;
};

// A file that has changed since it was last synced.
struct DirtyFile {
    dev_t device;
    ino_t number;
    char path[PATH_MAX];  // by which it is found at the end: of this process, so that it holds after a rename
    Blob synced;
    Change* changes;
    size_t count, room;
};

struct FolderChange {
    enum Kind { made, renamed, removed } kind;
    char path[PATH_MAX], from[PATH_MAX],
        kept[PATH_MAX];  // kept: what was there before, by another name; "" for nothing
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
List<DirtyFile, 64> dirty;
List<FolderChange, 4096> folder_changes;
long change_to_lose_at = 0, changes_so_far = 0, kept_files = 0;
unsigned long random_state = 1;
char folder[PATH_MAX];
const char* mark = nullptr;

unsigned long random_below(unsigned long limit) {
    random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
    return (random_state >> 33) % limit;
}

class Lock {
public:
    Lock() { pthread_mutex_lock(&mutex); }
    ~Lock() { pthread_mutex_unlock(&mutex); }
};

// ---- files

DirtyFile* find(int file) {
    struct stat status;
    if (fstat(file, &status) != 0) return nullptr;
    for (DirtyFile& each : dirty)
        if (each.device == status.st_dev && each.number == status.st_ino) return &each;
    return nullptr;
}

Blob content(int file) {
    struct stat status;
    if (fstat(file, &status) != 0) return {};
    Blob blob{static_cast<char*>(malloc(static_cast<size_t>(status.st_size) + 1)), 0};
    for (long got = 1; got > 0 && blob.size < static_cast<size_t>(status.st_size);
         blob.size += static_cast<size_t>(got)) {
        got = syscall(SYS_pread64, file, blob.data + blob.size, static_cast<size_t>(status.st_size) - blob.size,
                      blob.size);
        if (got <= 0) break;
    }
    return blob;
}

// Only files that can be read again: the program opens what it writes for both, but for new ones that have nothing yet.
DirtyFile* dirty_file(int file) {
    if (DirtyFile* known = find(file)) return known;
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
    DirtyFile fresh{status.st_dev, status.st_ino, {}, {}, nullptr, 0, 0};
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const long length = syscall(SYS_readlinkat, AT_FDCWD, link, fresh.path, sizeof fresh.path - 1);
    if (length > 0) fresh.path[length] = 0;
    const long again = syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC, 0);
    if (again < 0) return nullptr;
    fresh.synced = content(static_cast<int>(again));
    syscall(SYS_close, again);
    return &dirty.add(fresh);
}

void add_change(DirtyFile& file, const Change& change) {
    if (file.count == file.room) {
        file.room = file.room == 0 ? 16 : 2 * file.room;
        file.changes = static_cast<Change*>(realloc(file.changes, file.room * sizeof(Change)));
    }
    file.changes[file.count++] = change;
}

void forget(DirtyFile& file) {
    for (size_t i = 0; i < file.count; ++i) free(file.changes[i].data.data);
    free(file.changes);
    free(file.synced.data);
    dirty.remove(static_cast<size_t>(&file - dirty.begin()));
}

void write_all(long file, const char* data, size_t size, off64_t at) {
    while (size > 0) {
        const long written = syscall(SYS_pwrite64, file, data, size, at);
        if (written <= 0) return;
        data += written;
        at += written;
        size -= static_cast<size_t>(written);
    }
}

// As it may be found: what was synced, and of the changes all, none, or any, some of them in part.
void lose(const DirtyFile& dirty_one) {
    const long file = syscall(SYS_openat, AT_FDCWD, dirty_one.path, O_WRONLY | O_CLOEXEC, 0);
    if (file < 0) return;
    struct stat status;
    const bool same = fstat(static_cast<int>(file), &status) == 0 && status.st_ino == dirty_one.number;
    const unsigned long manner = random_below(3);
    if (same && manner != 0) {
        syscall(SYS_ftruncate, file, 0);
        write_all(file, dirty_one.synced.data, dirty_one.synced.size, 0);
        constexpr size_t sector = 512;
        for (size_t i = 0; manner == 2 && i < dirty_one.count; ++i) {
            const Change& change = dirty_one.changes[i];
            const unsigned long fate = random_below(3);  // there, not there, or in part
            if (fate == 1) continue;
            if (change.is_truncation) {
                syscall(SYS_ftruncate, file, change.at);
                continue;
            }
            const size_t sectors = (change.data.size + sector - 1) / sector;
            const size_t part = fate == 0 ? change.data.size : sector * random_below(sectors + 1);
            write_all(file, change.data.data, part < change.data.size ? part : change.data.size, change.at);
        }
    }
    syscall(SYS_close, file);
}

// ---- folders

void keep(const char* path, char* kept) {
    snprintf(kept, PATH_MAX, "%s.lost-%ld", path, ++kept_files);
    if (syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, kept, 0) != 0) kept[0] = 0;
}

void undo(const FolderChange& change) {
    switch (change.kind) {
        case FolderChange::made:
            syscall(SYS_unlinkat, AT_FDCWD, change.path, 0);
            break;
        case FolderChange::renamed:
            syscall(SYS_renameat2, AT_FDCWD, change.path, AT_FDCWD, change.from, 0);
            [[fallthrough]];
        case FolderChange::removed:
            if (change.kept[0]) syscall(SYS_renameat2, AT_FDCWD, change.kept, AT_FDCWD, change.path, 0);
    }
}

void settle(const FolderChange& change) {
    if (change.kept[0]) syscall(SYS_unlinkat, AT_FDCWD, change.kept, 0);
}

// What a dirty file is called after a rename.
void follow_rename(const char* from, const char* to) {
    for (DirtyFile& file : dirty)
        if (strcmp(file.path, from) == 0) snprintf(file.path, sizeof file.path, "%s", to);
}

void lose_everything() {
    for (const DirtyFile& file : dirty) lose(file);
    // The last of the folder's changes are the first to be lost.
    const unsigned long manner = random_below(3);
    size_t left = manner == 0 ? folder_changes.size() : manner == 1 ? 0 : random_below(folder_changes.size() + 1);
    for (size_t i = folder_changes.size(); i-- > left;) undo(folder_changes[i]);
    for (size_t i = 0; i < left; ++i) settle(folder_changes[i]);
}

void mark_it() {
    if (!mark) return;
    const long file = syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) syscall(SYS_close, file);
}

// With the lock held.
void count_change() {
    if (change_to_lose_at == 0 || ++changes_so_far < change_to_lose_at) return;
    lose_everything();
    mark_it();
    syscall(SYS_exit_group, 99);
}

void add(FolderChange::Kind kind, const char* path, const char* from) {
    FolderChange change{kind, {}, {}, {}};
    snprintf(change.path, sizeof change.path, "%s", path);
    if (from) snprintf(change.from, sizeof change.from, "%s", from);
    if (kind != FolderChange::made) keep(path, change.kept);
    folder_changes.add(change);
}

}  // namespace

void Power::begin(const char* request, const char* where, const char* mark_path) {
    unsigned long seed = 1;
    if (sscanf(request, "%ld:%lu", &change_to_lose_at, &seed) != 2) abort();
    random_state = seed * 0x9e3779b97f4a7c15UL + 1;
    snprintf(folder, sizeof folder, "%s", where);
    mark = mark_path;
    on_ = true;
}

void Power::before_change() {
    if (!on_) return;
    const Lock lock;
    count_change();
}

void Power::before_write(int file, off64_t at, const void* data, size_t size) {
    if (!on_) return;
    const Lock lock;
    count_change();
    if (DirtyFile* known = dirty_file(file)) add_change(*known, {false, at, copied(data, size)});
}

void Power::before_truncation(int file, off64_t size) {
    if (!on_) return;
    const Lock lock;
    count_change();
    if (DirtyFile* known = dirty_file(file)) add_change(*known, {true, size, {}});
}

void Power::before_emptying(const char* path) {
    if (!on_) return;
    const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    if (file < 0) return;
    before_truncation(static_cast<int>(file), 0);
    syscall(SYS_close, file);
}

void Power::before_making(const char* path) {
    if (!on_) return;
    const Lock lock;
    count_change();
    add(FolderChange::made, path, nullptr);
}

void Power::made(const char* path) {
    if (!on_) return;
    const Lock lock;
    add(FolderChange::made, path, nullptr);
}

void Power::before_rename(const char* from, const char* to) {
    if (!on_) return;
    const Lock lock;
    count_change();
    add(FolderChange::renamed, to, from);
    follow_rename(from, to);
}

void Power::before_removal(const char* path) {
    if (!on_) return;
    const Lock lock;
    count_change();
    add(FolderChange::removed, path, nullptr);
}

bool Power::is_folder(int file) const {
    if (!on_) return false;
    struct stat status;
    return fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
}

// Of a folder: all changes in it. (There is one folder.)
void Power::synced(int file) {
    if (!on_) return;
    const Lock lock;
    if (is_folder(file)) {
        for (FolderChange& change : folder_changes) settle(change);
        folder_changes.keep_first(0);
    } else if (DirtyFile* known = find(file)) {
        forget(*known);
    }
}

void Power::end_of_process() {
    if (!on_) return;
    const Lock lock;
    if (change_to_lose_at == 0) {
        lose_everything();
        mark_it();
    } else {
        for (FolderChange& change : folder_changes) settle(change);
    }
    on_ = false;
}

}  // namespace bellwether::faults
