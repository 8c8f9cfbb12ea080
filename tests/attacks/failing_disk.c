/* A disk that fails when it is told to.

   Loaded before the C library (LD_PRELOAD), it stands between SQLite and the files whose names
   contain WATCHED. `disk_fails(at, how)` lets the call of that number fail, counted from 1:

     EIO        with an error of input and output       ONCE    once
     ENOSPC     because the disk is full                ALWAYS  and every call after it
     TORN       after half of what was to be written
     EROFS      because the file system is read-only

   `disk_calls()` says how many calls there were since. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define WATCHED "failing.sqlite3"
enum { EIO_ONCE, ENOSPC_ONCE, TORN_ONCE, EIO_ALWAYS, ENOSPC_ALWAYS, EROFS_ALWAYS };

static long calls, fails_at;
static int manner;

void disk_fails(long at, int how) { calls = 0; fails_at = at; manner = how; }
long disk_calls(void) { return calls; }

static int watched(int fd) {
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    /* The shared memory beside the log is not on the disk. */
    return strstr(name, WATCHED) && !strstr(name, "-shm");
}

/* 0: go on; 1: fail; 2: fail after half. */
static int fate(int fd) {
    if (!watched(fd)) return 0;
    long now = __sync_add_and_fetch(&calls, 1);
    int due = fails_at && (now == fails_at || (manner >= EIO_ALWAYS && now > fails_at));
    if (!due) return 0;
    errno = manner == ENOSPC_ONCE || manner == ENOSPC_ALWAYS ? ENOSPC
          : manner == EROFS_ALWAYS ? EROFS : EIO;
    return manner == TORN_ONCE ? 2 : 1;
}

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (!next) next = (__typeof__(&name)) dlsym(RTLD_NEXT, #name)

#define WRITES(name, offset) \
    ssize_t name(int fd, const void *bytes, size_t count, offset at) { \
        NEXT(name); \
        int how = fate(fd), why = errno; \
        if (how == 2) next(fd, bytes, count / 2, at); \
        if (how) { errno = why; return -1; } \
        return next(fd, bytes, count, at); \
    }
WRITES(pwrite, off_t)
WRITES(pwrite64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
    NEXT(write);
    int how = fate(fd), why = errno;
    if (how == 2 && next(fd, bytes, count / 2) < 0) return -1;
    if (how) { errno = why; return -1; }
    return next(fd, bytes, count);
}

#define SIMPLE(result, name, arguments, passed) \
    result name arguments { \
        NEXT(name); \
        if (fate(fd)) return -1; \
        return next passed; \
    }
SIMPLE(int, fsync, (int fd), (fd))
SIMPLE(int, fdatasync, (int fd), (fd))
SIMPLE(int, ftruncate, (int fd, off_t size), (fd, size))
SIMPLE(int, ftruncate64, (int fd, off64_t size), (fd, size))
