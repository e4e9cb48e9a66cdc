/*
 * Faults for a running process, put in front of the C library with LD_PRELOAD.
 *
 * Every call that changes a file below one folder (the house) is counted, in the order it comes. The N-th can be a kill, a torn
 * write, or an error. All calls can be written to a trace, and the wall clock can be moved while the process runs.
 *
 *   SYNOD_CHAOS_HOUSE  the folder, as a resolved absolute path
 *   SYNOD_CHAOS_PLAN   count | trace | kill:N | torn:N:PERMILLE | eio:N | eio+:N | enospc:N | enospc+:N   ("+": from then on)
 *   SYNOD_CHAOS_LOG    a file that gets one letter per call, or with `trace` the calls with their bytes
 *   SYNOD_CHAOS_CLOCK  a file with a number of milliseconds that CLOCK_REALTIME is ahead
 *
 * What it does not see: memory maps (only the index of SQLite's log is one, which no reader trusts after a crash) and system calls
 * made without the C library. To add a call: its wrapper below, a letter for it, and what the harness makes of the letter.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum plan { COUNT, TRACE, KILL, TORN, FAIL };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static enum plan plan = COUNT;
static long nth, seen, permille;
static int fault, lasts, done;
static char house[PATH_MAX];
static size_t house_length;
static int log_fd = -1, clock_fd = -1;

static int open_raw(const char *path, int flags) {
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
}

static void begin(void) {
    const char *where = getenv("SYNOD_CHAOS_HOUSE");
    const char *what = getenv("SYNOD_CHAOS_PLAN");
    const char *log = getenv("SYNOD_CHAOS_LOG");
    const char *clock = getenv("SYNOD_CHAOS_CLOCK");
    if (where) {
        snprintf(house, sizeof house, "%s", where);
        house_length = strlen(house);
    }
    if (log) log_fd = open_raw(log, O_WRONLY | O_CREAT | O_APPEND);
    if (clock) clock_fd = open_raw(clock, O_RDONLY);
    if (!what) return;
    char word[16] = "";
    sscanf(what, "%15[^:]:%ld:%ld", word, &nth, &permille);
    size_t length = strlen(word);
    if (length && word[length - 1] == '+') {
        lasts = 1;
        word[length - 1] = 0;
    }
    if (!strcmp(word, "trace")) plan = TRACE;
    if (!strcmp(word, "kill")) plan = KILL;
    if (!strcmp(word, "torn")) plan = TORN;
    if (!strcmp(word, "eio")) plan = FAIL, fault = EIO;
    if (!strcmp(word, "enospc")) plan = FAIL, fault = ENOSPC;
}

/* Whether a resolved path is the house or lies below it. */
static int below(const char *path) {
    return house_length && !strncmp(path, house, house_length) && (path[house_length] == '/' || !path[house_length]);
}

/* The path of an open file. */
static int path_of(int fd, char *path) {
    char link[40];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return below(path);
}

/* A name as it was given, made absolute. The folders of a house are few and no links. */
static int path_at(int dir, const char *name, char *path) {
    char base[PATH_MAX] = "";
    if (!name) return 0;
    if (name[0] != '/') {
        if (dir == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            char link[40];
            snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
            ssize_t length = readlink(link, base, sizeof base - 1);
            if (length < 0) return 0;
            base[length] = 0;
        }
    }
    while (!strncmp(name, "./", 2)) name += 2;
    int length = name[0] == '/' ? snprintf(path, PATH_MAX, "%s", name) : snprintf(path, PATH_MAX, "%s/%s", base, name);
    return length > 0 && length < PATH_MAX && below(path);
}

static void put(const void *bytes, size_t length) {
    if (log_fd >= 0) syscall(SYS_write, log_fd, bytes, length);
}

