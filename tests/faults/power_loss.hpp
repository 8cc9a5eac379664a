// What is on a disk after the power is lost: of each file what was last synced, and of the changes since then any; of
// each folder likewise. Changes of a folder are kept in their order, those of a file in none, and one may be there in
// part.
#pragma once

#include <stddef.h>
#include <sys/types.h>

namespace bellwether::faults {

class Power {
public:
    // "N:SEED"; see shim.cpp.
    void begin(const char* request, const char* folder, const char* mark);

    // Before each change: the one that was chosen does not come about, nor anything after it.
    void before_change();
    void before_write(int file, off64_t at, const void* data, size_t size);
    void before_truncation(int file, off64_t size);
    void before_emptying(const char* path);
    void before_making(const char* path);
    void made(const char* path);
    void before_rename(const char* from, const char* to);
    void before_removal(const char* path);

    bool is_folder(int file) const;
    void synced(int file);
    void end_of_process();

private:
    bool on_ = false;
};

inline Power power;

}  // namespace bellwether::faults
