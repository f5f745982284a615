// Declarations that Swift's Glibc module lacks. That module is built without _GNU_SOURCE, so it omits the C library's
// GNU declarations whatever this header defines. They are declared here as in the manual pages.

#ifndef XPB_CLINUX_SHIM_H
#define XPB_CLINUX_SHIM_H

#include <unistd.h>
#include <sys/wait.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/memfd.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/vfs.h>

// memfd_create(2)
extern int memfd_create(const char *name, unsigned int flags);
// accept4(2)
extern int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
// splice(2)
extern ssize_t splice(int in, int64_t *in_offset, int out, int64_t *out_offset, size_t length, unsigned int flags);

// open(2): a descriptor that only identifies a file. The number is the same on all architectures that Swift supports.
#define LINUX_O_PATH 010000000

// sync_file_range(2)
#define SYNC_FILE_RANGE_WAIT_BEFORE 1
#define SYNC_FILE_RANGE_WRITE 2
#define SYNC_FILE_RANGE_WAIT_AFTER 4
extern int sync_file_range(int file, int64_t offset, int64_t length, unsigned int flags);

// copy_file_range(2)
extern ssize_t copy_file_range(
    int in, int64_t *in_offset, int out, int64_t *out_offset, size_t length, unsigned int flags);
// FICLONERANGE of ioctl_ficlonerange(2)
static inline int linux_clone_range(int in, uint64_t in_offset, uint64_t length, int out, uint64_t out_offset) {
    struct file_clone_range range = {in, in_offset, length, out_offset};
    return ioctl(out, FICLONERANGE, &range);
}
// fallocate(2)
#define FALLOC_FL_KEEP_SIZE 1
#define FALLOC_FL_PUNCH_HOLE 2
extern int fallocate(int file, int mode, off_t offset, off_t length);
// pthread_setname_np(3)
extern int pthread_setname_np(pthread_t thread, const char *name);
// pipe2(2)
extern int pipe2(int ends[2], int flags);
// memmem(3)
extern void *memmem(const void *bytes, size_t length, const void *part, size_t part_length);
// explicit_bzero(3)
extern void explicit_bzero(void *bytes, size_t length);
// pidfd_open(2): glibc 2.36
extern int pidfd_open(pid_t process, unsigned int flags);
// pidfd_send_signal(2): glibc 2.36
extern int pidfd_send_signal(int process, int signal, siginfo_t *information, unsigned int flags);
// posix_spawn_file_actions_addclosefrom_np: glibc 2.34
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
// posix_spawn_file_actions_addchdir_np: glibc 2.29
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// Kernel and glibc constants that need _GNU_SOURCE, or kernel headers newer than those of Debian 12.
// The values are part of the binary interfaces of the kernel and glibc.
// open(2): __O_TMPFILE is the same on all architectures that Swift supports, O_DIRECTORY is not.
static const int xpb_o_tmpfile = 020000000 | O_DIRECTORY;
// renameat2(2)
extern int renameat2(int folder, const char *name, int newFolder, const char *newName, unsigned int flags);
static const unsigned int xpb_rename_noreplace = 1;
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define F_SEAL_SEAL 0x0001
#define F_SEAL_SHRINK 0x0002
#define F_SEAL_GROW 0x0004
#define F_SEAL_WRITE 0x0008
#endif
#ifndef F_SETPIPE_SZ
#define F_SETPIPE_SZ 1031
#define F_GETPIPE_SZ 1032
#endif
#ifndef SPLICE_F_NONBLOCK
#define SPLICE_F_NONBLOCK 2
#endif
#ifndef MADV_DONTDUMP
#define MADV_DONTDUMP 16
#endif
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#ifndef POSIX_SPAWN_SETSID
#define POSIX_SPAWN_SETSID 0x80
#endif

// struct ucred of unix(7).
struct linux_credentials {
    pid_t pid;
    uid_t uid;
    gid_t gid;
};