/* One line of the trace: letter, place, length of the bytes, the paths, the bytes. */
static void trace(char letter, const char *path, const char *other, uint64_t place, const void *bytes, uint64_t length) {
    uint16_t lengths[2] = { (uint16_t)strlen(path), other ? (uint16_t)strlen(other) : 0 };
    put(&letter, 1);
    put(&place, 8);
    put(&length, 8);
    put(lengths, 4);
    put(path, lengths[0]);
    if (other) put(other, lengths[1]);
    if (length) put(bytes, length);
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/*
 * Counts a call and says what becomes of it: 0 it is made, otherwise the error it fails with. A full disk refuses only what needs
 * room. The caller holds the guard.
 */
static int meet(char letter, int needs_room) {
    if (plan != TRACE) put(&letter, 1);
    seen++;
    if (plan == KILL && seen == nth) die();
    if (plan == TORN && seen == nth && letter != 'W') die();
    if (plan == FAIL && seen >= nth && (fault != ENOSPC || needs_room) && (lasts || !done)) {
        done = 1;
        return fault;
    }
    return 0;
}

static ssize_t fail(int error) {
    pthread_mutex_unlock(&guard);
    errno = error;
    return -1;
}

#define ENTER(is_ours)                                                                                                               \
    pthread_once(&once, begin);                                                                                                      \
    char path[PATH_MAX];                                                                                                             \
    int saved = errno;                                                                                                               \
    int ours = (is_ours);                                                                                                            \
    errno = saved

/* Everything that changes a name: counted, made, traced. */
#define CHANGE(letter, needs_room, other, place, call)                                                                               \
    if (!ours) return call;                                                                                                          \
    pthread_mutex_lock(&guard);                                                                                                      \
    int error = meet(letter, needs_room);                                                                                            \
    if (error) return (int)fail(error);                                                                                              \
    int result = (int)(call);                                                                                                        \
    int after = errno;                                                                                                               \
    if (plan == TRACE && result >= 0) trace(letter, path, other, place, NULL, 0);                                                    \
    pthread_mutex_unlock(&guard);                                                                                                    \
    errno = after;                                                                                                                   \
    return result

/* -- files that are made ------------------------------------------------------------------------------------------------------- */

static int open_at(int dir, const char *name, int flags, mode_t mode) {
    ENTER((flags & (O_CREAT | O_TRUNC)) && path_at(dir, name, path) &&
          ((flags & O_TRUNC) || syscall(SYS_faccessat, dir, name, F_OK) != 0));
    CHANGE((flags & O_TRUNC) ? 'T' : 'C', 1, NULL, 0, (int)syscall(SYS_openat, dir, name, flags, mode));
}

#define MODE(flags, last)                                                                                                            \
    mode_t mode = 0;                                                                                                                 \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                                           \
        va_list rest;                                                                                                                \
        va_start(rest, last);                                                                                                        \
        mode = va_arg(rest, mode_t);                                                                                                 \
        va_end(rest);                                                                                                                \
    }

