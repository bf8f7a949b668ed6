/*
 * The floor of the races: what starting, draining and reaping children costs without a runtime. Two threads, each with
 * an epoll of its own; a child is started, drained and reaped on the same thread. It does the work that the library
 * does: two pipes and a pidfd a child, a process group, signals reset, descriptors from 3 on closed in the child.
 *
 *   floor storm CHILDREN CONCURRENCY WARMUP KEEP OUTPUT ERROR PROGRAM [ARGUMENT...]
 *       Runs so many children to their end. KEEP is 1 to keep their bytes in memory, 0 to drop them.
 *   floor live ALIVE STARTS IDLE_MS PROGRAM [ARGUMENT...]
 *       Starts so many children that do not end, times STARTS more, and looks at the processor use of an idle time.
 *   floor latency ALIVE SAMPLES SLEEP_MS PROGRAM
 *       The time from the last act of "PROGRAM clock" to its end seen here, with so many "PROGRAM sleep 0" alive.
 *
 * The results are lines of key=value.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

extern char **environ;

enum {
    THREADS = 2,
    EVENTS = 256,
    SCRATCH = 64 * 1024,
    DEFAULT_PIPE = 64 * 1024,
    LARGEST_PIPE = 1024 * 1024,
    FULL_READS_BEFORE_GROWTH = 16,
    FIRST_SEGMENT = 256,
    LARGEST_SEGMENT = 1024 * 1024,
    SLOT_BITS = 30,
};

enum source { OUTPUT = 0, ERROR = 1, EXIT = 2 };

struct segment {
    struct segment *next;
    size_t length;
    size_t capacity;
    char bytes[];
};

struct stream {
    int descriptor;
    int full_reads;
    long total;
    struct segment *first;
    struct segment *last;
};

struct child {
    struct stream streams[2];
    pid_t process;
    int pidfd;
    int open;             /* streams and pidfd */
    int failed;
    uint32_t generation;  /* an event of a former tenant of the slot tells by this */
};

struct loop {
    pthread_t thread;
    int epoll;
    int share;
    int live;
    int failures;
    struct child *children;
    int *free_slots;
    int free_count;
    char *scratch;
};

static char **command;
static int keep;
static long expected[2];
static int null_device;
static posix_spawnattr_t attributes;

static int goal;
static atomic_int started;
static atomic_int ended;
static atomic_long drained[2];
static int64_t tenths[11];

static void die(const char *what, int error) {
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

static void *allocated(size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) {
        die("malloc", ENOMEM);
    }

    return memory;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static double processor_ms(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e3
        + (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e3;
}

/* Not getrusage's: that begins with the resident set of the process that started this one. */
static long peak_memory(void) {
    char line[256];
    long kibibytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "VmHWM: %ld", &kibibytes) == 1) {
            break;
        }
    }

    if (status != NULL) {
        fclose(status);
    }

    return kibibytes * 1024;
}

static int count_descriptors(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory) != NULL) {
        count++;
    }

    closedir(directory);
    return count - 3; /* ".", ".." and the directory itself */
}

