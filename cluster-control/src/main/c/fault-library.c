/*
 * Faults of a member's system calls, for failover tests. Preloaded into the member's JVM (LD_PRELOAD), this library makes its
 * calls of libc slow, wait or fail, or shifts its wall clock, as the mapped file ECHO_FAULT_FILE requests. Without a request
 * a call costs one load more.
 *
 * Changed are calls on files in the folder of that file, by the path that the kernel has for the descriptor or the mapping at the
 * time of the call, which nothing can make stale. Never changed: descriptors 0 to 2, where the member's log is, sockets,
 * pipes, and files elsewhere. Not seen: stores to mapped files, and calls that libc makes itself (those of FILE).
 *
 * Layout of the file, in native byte order; CallFaults.java is the other side:
 *      0  version          written by the controlling process before the member starts
 *      8  pid              of the first process that loaded this library since then, 0 before
 *     16  faults           in effect, a set of 1 << kind
 *     64  16 bytes for each kind: its amount, and the number of calls that it changed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define VERSION INT64_C(0x454348464C540001)
#define NS_PER_SECOND INT64_C(1000000000)
#define STALL_POLL_NS INT64_C(1000000)
#define LAST_STANDARD_STREAM 2

_Static_assert(8 == sizeof(long), "offsets are passed to the kernel in one register");

/* With the unit of the amount. */
enum kind
{
    SLOW_WRITE,     /* ns for each write */
    SLOW_SYNC,      /* ns for each sync */
    STALL,          /* none; writes and syncs wait */
    SYNC_ERROR,     /* syncs that fail from now on */
    NO_SPACE,       /* bytes that can still be written */
    SKIPPED_SYNC,   /* none; syncs succeed and do nothing */
    CLOCK_STEP,     /* ns by which the wall clock is ahead */
    KINDS
};

#define BIT(kind) (INT64_C(1) << (kind))
#define WRITE_FAULTS (BIT(SLOW_WRITE) | BIT(STALL) | BIT(NO_SPACE))
#define SYNC_FAULTS (BIT(SLOW_SYNC) | BIT(STALL) | BIT(SYNC_ERROR) | BIT(SKIPPED_SYNC))

struct control
{
    int64_t version;
    _Atomic int64_t pid;
    _Atomic int64_t faults;
    int64_t unused[5];
    struct
    {
        _Atomic int64_t amount;
        _Atomic int64_t count;
    }
    of[KINDS];
};

/* What becomes of a sync; the first two are also the result of the call. */
enum outcome
{
    FAILED = -1,
    SKIPPED = 0,
    CALLED = 1
};

typedef int (*clock_function)(clockid_t, struct timespec *);

/* In effect until the file is mapped: nothing is requested. */
static struct control nothing;
static struct control *control = &nothing;
static char folder[PATH_MAX];
static size_t folder_length;

__attribute__((constructor)) static void map_control_file(void)
{
    const char *const file = getenv("ECHO_FAULT_FILE");
    if (NULL == file)
    {
        return;
    }
    const int fd = open(file, O_RDWR | O_CLOEXEC);
    struct stat status;
    struct control *mapped = MAP_FAILED;
    if (fd >= 0 && 0 == fstat(fd, &status) && status.st_size >= (off_t)sizeof(struct control))
    {
        mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    }
    if (fd >= 0)
    {
        close(fd);
    }
    if (MAP_FAILED == mapped || VERSION != mapped->version || NULL == realpath(file, folder))
    {
        fprintf(stderr, "fault library: %s cannot be used, no fault can be injected\n", file);
        return;
    }
    folder_length = (size_t)(strrchr(folder, '/') - folder) + 1;
    control = mapped;
    int64_t first = 0;
    atomic_compare_exchange_strong(&mapped->pid, &first, (int64_t)getpid());
}

static int64_t requested(const int64_t faults)
{
    return atomic_load_explicit(&control->faults, memory_order_acquire) & faults;
}

static void count(const enum kind kind)
{
    atomic_fetch_add_explicit(&control->of[kind].count, 1, memory_order_relaxed);
}

static bool is_in_folder(const char *const path)
{
    return 0 == strncmp(path, folder, folder_length);
}

static bool is_file_in_folder(const int fd)
{
    if (fd <= LAST_STANDARD_STREAM)
    {
        return false;
    }
    char link[32];
    char path[PATH_MAX];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    const ssize_t length = readlink(link, path, sizeof(path) - 1);
    path[length < 0 ? 0 : length] = '\0';
    return is_in_folder(path);
}

static bool is_mapped_from_folder(const void *const address)
{
    FILE *const maps = fopen("/proc/self/maps", "re");
    if (NULL == maps)
    {
        return false;
    }
    char line[PATH_MAX + 128];
    bool is_found = false;
    while (!is_found && NULL != fgets(line, sizeof(line), maps))
    {
        uintptr_t begin;
        uintptr_t end;
        const char *const path = strchr(line, '/');
        is_found = NULL != path && is_in_folder(path) && 2 == sscanf(line, "%lx-%lx", &begin, &end) &&
            (uintptr_t)address >= begin && (uintptr_t)address < end;
    }
    fclose(maps);
    return is_found;
}

