/*
 * The child of the races: small, native, statically linked where that is possible, so that what is measured is the
 * parent's work.
 *
 *   child exit                        ends at once
 *   child fill OUTPUT ERROR [MS]      so many bytes to each stream, in lines of 64, block by block in turn; sleeps; ends
 *   child sleep MS                    sleeps, until its parent is gone if 0, and ends
 *   child clock MS                    sleeps, writes CLOCK_MONOTONIC in nanoseconds as its last act, and ends
 *   child echo                        copies its input to its output
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 64, BLOCK = 64 * 1024 };

static char block[BLOCK];

static void write_all(int descriptor, const char *bytes, long count) {
    while (count > 0) {
        ssize_t written = write(descriptor, bytes, (size_t)count);
        if (written < 0) {
            _exit(3);
        }

        bytes += written;
        count -= written;
    }
}

static void sleep_for(long milliseconds) {
    struct timespec rest = { milliseconds / 1000, milliseconds % 1000 * 1000000 };
    while (nanosleep(&rest, &rest) != 0) {
    }
}

static long smaller(long a, long b) {
    return a < b ? a : b;
}

static void fill(long output, long error) {
    for (int i = 0; i < BLOCK; i++) {
        block[i] = (char)(i % LINE == LINE - 1 ? '\n' : 'a' + i % LINE % 26);
    }

    /* Every block begins with a line, so a stream is whole lines if its length is a multiple of a line's. */
    while (output > 0 || error > 0) {
        write_all(STDOUT_FILENO, block, smaller(output, BLOCK));
        output -= smaller(output, BLOCK);
        write_all(STDERR_FILENO, block, smaller(error, BLOCK));
        error -= smaller(error, BLOCK);
    }
}

static void echo(void) {
    ssize_t count;
    while ((count = read(STDIN_FILENO, block, BLOCK)) > 0) {
        write_all(STDOUT_FILENO, block, count);
    }
}

static void write_clock(void) {
    char text[32];
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int length = snprintf(text, sizeof text, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
    write_all(STDOUT_FILENO, text, length);
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "";
    if (strcmp(mode, "exit") == 0) {
        return 0;
    }

    if (strcmp(mode, "fill") == 0 && count >= 4) {
        fill(atol(arguments[2]), atol(arguments[3]));
        if (count > 4) {
            sleep_for(atol(arguments[4]));
        }

        return 0;
    }

    if (strcmp(mode, "sleep") == 0 && count == 3) {
        long milliseconds = atol(arguments[2]);
        if (milliseconds == 0) {
            /* A race that is broken off leaves nobody behind. */
            for (pid_t parent = getppid(); getppid() == parent;) {
                sleep(30);
            }

            return 0;
        }

        sleep_for(milliseconds);
        return 0;
    }

    if (strcmp(mode, "clock") == 0 && count == 3) {
        sleep_for(atol(arguments[2]));
        write_clock();
        _exit(0);
    }

    if (strcmp(mode, "echo") == 0) {
        echo();
        return 0;
    }

    fputs("usage: child exit | fill OUTPUT ERROR [MS] | sleep MS | clock MS | echo\n", stderr);
    return 2;
}