static void prepare(void) {
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

static void make_loop(struct loop *loop, int capacity) {
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

static int start(struct loop *loop, char **arguments) {
    int theirs[2];
    int slot = loop->free_slots[--loop->free_count];
    struct child *child = &loop->children[slot];
    uint32_t generation = child->generation + 1;
    memset(child, 0, sizeof *child);
    child->generation = generation;
    for (int i = 0; i < 2; i++) {
        child->streams[i].descriptor = open_pipe(&theirs[i]);
    }

    child->process = spawn(arguments, theirs[0], theirs[1]);
    close(theirs[0]);
    close(theirs[1]);
    child->pidfd = checked((int)syscall(SYS_pidfd_open, child->process, 0), "pidfd_open");
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

    if (*count >= DEFAULT_PIPE && ++stream->full_reads == FULL_READS_BEFORE_GROWTH) {
        (void)fcntl(stream->descriptor, F_SETPIPE_SZ, LARGEST_PIPE);
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
        long kept = 0;
        for (struct segment *segment = child->streams[i].first; segment != NULL; segment = segment->next) {
            kept += (long)segment->length;
        }

        if (child->streams[i].total != expected[i] || (keep && kept != expected[i])) {
            child->failed = 1;
        }

        atomic_fetch_add(&drained[i], child->streams[i].total);
        forget(&child->streams[i]);
    }

    loop->failures += child->failed;
    loop->free_slots[loop->free_count++] = slot;
    loop->live--;
    int count = atomic_fetch_add(&ended, 1) + 1;
    if (goal >= 10 && count % (goal / 10) == 0 && count / (goal / 10) <= 10) {
        tenths[count / (goal / 10)] = now();
    }
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

/* Returns the number of events handled. */
static int turn(struct loop *loop, int timeout) {
    struct epoll_event events[EVENTS];
    int count = epoll_wait(loop->epoll, events, EVENTS, timeout);
    if (count < 0 && errno != EINTR) {
        die("epoll_wait", errno);
    }

    for (int i = 0; i < count; i++) {
        handle(loop, events[i].data.u64);
    }

    return count;
}

static int claim(void) {
    int number = atomic_fetch_add(&started, 1);
    return number < goal;
}

static void *run_loop(void *argument) {
    struct loop *loop = argument;
    int more = loop->share > 0;
    for (;;) {
        while (more && loop->live < loop->share && (more = claim())) {
            start(loop, command);
        }

        if (loop->live == 0) {
            return NULL;
        }

        turn(loop, -1);
    }
}

static int run_all(struct loop *loops, int children) {
    int failures = 0;
    goal = children;
    atomic_store(&started, 0);
    atomic_store(&ended, 0);
    atomic_store(&drained[0], 0);
    atomic_store(&drained[1], 0);
    tenths[0] = now();
    for (int i = 0; i < THREADS; i++) {
        loops[i].failures = 0;
    }

    for (int i = 1; i < THREADS; i++) {
        must(pthread_create(&loops[i].thread, NULL, run_loop, &loops[i]), "pthread_create");
    }

    run_loop(&loops[0]);
    for (int i = 0; i < THREADS; i++) {
        if (i > 0) {
            pthread_join(loops[i].thread, NULL);
        }

        failures += loops[i].failures;
    }

    return failures;
}

static int storm(char **arguments) {
    int children = atoi(arguments[0]);
    int concurrency = atoi(arguments[1]);
    int warmup = atoi(arguments[2]);
    struct loop loops[THREADS];
    memset(loops, 0, sizeof loops);
    keep = atoi(arguments[3]);
    expected[0] = atol(arguments[4]);
    expected[1] = atol(arguments[5]);
    command = arguments + 6;
    for (int i = 0; i < THREADS; i++) {
        make_loop(&loops[i], (concurrency + THREADS - 1 - i) / THREADS);
    }

    if (warmup > 0) {
        run_all(loops, warmup);
    }

    int descriptors = count_descriptors();
    double processor = processor_ms();
    int64_t begin = now();
    int failures = run_all(loops, children);
    int64_t end = now();
    processor = processor_ms() - processor;
    printf("wall_ms=%.3f\ncpu_ms=%.3f\n", (double)(end - begin) / 1e6, processor);
    printf("children=%d\nfailures=%d\n", atomic_load(&ended), failures);
    printf("bytes=%ld\n", atomic_load(&drained[0]) + atomic_load(&drained[1]));
    printf("threads=%d\npeak_memory=%ld\n", THREADS, peak_memory());
    printf("descriptors_start=%d\ndescriptors_end=%d\n", descriptors, count_descriptors());
    for (int i = 1; i <= 10 && children >= 10; i++) {
        printf("tenth_%d=%.3f\n", i, (double)(tenths[i] - tenths[i - 1]) / 1e3 / (children / 10));
    }

    return failures == 0 ? 0 : 1;
}

static void kill_all(struct loop *loop) {
    for (int i = 0; i < loop->share; i++) {
        if (loop->children[i].open > 0) {
            kill(-loop->children[i].process, SIGKILL);
        }
    }

    while (loop->live > 0) {
        turn(loop, -1);
    }
}

static int live(char **arguments) {
    int alive = atoi(arguments[0]);
    int starts = atoi(arguments[1]);
    int idle_ms = atoi(arguments[2]);
    struct loop loop = { 0 };
    make_loop(&loop, alive + starts);
    for (int i = 0; i < alive; i++) {
        start(&loop, arguments + 3);
    }

    int64_t begin = now();
    double processor = processor_ms();
    for (int i = 0; i < starts; i++) {
        start(&loop, arguments + 3);
    }

    printf("start_us=%.3f\n", (double)(now() - begin) / 1e3 / starts);
    printf("start_cpu_us=%.3f\n", (processor_ms() - processor) * 1e3 / starts);

    processor = processor_ms();
    int64_t end = now() + idle_ms * 1000000LL;
    for (int64_t rest; (rest = end - now()) > 0;) {
        turn(&loop, (int)(rest / 1000000) + 1);
    }

    printf("idle_cpu_ms=%.3f\n", processor_ms() - processor);
    printf("failures=%d\nthreads=1\npeak_memory=%ld\n", alive + starts - loop.live, peak_memory());
    kill_all(&loop);
    return 0;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static int latency(char **arguments) {
    int alive = atoi(arguments[0]);
    int samples = atoi(arguments[1]);
    char *sleeper[] = { arguments[3], "sleep", "0", NULL };
    char *clock[] = { arguments[3], "clock", arguments[2], NULL };
    double *times = allocated((size_t)samples * sizeof *times);
    int failures = 0;
    struct loop loop = { 0 };
    keep = 0;
    make_loop(&loop, alive + 1);
    for (int i = 0; i < alive; i++) {
        start(&loop, sleeper);
    }

    for (int i = 0; i < samples; i++) {
        int slot = start(&loop, clock);
        while (loop.children[slot].open > 0) {
            turn(&loop, -1);
        }

        int64_t seen = now();
        loop.scratch[loop.children[slot].streams[0].total] = 0;
        times[i] = (double)(seen - atoll(loop.scratch)) / 1e3;
        failures += loop.children[slot].streams[0].total == 0 || times[i] < 0;
    }

    qsort(times, (size_t)samples, sizeof *times, by_size);
    printf("p50_us=%.3f\np99_us=%.3f\nmax_us=%.3f\n",
        times[samples / 2], times[samples * 99 / 100], times[samples - 1]);
    printf("failures=%d\n", failures);
    kill_all(&loop);
    return failures == 0 ? 0 : 1;
}

int main(int count, char **arguments) {
    prepare();
    if (count >= 9 && strcmp(arguments[1], "storm") == 0) {
        return storm(arguments + 2);
    }

    if (count >= 6 && strcmp(arguments[1], "live") == 0) {
        return live(arguments + 2);
    }

    if (count == 6 && strcmp(arguments[1], "latency") == 0) {
        return latency(arguments + 2);
    }

    fputs("usage: see the head of floor.c\n", stderr);
    return 2;
}
