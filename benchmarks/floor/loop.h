/* One thread's children: started, drained and reaped through an epoll of its own. */
#ifndef LOOP_H
#define LOOP_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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
    long bytes;
    struct child *children;
    int *free_slots;
    int free_count;
    char *scratch;
};

/* Whether the children's bytes are kept in memory, or dropped. */
extern int keep;

/* Whether children are started by a clone of our own, as the library starts them, and not by posix_spawn. */
extern int clones;

/* How many bytes each child must write to each stream; -1 if that is not known before. */
extern long expected[2];

/* Raises the limit of descriptors, and prepares the attributes of all children. */
void prepare(void);

void make_loop(struct loop *loop, int capacity);

/* Starts a child in a free slot, and returns the slot. */
int start(struct loop *loop, char **arguments);

/* Waits for events and handles them. */
void turn(struct loop *loop, int timeout);

/* A child has ended; whoever measures defines it, for any thread. */
void child_ended(void);

void die(const char *what, int error);
void *allocated(size_t size);

#endif
