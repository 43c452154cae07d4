// SPDX-License-Identifier: Apache-2.0

// Preloaded into a program, makes it run out of memory. The environment says when:
//
//     FAULT="memory NUMBER once"    the NUMBER-th allocation, counted from 1, fails
//     FAULT="memory NUMBER on"      that one and all after it fail
//     FAULT_MARK=FILE               is created when it happens
//
// Counting begins with main(): the constants of CLI11 are made before it, where nothing can catch
// what they throw. What the C library allocates by itself counts too. Not together with a
// sanitizer, which has an allocator of its own.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Names of the C library's own, under names that a program may declare.
void *real_malloc(size_t size) __asm__("__libc_malloc");
void *real_calloc(size_t count, size_t size) __asm__("__libc_calloc");
void *real_realloc(void *old, size_t size) __asm__("__libc_realloc");
void *real_memalign(size_t alignment, size_t size) __asm__("__libc_memalign");
int start_main(int (*main)(int, char **, char **), int count_of, char **arguments,
               void (*init)(void), void (*fini)(void), void (*unload)(void),
               void *stack) __asm__("__libc_start_main");

static long first_to_fail;
static bool goes_on;
static atomic_long count;

static int (*real_main)(int, char **, char **);

static int main_with_fault(int count_of, char **arguments, char **environment)
{
    char when[8];
    const char *fault = getenv("FAULT");
    if (fault != NULL && sscanf(fault, "memory %ld %7s", &first_to_fail, when) == 2) {
        goes_on = strcmp(when, "on") == 0;
    }
    return real_main(count_of, arguments, environment);
}

// What calls main().
int start_main(int (*main)(int, char **, char **), int count_of, char **arguments,
               void (*init)(void), void (*fini)(void), void (*unload)(void), void *stack)
{
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                void (*)(void), void *);
    void *found = dlsym(RTLD_NEXT, "__libc_start_main");
    if (found == NULL) {
        abort();
    }
    memcpy(&real, &found, sizeof real);
    real_main = main;
    return real(main_with_fault, count_of, arguments, init, fini, unload, stack);
}

static bool fails(void)
{
    long number = first_to_fail == 0 ? 0 : atomic_fetch_add(&count, 1) + 1;
    if (number != first_to_fail && !(goes_on && number > first_to_fail)) {
        return false;
    }
    if (number == 0) {
        return false;
    }
    const char *path = getenv("FAULT_MARK");
    if (path != NULL && number == first_to_fail) {
        close(open(path, O_WRONLY | O_CREAT, 0600));
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return fails() ? NULL : real_malloc(size); }

void *calloc(size_t number, size_t size) { return fails() ? NULL : real_calloc(number, size); }

void *realloc(void *old, size_t size) { return fails() ? NULL : real_realloc(old, size); }

void *memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : real_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size)
{
    int before = errno;
    void *found = memalign(alignment, size);
    errno = before;
    if (found == NULL) {
        return ENOMEM;
    }
    *result = found;
    return 0;
}