int open(const char *name, int flags, ...) { MODE(flags, flags) return open_at(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE(flags, flags) return open_at(AT_FDCWD, name, flags, mode); }
int openat(int dir, const char *name, int flags, ...) { MODE(flags, flags) return open_at(dir, name, flags, mode); }
int openat64(int dir, const char *name, int flags, ...) { MODE(flags, flags) return open_at(dir, name, flags, mode); }
int creat(const char *name, mode_t mode) { return open_at(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *name, mode_t mode) { return creat(name, mode); }

/* -- bytes --------------------------------------------------------------------------------------------------------------------- */

static ssize_t write_at(int fd, const void *bytes, size_t length, off_t place, int placed) {
    ENTER(path_of(fd, path));
#define MADE(count) (placed ? syscall(SYS_pwrite64, fd, bytes, (count), place) : syscall(SYS_write, fd, bytes, (count)))
    if (!ours) return MADE(length);
    pthread_mutex_lock(&guard);
    int error = meet('W', 1);
    if (error) return fail(error);
    if (plan == TORN && seen == nth) {
        size_t part = length * (size_t)permille / 1000;
        if (part) MADE(part);
        die();
    }
    if (!placed) {
        int flags = fcntl(fd, F_GETFL);
        place = lseek(fd, 0, flags >= 0 && (flags & O_APPEND) ? SEEK_END : SEEK_CUR);
    }
    ssize_t result = MADE(length);
    int after = errno;
    if (plan == TRACE && result > 0) trace('W', path, NULL, (uint64_t)place, bytes, (uint64_t)result);
    pthread_mutex_unlock(&guard);
    errno = after;
    return result;
}

ssize_t write(int fd, const void *bytes, size_t length) { return write_at(fd, bytes, length, 0, 0); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t place) { return write_at(fd, bytes, length, place, 1); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t place) { return write_at(fd, bytes, length, place, 1); }

/* What a service answers marks in the trace what it has acknowledged by then. */
static void mark(const struct iovec *pieces, int count) {
    char text[4096];
    size_t length = 0;
    for (int nth = 0; nth < count && length < sizeof text; nth++) {
        size_t part = pieces[nth].iov_len < sizeof text - length ? pieces[nth].iov_len : sizeof text - length;
        memcpy(text + length, pieces[nth].iov_base, part);
        length += part;
    }
    trace('A', "", NULL, 0, text, length);
}

static int is_answer(const struct iovec *pieces, int count) {
    return plan == TRACE && count > 0 && pieces[0].iov_len > 10 && !memcmp(pieces[0].iov_base, "HTTP/1.1 2", 10);
}

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
    pthread_once(&once, begin);
    struct iovec piece = { (void *)bytes, length };
    int marks = is_answer(&piece, 1);
    if (marks) pthread_mutex_lock(&guard);
    ssize_t result = syscall(SYS_sendto, fd, bytes, length, flags, NULL, 0);
    int after = errno;
    if (marks) {
        if (result > 0) mark(&piece, 1);
        pthread_mutex_unlock(&guard);
    }
    errno = after;
    return result;
}

/* The first piece only, which the callers take for the short write that it is. */
ssize_t writev(int fd, const struct iovec *pieces, int count) {
    ENTER(path_of(fd, path));
    if (!ours || count < 1) {
        int marks = is_answer(pieces, count);
        if (marks) pthread_mutex_lock(&guard);
        ssize_t result = syscall(SYS_writev, fd, pieces, count);
        int after = errno;
        if (marks) {
            if (result > 0) mark(pieces, count);
            pthread_mutex_unlock(&guard);
        }
        errno = after;
        return result;
    }
    int first = 0;
    while (first + 1 < count && !pieces[first].iov_len) first++;
    return write_at(fd, pieces[first].iov_base, pieces[first].iov_len, 0, 0);
}

static int truncate_at(int fd, off_t length) {
    ENTER(path_of(fd, path));
    CHANGE('L', 1, NULL, (uint64_t)length, (int)syscall(SYS_ftruncate, fd, length));
}
int ftruncate(int fd, off_t length) { return truncate_at(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncate_at(fd, length); }

/* Copies within the kernel are refused, so that the callers read and write, which is seen. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
    ENTER(path_of(out, path));
    if (!ours) return syscall(SYS_copy_file_range, in, from, out, to, length, flags);
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile(int out, int in, off_t *from, size_t length) {
    ENTER(path_of(out, path));
    if (!ours) return syscall(SYS_sendfile, out, in, from, length);
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int out, int in, off64_t *from, size_t length) { return sendfile(out, in, from, length); }

/* -- syncs --------------------------------------------------------------------------------------------------------------------- */

int fsync(int fd) {
    ENTER(path_of(fd, path));
    CHANGE('S', 0, NULL, 0, (int)syscall(SYS_fsync, fd));
}
int fdatasync(int fd) {
    ENTER(path_of(fd, path));
    CHANGE('S', 0, NULL, 0, (int)syscall(SYS_fdatasync, fd));
}

/* -- names --------------------------------------------------------------------------------------------------------------------- */

static int rename_at(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
    char target[PATH_MAX] = "";
    ENTER(path_at(from_dir, from, path) | path_at(to_dir, to, target));
    CHANGE('R', 1, target, 0, (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags));
}
int rename(const char *from, const char *to) { return rename_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_dir, const char *from, int to_dir, const char *to) { return rename_at(from_dir, from, to_dir, to, 0); }
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags) {
    return rename_at(from_dir, from, to_dir, to, flags);
}

static int unlink_at(int dir, const char *name, int flags) {
    ENTER(path_at(dir, name, path));
    CHANGE('U', 0, NULL, 0, (int)syscall(SYS_unlinkat, dir, name, flags));
}
int unlink(const char *name) { return unlink_at(AT_FDCWD, name, 0); }
int unlinkat(int dir, const char *name, int flags) { return unlink_at(dir, name, flags); }
int rmdir(const char *name) { return unlink_at(AT_FDCWD, name, AT_REMOVEDIR); }

static int link_at(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    char target[PATH_MAX] = "";
    ENTER(path_at(from_dir, from, path) | path_at(to_dir, to, target));
    CHANGE('K', 1, target, 0, (int)syscall(SYS_linkat, from_dir, from, to_dir, to, flags));
}
int link(const char *from, const char *to) { return link_at(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int from_dir, const char *from, int to_dir, const char *to, int flags) {
    return link_at(from_dir, from, to_dir, to, flags);
}

static int mkdir_at(int dir, const char *name, mode_t mode) {
    ENTER(path_at(dir, name, path));
    CHANGE('D', 1, NULL, 0, (int)syscall(SYS_mkdirat, dir, name, mode));
}
int mkdir(const char *name, mode_t mode) { return mkdir_at(AT_FDCWD, name, mode); }
int mkdirat(int dir, const char *name, mode_t mode) { return mkdir_at(dir, name, mode); }

/* -- the clock ----------------------------------------------------------------------------------------------------------------- */

int clock_gettime(clockid_t which, struct timespec *now) {
    pthread_once(&once, begin);
    int result = (int)syscall(SYS_clock_gettime, which, now);
    if (result || clock_fd < 0 || (which != CLOCK_REALTIME && which != CLOCK_REALTIME_COARSE)) return result;
    char text[32] = "";
    int saved = errno;
    ssize_t length = syscall(SYS_pread64, clock_fd, text, sizeof text - 1, (off_t)0);
    errno = saved;
    if (length <= 0) return 0;
    long long ahead = atoll(text);
    long long nanos = now->tv_nsec + (ahead % 1000) * 1000000;
    now->tv_sec += ahead / 1000 + (nanos >= 1000000000) - (nanos < 0);
    now->tv_nsec = nanos >= 1000000000 ? nanos - 1000000000 : nanos < 0 ? nanos + 1000000000 : nanos;
    return 0;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec time;
    if (clock_gettime(CLOCK_REALTIME, &time)) return -1;
    now->tv_sec = time.tv_sec;
    now->tv_usec = time.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *kept) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (kept) *kept = now.tv_sec;
    return now.tv_sec;
}
