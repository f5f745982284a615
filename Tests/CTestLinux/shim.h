// pidfd_open(2), by which a test awaits the end of a process that is not its child, and eventfd(2), which ends the wait.
#include <sys/eventfd.h>
#include <sys/pidfd.h>

#include <sys/types.h>
#include <sys/uio.h>

// vmsplice(2), which glibc declares with _GNU_SOURCE only: hands pages of this process to a pipe.
extern ssize_t vmsplice(int pipe, const struct iovec *parts, size_t count, unsigned int flags);
static inline ssize_t test_vmsplice(int pipe, const void *bytes, size_t length)
{
    struct iovec part = { (void *)bytes, length };
    return vmsplice(pipe, &part, 1, 0);
}

// memmem(3), which glibc declares with _GNU_SOURCE only.
extern void *memmem(const void *bytes, size_t length, const void *pattern, size_t pattern_length);
