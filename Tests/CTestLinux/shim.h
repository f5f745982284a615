// pidfd_open(2), with which a test waits for the end of a process that is not its child, and eventfd(2), which cancels
// that wait.
#include <sys/eventfd.h>
#include <sys/pidfd.h>

#include <sys/types.h>
#include <sys/uio.h>

// vmsplice(2), which moves pages of this process into a pipe. glibc declares it only with _GNU_SOURCE.
extern ssize_t vmsplice(int pipe, const struct iovec *parts, size_t count, unsigned int flags);
static inline ssize_t test_vmsplice(int pipe, const void *bytes, size_t length)
{
    struct iovec part = { (void *)bytes, length };
    return vmsplice(pipe, &part, 1, 0);
}

// memmem(3), which glibc declares only with _GNU_SOURCE.
extern void *memmem(const void *bytes, size_t length, const void *pattern, size_t pattern_length);

// Pseudoterminals: posix_openpt(3) and the functions that belong to it, which glibc declares only with _XOPEN_SOURCE.
extern int posix_openpt(int flags);
extern int grantpt(int terminal);
extern int unlockpt(int terminal);
extern char *ptsname(int terminal);
