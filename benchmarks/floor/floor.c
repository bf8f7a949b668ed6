/*
 * The floor of the races: what starting, draining and reaping children costs without a runtime. Two threads, each with
 * an epoll of its own; a child is started, drained and reaped on the same thread. It does the work that the library
 * does: two pipes and a pidfd a child, a process group, signals reset, descriptors from 3 on closed in the child.
 *
 *   floor storm CHILDREN CONCURRENCY WARMUP KEEP OUTPUT ERROR PROGRAM [ARGUMENT...]
 *       Runs so many children to their end. KEEP is 1 to keep their bytes in memory, 0 to drop them.
 *   floor live ALIVE STARTS IDLE_MS PROGRAM [ARGUMENT...]
 *       Starts so many children that do not end, times each of STARTS more, and looks at the processor use of an idle time.
 *   floor latency ALIVE SAMPLES SLEEP_MS PROGRAM
 *       The time from the last act of "PROGRAM clock" to its end seen here, with so many "PROGRAM sleep 0" alive.
 *
 *   floor furnished DESCRIPTORS THREADS [windows...] storm...
 *       The same in a process that has so many descriptors and sleeping threads more, as that of a .NET program has.
 *   floor clone [furnished...] [windows...] storm...
 *       The same, with a clone of its own instead of posix_spawn.
 *   floor windows COUNT storm...
 *       The children so many times, one set after the other; the times are those of the median set.
 *
 * The results are lines of key=value.
 */
#define _GNU_SOURCE
#include "loop.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { THREADS = 2 };

struct window {
    double wall_ms;
    double processor_ms;
};

static char **command;
static int windows = 1;
static int goal;
static atomic_int started;
static atomic_int ended;
static int64_t tenths[11];

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

void child_ended(void) {
    int count = atomic_fetch_add(&ended, 1) + 1;
    int tenth = goal / 10;
    if (tenth > 0 && count % tenth == 0 && count / tenth <= 10) {
        tenths[count / tenth] = now();
    }
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
    tenths[0] = now();
    for (int i = 0; i < THREADS; i++) {
        loops[i].failures = 0;
        loops[i].bytes = 0;
    }

    for (int i = 1; i < THREADS; i++) {
        int error = pthread_create(&loops[i].thread, NULL, run_loop, &loops[i]);
        if (error != 0) {
            die("pthread_create", error);
        }
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

static int by_wall(const void *a, const void *b) {
    double x = ((const struct window *)a)->wall_ms;
    double y = ((const struct window *)b)->wall_ms;
    return (x > y) - (x < y);
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
    int failures = 0;
    struct window *measured = allocated((size_t)windows * sizeof *measured);
    for (int i = 0; i < windows; i++) {
        double processor = processor_ms();
        int64_t begin = now();
        failures += run_all(loops, children);
        measured[i].wall_ms = (double)(now() - begin) / 1e6;
        measured[i].processor_ms = processor_ms() - processor;
    }

    qsort(measured, (size_t)windows, sizeof *measured, by_wall);
    printf("wall_ms=%.3f\ncpu_ms=%.3f\n", measured[windows / 2].wall_ms, measured[windows / 2].processor_ms);
    printf("children=%d\nfailures=%d\n", atomic_load(&ended), failures);
    printf("bytes=%ld\n", loops[0].bytes + loops[1].bytes);
    printf("threads=%d\npeak_memory=%ld\n", THREADS, peak_memory());
    printf("descriptors_start=%d\ndescriptors_end=%d\n", descriptors, count_descriptors());
    for (int i = 1; i <= 10 && children >= 10; i++) {
        printf("tenth_%d=%.3f\n", i, (double)(tenths[i] - tenths[i - 1]) / 1e3 / (children / 10));
    }

    return failures == 0 ? 0 : 1;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
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

    double *times = allocated((size_t)starts * sizeof *times);
    for (int i = 0; i < starts; i++) {
        int64_t begin = now();
        start(&loop, arguments + 3);
        times[i] = (double)(now() - begin) / 1e3;
    }

    qsort(times, (size_t)starts, sizeof *times, by_size);
    printf("start_us=%.3f\n", times[starts / 2]);

    double processor = processor_ms();
    int64_t end = now() + idle_ms * 1000000LL;
    for (int64_t rest; (rest = end - now()) > 0;) {
        turn(&loop, (int)(rest / 1000000) + 1);
    }

    printf("idle_cpu_ms=%.3f\n", processor_ms() - processor);
    printf("failures=%d\nthreads=1\npeak_memory=%ld\n", alive + starts - loop.live, peak_memory());
    kill_all(&loop);
    return 0;
}

static int latency(char **arguments) {
    int alive = atoi(arguments[0]);
    int samples = atoi(arguments[1]);
    char *sleeper[] = { arguments[3], "sleep", "0", NULL };
    char *clock[] = { arguments[3], "clock", arguments[2], NULL };
    double *times = allocated((size_t)samples * sizeof *times);
    int failures = 0;
    struct loop loop = { 0 };
    expected[0] = -1;
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

static void *sleep_for_ever(void *argument) {
    for (;;) {
        poll(NULL, 0, -1);
    }

    return argument;
}

static void furnish(int descriptors, int threads) {
    for (int i = 0; i < descriptors; i++) {
        if (open("/proc/self/exe", O_RDONLY | O_CLOEXEC) < 0) {
            die("/proc/self/exe", errno);
        }
    }

    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        int error = pthread_create(&thread, NULL, sleep_for_ever, NULL);
        if (error != 0) {
            die("pthread_create", error);
        }
    }
}

int main(int count, char **arguments) {
    prepare();
    if (count > 2 && strcmp(arguments[1], "clone") == 0) {
        clones = 1;
        count--;
        arguments++;
    }

    if (count > 4 && strcmp(arguments[1], "furnished") == 0) {
        furnish(atoi(arguments[2]), atoi(arguments[3]));
        count -= 3;
        arguments += 3;
    }

    if (count > 3 && strcmp(arguments[1], "windows") == 0) {
        windows = atoi(arguments[2]);
        count -= 2;
        arguments += 2;
    }

    if (count >= 9 && windows > 0 && strcmp(arguments[1], "storm") == 0) {
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
