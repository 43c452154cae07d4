// SPDX-License-Identifier: Apache-2.0

// Preloaded into a program, makes one of its system calls fail. The environment says which:
//
//     FAULT="CALL NUMBER errno CODE"     the NUMBER-th CALL, counted from 1, fails with this errno
//     FAULT="CALL NUMBER signal CODE"    before the call the program gets this signal; before each
//                                        call, if NUMBER is 0
//     FAULT="CALL NUMBER short 0"        half of the bytes are read or written
//     FAULT="CALL NUMBER stall 0"        the thread that makes the call never comes back
//     FAULT_MARK=FILE                    is created when it happens
//     FAULT_OPENED=FILE                  gets the flags and path of what is opened to be written
//
// CALL is one of the names below, "any", or "names" for those that change what is in a folder:
// rename, mkdir, unlink and rmdir. Calls that the C library makes by itself do not count.
#undef _FILE_OFFSET_BITS // both open() and open64() are defined here
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum outcome { as_ever, fails, is_short };

// The next definition of a function, after the one in this file.
static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        abort();
    }
    memcpy(function, &found, sizeof found);
}

static void leave_mark(void)
{
    static int (*real_open)(const char *, int, ...);
    static int (*real_close)(int);
    const char *path = getenv("FAULT_MARK");
    if (path != NULL) {
        find("open", &real_open);
        find("close", &real_close);
        real_close(real_open(path, O_WRONLY | O_CREAT, 0600));
    }
}