// The kernel's limit on descriptors in one message (SCM_MAX_FD in the kernel's include/net/scm.h).
#define LINUX_DESCRIPTORS_PER_MESSAGE 253

// Sends bytes with descriptors (SCM_RIGHTS). In C because CMSG_SPACE, CMSG_FIRSTHDR and CMSG_DATA are macros.
static inline ssize_t linux_send(
    int socket, const void *bytes, size_t length, const int *descriptors, size_t count, int flags)
{
    struct iovec vector = { (void *)bytes, length };
    struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
    union {
        struct cmsghdr header; // for its alignment
        char bytes[CMSG_SPACE(LINUX_DESCRIPTORS_PER_MESSAGE * sizeof(int))];
    } control;
    if (count > LINUX_DESCRIPTORS_PER_MESSAGE) {
        errno = EINVAL;
        return -1;
    }
    if (count > 0) {
        memset(&control, 0, CMSG_SPACE(count * sizeof(int)));
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    return sendmsg(socket, &message, flags | MSG_NOSIGNAL);
}

// Receives bytes and descriptors, which are close-on-exec. `descriptors` has room for LINUX_DESCRIPTORS_PER_MESSAGE
// elements; `*truncated` is set if the kernel dropped some of the sent descriptors. In C because CMSG_NXTHDR and the
// related names are macros.
static inline ssize_t linux_receive(
    int socket, void *bytes, size_t length, int *descriptors, size_t *count, int *truncated, int flags)
{
    struct iovec vector = { bytes, length };
    union {
        struct cmsghdr header; // for its alignment
        char bytes[CMSG_SPACE(LINUX_DESCRIPTORS_PER_MESSAGE * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    *count = 0;
    *truncated = 0;
    ssize_t received = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
    if (received < 0)
        return received;
    *truncated = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        size_t size = header->cmsg_len - CMSG_LEN(0);
        memcpy(descriptors + *count, CMSG_DATA(header), size);
        *count += size / sizeof(int);
    }
    return received;
}

// prctl(2) with PR_SET_DUMPABLE and PR_GET_DUMPABLE. In C because prctl is variadic.
static inline int linux_set_dumpable(int is_dumpable)
{
    return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}

static inline int linux_is_dumpable(void)
{
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

// sched_setaffinity(2) with all processors; the kernel leaves out processors that the process may not use. In C because
// the type cpu_set_t needs _GNU_SOURCE.
static inline int linux_use_all_processors(void)
{
    unsigned char processors[1024];
    memset(processors, 0xFF, sizeof processors);
    return (int)syscall(SYS_sched_setaffinity, 0, sizeof processors, processors);
}

// ioprio_set(2) with no scheduling class, so that the nice value applies. It has no wrapper in glibc. In C because
// syscall is variadic.
static inline int linux_reset_disk_priority(void)
{
    const int process = 1, none = 0; // IOPRIO_WHO_PROCESS, IOPRIO_CLASS_NONE
    return (int)syscall(SYS_ioprio_set, process, 0, none);
}

// posix_spawn(3) from an intermediate process that exits at once. The program is then not a child of this process: it
// leaves no zombie in a long-lived parent that never waits, and does not confuse a parent that waits for any child.
// In C because Swift has no fork(2).
static inline int linux_spawn_orphan(
    const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const *arguments, char *const *environment)
{
    // The error is returned in shared memory rather than as an exit status: in a program that ignores SIGCHLD the status
    // is lost, and waitpid(2) fails with ECHILD once the child has ended.
    volatile int *result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (result == MAP_FAILED)
        return errno;
    *result = ECHILD;
    pid_t between = fork();
    if (between == 0) {
        pid_t orphan;
        *result = posix_spawn(&orphan, path, actions, attributes, arguments, environment);
        _exit(0);
    }
    int error = between < 0 ? errno : 0;
    while (between > 0 && waitpid(between, NULL, 0) < 0 && errno == EINTR)
        ;
    if (error == 0)
        error = *result;
    munmap((void *)result, sizeof *result);
    return error;
}

#endif