static void wait_for(const int64_t ns)
{
    struct timespec left = { .tv_sec = ns / NS_PER_SECOND, .tv_nsec = ns % NS_PER_SECOND };
    while (0 != nanosleep(&left, &left) && EINTR == errno)
    {
    }
}

static void wait_as_requested(const enum kind slow)
{
    if (requested(BIT(STALL)))
    {
        count(STALL);
        while (requested(BIT(STALL)))
        {
            wait_for(STALL_POLL_NS);
        }
    }
    if (requested(BIT(slow)))
    {
        count(slow);
        wait_for(atomic_load(&control->of[slow].amount));
    }
}

/* Take up to so much of an amount that is used up. */
static int64_t take(const enum kind kind, const int64_t wanted)
{
    int64_t left = atomic_load(&control->of[kind].amount);
    int64_t taken;
    do
    {
        taken = left < wanted ? left : wanted;
    }
    while (!atomic_compare_exchange_weak(&control->of[kind].amount, &left, left - taken));
    return taken;
}

/* Whether a write may be done, perhaps of fewer bytes, as on a disk that becomes full. */
static bool permits(const int fd, size_t *const length)
{
    if (!requested(WRITE_FAULTS) || !is_file_in_folder(fd))
    {
        return true;
    }
    wait_as_requested(SLOW_WRITE);
    if (!requested(BIT(NO_SPACE)) || 0 == *length)
    {
        return true;
    }
    const size_t room = (size_t)take(NO_SPACE, (int64_t)*length);
    if (room < *length)
    {
        count(NO_SPACE);
        *length = room;
        errno = ENOSPC;
    }
    return room > 0;
}

/* As above, of several buffers: either all is written or nothing. */
static bool permits_all(const int fd, const struct iovec *const buffers, const int buffer_count)
{
    if (!requested(WRITE_FAULTS))
    {
        return true;
    }
    size_t length = 0;
    for (int i = 0; i < buffer_count; i++)
    {
        length += buffers[i].iov_len;
    }
    const size_t wanted = length;
    return permits(fd, &length) && wanted == length;
}

static enum outcome outcome_of_sync(void)
{
    wait_as_requested(SLOW_SYNC);
    if (requested(BIT(SYNC_ERROR)) && take(SYNC_ERROR, 1) > 0)
    {
        count(SYNC_ERROR);
        errno = EIO;
        return FAILED;
    }
    if (requested(BIT(SKIPPED_SYNC)))
    {
        count(SKIPPED_SYNC);
        return SKIPPED;
    }
    return CALLED;
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    return permits(fd, &length) ? syscall(SYS_write, fd, bytes, length) : -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset)
{
    return permits(fd, &length) ? syscall(SYS_pwrite64, fd, bytes, length, offset) : -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset)
{
    return pwrite(fd, bytes, length, offset);
}

ssize_t writev(int fd, const struct iovec *buffers, int buffer_count)
{
    return permits_all(fd, buffers, buffer_count) ? syscall(SYS_writev, fd, buffers, buffer_count) : -1;
}

int fsync(int fd)
{
    const enum outcome outcome = requested(SYNC_FAULTS) && is_file_in_folder(fd) ? outcome_of_sync() : CALLED;
    return CALLED == outcome ? (int)syscall(SYS_fsync, fd) : (int)outcome;
}

int fdatasync(int fd)
{
    const enum outcome outcome = requested(SYNC_FAULTS) && is_file_in_folder(fd) ? outcome_of_sync() : CALLED;
    return CALLED == outcome ? (int)syscall(SYS_fdatasync, fd) : (int)outcome;
}

int msync(void *address, size_t length, int flags)
{
    const enum outcome outcome = requested(SYNC_FAULTS) && is_mapped_from_folder(address) ? outcome_of_sync() : CALLED;
    return CALLED == outcome ? (int)syscall(SYS_msync, address, length, flags) : (int)outcome;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static _Atomic clock_function next;
    clock_function function = atomic_load_explicit(&next, memory_order_relaxed);
    if (NULL == function)
    {
        /* Libc's reads the clock without a system call. */
        *(void **)&function = dlsym(RTLD_NEXT, "clock_gettime");
        atomic_store_explicit(&next, function, memory_order_relaxed);
    }
    const int result = function(clock, now);
    if (0 == result && (CLOCK_REALTIME == clock || CLOCK_REALTIME_COARSE == clock) && requested(BIT(CLOCK_STEP)))
    {
        count(CLOCK_STEP);
        const int64_t ns = now->tv_sec * NS_PER_SECOND + now->tv_nsec + atomic_load(&control->of[CLOCK_STEP].amount);
        now->tv_sec = ns / NS_PER_SECOND;
        now->tv_nsec = ns % NS_PER_SECOND;
    }
    return result;
}

/* Without its header, because the type of the time zone differs between versions of libc. Linux has none. */
int gettimeofday(struct timeval *time, void *zone)
{
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (NULL != seconds)
    {
        *seconds = now.tv_sec;
    }
    return now.tv_sec;
}