static void note_opened(const char *path, int flags, mode_t mode)
{
    const char *notes = getenv("FAULT_OPENED");
    if (notes != NULL && (flags & O_ACCMODE) != O_RDONLY) {
        static int (*real_open)(const char *, int, ...);
        find("open", &real_open);
        int file = real_open(notes, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        dprintf(file, "%s%s%s%s%o %s\n", (flags & O_CREAT) != 0 ? "create " : "",
                (flags & O_EXCL) != 0 ? "exclusive " : "",
                (flags & O_NOFOLLOW) != 0 ? "nofollow " : "",
                (flags & O_CLOEXEC) != 0 ? "cloexec " : "", (unsigned)mode, path);
        syscall(SYS_close, file);
    }
}

static int is_meant(const char *wanted, const char *call)
{
    return strcmp(wanted, call) == 0 || strcmp(wanted, "any") == 0 ||
           (strcmp(wanted, "names") == 0 && strstr("rename mkdir unlink rmdir", call) != NULL);
}

static enum outcome strike(const char *call)
{
    static atomic_long count;
    char wanted[16];
    char action[16];
    long number;
    int code;
    const char *fault = getenv("FAULT");
    if (fault == NULL || sscanf(fault, "%15s %ld %15s %d", wanted, &number, action, &code) != 4 ||
        !is_meant(wanted, call) ||
        (number != 0 && atomic_fetch_add(&count, 1) + 1 != number)) {
        return as_ever;
    }
    leave_mark();
    if (strcmp(action, "signal") == 0) {
        raise(code);
        return as_ever;
    }
    while (strcmp(action, "stall") == 0) {
        pause();
    }
    errno = code;
    return strcmp(action, "short") == 0 ? is_short : fails;
}

#define CALL(call, type, name, parameters, arguments) \
    type name parameters                              \
    {                                                 \
        static __typeof__(name) *real;                \
        int before = errno;                           \
        if (strike(call) == fails) {                  \
            return -1;                                \
        }                                             \
        errno = before;                               \
        find(#name, &real);                           \
        return real arguments;                        \
    }

#define TRANSFER(call, name, bytes)                               \
    ssize_t name(int file, bytes buffer, size_t size)             \
    {                                                             \
        static ssize_t (*real)(int, bytes, size_t);               \
        int before = errno;                                       \
        enum outcome outcome = strike(call);                      \
        if (outcome == fails) {                                   \
            return -1;                                            \
        }                                                         \
        errno = before;                                           \
        find(#name, &real);                                       \
        return real(file, buffer, outcome == is_short ? (size + 1) / 2 : size); \
    }

#define OPEN(name)                                                \
    int name(const char *path, int flags, ...)                    \
    {                                                             \
        static int (*real)(const char *, int, ...);               \
        int before = errno;                                       \
        va_list more;                                             \
        va_start(more, flags);                                    \
        mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0; \
        va_end(more);                                             \
        if (strike("open") == fails) {                            \
            return -1;                                            \
        }                                                         \
        errno = before;                                           \
        note_opened(path, flags, mode);                           \
        find(#name, &real);                                       \
        return real(path, flags, mode);                           \
    }

OPEN(open)
OPEN(open64)
TRANSFER("read", read, void *)
TRANSFER("write", write, const void *)
CALL("fsync", int, fsync, (int file), (file))
CALL("fsync", int, fdatasync, (int file), (file))
CALL("close", int, close, (int file), (file))
CALL("flock", int, flock, (int file, int operation), (file, operation))
CALL("fchmod", int, fchmod, (int file, mode_t mode), (file, mode))
CALL("rename", int, rename, (const char *from, const char *to), (from, to))
CALL("mkdir", int, mkdir, (const char *path, mode_t mode), (path, mode))
CALL("unlink", int, unlink, (const char *path), (path))
CALL("rmdir", int, rmdir, (const char *path), (path))
CALL("lstat", int, lstat, (const char *path, struct stat *status), (path, status))
CALL("lstat", int, lstat64, (const char *path, struct stat64 *status), (path, status))
CALL("stat", int, stat, (const char *path, struct stat *status), (path, status))
CALL("stat", int, stat64, (const char *path, struct stat64 *status), (path, status))
CALL("fstat", int, fstat, (int file, struct stat *status), (file, status))
CALL("fstat", int, fstat64, (int file, struct stat64 *status), (file, status))
CALL("ftruncate", int, ftruncate, (int file, off_t size), (file, size))
CALL("ftruncate", int, ftruncate64, (int file, off64_t size), (file, size))
CALL("pwrite", ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t at),
     (file, bytes, size, at))
CALL("pwrite", ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t at),
     (file, bytes, size, at))

#define FCNTL(name)                                           \
    int name(int file, int command, ...)                      \
    {                                                         \
        static int (*real)(int, int, ...);                    \
        int before = errno;                                   \
        va_list more;                                         \
        va_start(more, command);                              \
        void *argument = va_arg(more, void *);                \
        va_end(more);                                         \
        if (strike("fcntl") == fails) {                       \
            return -1;                                        \
        }                                                     \
        errno = before;                                       \
        find(#name, &real);                                   \
        return real(file, command, argument);                 \
    }

// The third argument is a number or a pointer, in the same register.
FCNTL(fcntl)
FCNTL(fcntl64)

CALL("madvise", int, madvise, (void *at, size_t size, int advice), (at, size, advice))

void *mmap(void *at, size_t size, int access, int flags, int file, off_t offset)
{
    static void *(*real)(void *, size_t, int, int, int, off_t);
    int before = errno;
    if (strike("mmap") == fails) {
        return MAP_FAILED;
    }
    errno = before;
    find("mmap", &real);
    return real(at, size, access, flags, file, offset);
}

DIR *opendir(const char *path)
{
    static DIR *(*real)(const char *);
    int before = errno;
    if (strike("opendir") == fails) {
        return NULL;
    }
    errno = before;
    find("opendir", &real);
    return real(path);
}

#define READDIR(name, entry)                 \
    struct entry *name(DIR *folder)          \
    {                                        \
        static struct entry *(*real)(DIR *); \
        int before = errno;                  \
        if (strike("readdir") == fails) {    \
            return NULL;                     \
        }                                    \
        errno = before;                      \
        find(#name, &real);                  \
        return real(folder);                 \
    }

READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

// The code is what it returns, and not in errno.
int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *), void *with)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int before = errno;
    if (strike("thread") == fails) {
        int code = errno;
        errno = before;
        return code;
    }
    errno = before;
    find("pthread_create", &real);
    return real(thread, how, work, with);
}
