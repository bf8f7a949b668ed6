#define _GNU_SOURCE
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

#ifndef CLONE_PIDFD
#define CLONE_PIDFD 0x1000
#endif

#ifndef CLOSE_RANGE_UNSHARE
#define CLOSE_RANGE_UNSHARE 2
#endif

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

extern char **environ;

enum {
    EVENTS = 256,
    SCRATCH = 64 * 1024,
    DEFAULT_PIPE = 64 * 1024,
    LARGE_PIPE = 256 * 1024,
    LARGEST_PIPE = 1024 * 1024,
    FULL_READS_BEFORE_LARGEST = 16,
    FIRST_SEGMENT = 256,
    LARGEST_SEGMENT = 1024 * 1024,
    SLOT_BITS = 30,
};

enum source { OUTPUT = 0, ERROR = 1, EXIT = 2 };

enum { LAST_SIGNAL = 64, CLONE_STACK = 16 * 1024 };

/* The kernel's, which libc hides; it knows signals that libc keeps for itself. */
struct kernel_sigaction {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

/* What a child made by clone is told, in memory that it shares. */
struct clone_order {
    char **arguments;
    int streams[3];
    int error;
};

int keep;
int clones;
long expected[2];

static int null_device;
static posix_spawnattr_t attributes;

void die(const char *what, int error) {
    fprintf(stderr, "floor: %s: %s\n", what, strerror(error));
    exit(1);
}

static int checked(int result, const char *what) {
    if (result < 0) {
        die(what, errno);
    }

    return result;
}

static void must(int error, const char *what) {
    if (error != 0) {
        die(what, error);
    }
}

void *allocated(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) {
        die("malloc", ENOMEM);
    }

    return memory;
}

void prepare(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    signal(SIGPIPE, SIG_IGN);

    null_device = checked(open("/dev/null", O_RDWR | O_CLOEXEC), "/dev/null");
    sigset_t set;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    memset(&set, 0xff, sizeof set);
    posix_spawnattr_setsigdefault(&attributes, &set);
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&attributes, &set);
}

void make_loop(struct loop *loop, int capacity) {
    loop->epoll = checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
    loop->share = capacity;
    loop->children = calloc((size_t)capacity, sizeof *loop->children);
    loop->free_slots = allocated((size_t)capacity * sizeof *loop->free_slots);
    loop->scratch = allocated(SCRATCH);
    loop->free_count = 0;
    for (int i = capacity; i-- > 0;) {
        loop->free_slots[loop->free_count++] = i;
    }
}

static int open_pipe(int *theirs) {
    int ends[2];
    checked(pipe2(ends, O_CLOEXEC), "pipe2");
    checked(fcntl(ends[0], F_SETFL, O_NONBLOCK), "fcntl");
    *theirs = ends[1];
    return ends[0];
}

static void watch(struct loop *loop, int descriptor, int slot, enum source source) {
    uint64_t data = (uint64_t)loop->children[slot].generation << 32 | (uint32_t)slot << 2 | source;
    struct epoll_event event = { EPOLLIN, { .u64 = data } };
    checked(epoll_ctl(loop->epoll, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl");
}

/*
 * A close alone does not end the registration: a concurrent start's child holds a copy of the file description between
 * its clone and its exec, and events would go on to arrive with data of a slot that has a new tenant by then.
 */
static void unwatch(struct loop *loop, int descriptor) {
    checked(epoll_ctl(loop->epoll, EPOLL_CTL_DEL, descriptor, NULL), "epoll_ctl");
    close(descriptor);
}

static pid_t spawn(char **arguments, int output, int error) {
    pid_t process;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    must(posix_spawn_file_actions_adddup2(&actions, null_device, 0), "adddup2");
    must(posix_spawn_file_actions_adddup2(&actions, output, 1), "adddup2");
    must(posix_spawn_file_actions_adddup2(&actions, error, 2), "adddup2");
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    must(posix_spawn_file_actions_addclosefrom_np(&actions, 3), "addclosefrom_np");
#endif
    must(posix_spawn(&process, arguments[0], &actions, &attributes, arguments, environ), arguments[0]);
    posix_spawn_file_actions_destroy(&actions);
    return process;
}

static void set_action(int signal, void *handler) {
    struct kernel_sigaction action = { .handler = handler };
    (void)syscall(SYS_rt_sigaction, signal, &action, NULL, sizeof action.mask);
}

static int checked_in_child(struct clone_order *order, long result) {
    if (result < 0) {
        order->error = errno;
        _exit(127);
    }

    return (int)result;
}

/* In the order in which the library does it: what came before the group is discarded, and all signals get their defaults. */
static int become(void *argument) {
    static const int discarded[] = { SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU };
    struct clone_order *order = argument;
    uint64_t none = 0;
    int last = 2;
    checked_in_child(order, setpgid(0, 0));
    for (size_t i = 0; i < sizeof discarded / sizeof *discarded; i++) {
        set_action(discarded[i], SIG_IGN);
    }

    for (int signal = 1; signal <= LAST_SIGNAL; signal++) {
        set_action(signal, SIG_DFL);
    }

    for (int i = 0; i < 3; i++) {
        last = order->streams[i] > last ? order->streams[i] : last;
    }

    checked_in_child(order, syscall(SYS_close_range, last + 1, ~0u, CLOSE_RANGE_UNSHARE));
    for (int i = 0; i < 3; i++) {
        checked_in_child(order, dup2(order->streams[i], i));
    }

    checked_in_child(order, syscall(SYS_close_range, 3, ~0u, 0));
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
    execve(order->arguments[0], order->arguments, environ);
    return checked_in_child(order, -1);
}

/*
 * As vfork(2) does it, and the child brings its pidfd along. Signals are blocked meanwhile, so that no handler runs in the
 * child; not SIGCHLD, which the kernel forgets then instead of waking another thread for it.
 */
static pid_t spawn_by_clone(char **arguments, int output, int error, int *pidfd) {
    static __thread char stack[CLONE_STACK] __attribute__((aligned(16)));
    struct clone_order order = { arguments, { null_device, output, error }, 0 };
    uint64_t all = ~(1ull << (SIGCHLD - 1));
    uint64_t before;
    (void)syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all);
    pid_t process = clone(
        become, stack + sizeof stack, CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_PIDFD | SIGCHLD, &order, pidfd);
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    checked(process, "clone");
    must(order.error, arguments[0]);
    return process;
}

int start(struct loop *loop, char **arguments) {
    int theirs[2];
    int slot = loop->free_slots[--loop->free_count];
    struct child *child = &loop->children[slot];
    uint32_t generation = child->generation + 1;
    memset(child, 0, sizeof *child);
    child->generation = generation;
    for (int i = 0; i < 2; i++) {
        child->streams[i].descriptor = open_pipe(&theirs[i]);
    }

    child->process = clones
        ? spawn_by_clone(arguments, theirs[0], theirs[1], &child->pidfd)
        : spawn(arguments, theirs[0], theirs[1]);
    close(theirs[0]);
    close(theirs[1]);
    if (!clones) {
        child->pidfd = checked((int)syscall(SYS_pidfd_open, child->process, 0), "pidfd_open");
    }

    child->open = 3;
    watch(loop, child->streams[0].descriptor, slot, OUTPUT);
    watch(loop, child->streams[1].descriptor, slot, ERROR);
    watch(loop, child->pidfd, slot, EXIT);
    loop->live++;
    return slot;
}

static void append(struct stream *stream, const char *bytes, size_t count) {
    while (count > 0) {
        struct segment *last = stream->last;
        if (last == NULL || last->length == last->capacity) {
            size_t capacity = (size_t)stream->total;
            capacity = capacity < count ? count : capacity;
            capacity = capacity < FIRST_SEGMENT ? FIRST_SEGMENT : capacity;
            capacity = capacity > LARGEST_SEGMENT ? LARGEST_SEGMENT : capacity;
            struct segment *next = allocated(sizeof *next + capacity);
            *next = (struct segment){ .capacity = capacity };
            if (last == NULL) {
                stream->first = next;
            } else {
                last->next = next;
            }

            stream->last = last = next;
        }

        size_t room = last->capacity - last->length;
        size_t part = count < room ? count : room;
        memcpy(last->bytes + last->length, bytes, part);
        last->length += part;
        bytes += part;
        count -= part;
    }
}

static void grow(int pipe, int size) {
    if (fcntl(pipe, F_GETPIPE_SZ) < size) {
        (void)fcntl(pipe, F_SETPIPE_SZ, size);
    }
}

/* One read: into the segment's room first and the scratch memory behind it. False at the end of the stream. */
static int read_once(struct loop *loop, struct stream *stream, ssize_t *count) {
    struct segment *last = stream->last;
    size_t room = keep && last != NULL ? last->capacity - last->length : 0;
    struct iovec vectors[2] = {
        { room > 0 ? last->bytes + last->length : loop->scratch, room },
        { loop->scratch, SCRATCH },
    };
    do {
        *count = readv(stream->descriptor, vectors, 2);
    } while (*count < 0 && errno == EINTR);

    if (*count < 0) {
        if (errno != EAGAIN) {
            die("readv", errno);
        }

        return 1;
    }

    if (*count == 0) {
        return 0;
    }

    if (*count >= DEFAULT_PIPE) {
        stream->full_reads++;
        if (stream->full_reads == 1) {
            grow(stream->descriptor, LARGE_PIPE);
        } else if (stream->full_reads == FULL_READS_BEFORE_LARGEST) {
            grow(stream->descriptor, LARGEST_PIPE);
        }
    }

    if (keep) {
        size_t direct = (size_t)*count < room ? (size_t)*count : room;
        if (direct > 0) {
            last->length += direct;
        }

        append(stream, loop->scratch, (size_t)*count - direct);
    }

    stream->total += *count;
    return 1;
}

static void forget(struct stream *stream) {
    while (stream->first != NULL) {
        struct segment *next = stream->first->next;
        free(stream->first);
        stream->first = next;
    }
}

static void finish(struct loop *loop, int slot) {
    struct child *child = &loop->children[slot];
    for (int i = 0; i < 2; i++) {
        struct stream *stream = &child->streams[i];
        long kept = 0;
        for (struct segment *segment = stream->first; segment != NULL; segment = segment->next) {
            kept += (long)segment->length;
        }

        child->failed |= expected[i] >= 0 && stream->total != expected[i];
        child->failed |= keep && kept != stream->total;
        loop->bytes += stream->total;
        forget(stream);
    }

    loop->failures += child->failed;
    loop->free_slots[loop->free_count++] = slot;
    loop->live--;
    child_ended();
}

static void handle(struct loop *loop, uint64_t data) {
    int slot = (int)(data >> 2 & ((1u << SLOT_BITS) - 1));
    enum source source = (enum source)(data & 3);
    struct child *child = &loop->children[slot];
    if (child->generation != (uint32_t)(data >> 32) || child->open == 0) {
        return;
    }

    if (source == EXIT) {
        /* A readable pidfd is a hint: only a process id in the answer is an exit. */
        siginfo_t info = { 0 };
        struct rusage use;
        checked((int)syscall(SYS_waitid, P_PIDFD, child->pidfd, &info, WEXITED | WNOHANG, &use), "waitid");
        if (info.si_pid == 0) {
            return;
        }

        child->failed |= info.si_code != CLD_EXITED || info.si_status != 0;
        unwatch(loop, child->pidfd);
        child->open--;
    } else {
        struct stream *stream = &child->streams[source];
        ssize_t count;
        if (!read_once(loop, stream, &count)) {
            unwatch(loop, stream->descriptor);
            child->open--;
        }
    }

    if (child->open == 0) {
        finish(loop, slot);
    }
}

void turn(struct loop *loop, int timeout) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(loop->epoll, events, EVENTS, timeout);
    if (count < 0 && errno != EINTR) {
        die("epoll_wait", errno);
    }

    for (int i = 0; i < count; i++) {
        handle(loop, events[i].data.u64);
    }
}
