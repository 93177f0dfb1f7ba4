/* vadd of 64 M elements by threads: how much sixteen cores gain where memory sets the pace. Prints
 * for 1, 2, 4 and so on threads the best time in seconds and how many times as fast as one it is.
 *
 * cc -O3 -march=native -pthread -o vadd-threads vadd-threads.c && ./vadd-threads [THREADS [ROUNDS]]
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { MOST = 256 };

static const size_t LENGTH = 64 << 20, PART = 1 << 16;

static float *a, *b, *sum;
static atomic_size_t next;
static pthread_barrier_t all;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* As heddle takes its buffers: in large pages where the system has them. */
static float *buffer(float value) {
    size_t bytes = LENGTH * sizeof(float);
    float *taken = aligned_alloc(2 << 20, bytes);
#ifdef MADV_HUGEPAGE
    madvise(taken, bytes, MADV_HUGEPAGE);
#endif
    for (size_t i = 0; i < LENGTH; i++) {
        taken[i] = value;
    }
    return taken;
}

typedef struct {
    double start, end;
} span;

static void *work(void *argument) {
    span *mine = argument;
    pthread_barrier_wait(&all);
    mine->start = now();
    for (size_t from; (from = atomic_fetch_add(&next, PART)) < LENGTH;) {
        for (size_t i = from; i < from + PART; i++) {
            sum[i] = a[i] + b[i];
        }
    }
    mine->end = now();
    return NULL;
}

/* From the first start to the last end. */
static double run(int threads) {
    pthread_t ids[MOST];
    span spans[MOST];
    next = 0;
    pthread_barrier_init(&all, NULL, threads);
    for (int t = 0; t < threads; t++) {
        pthread_create(&ids[t], NULL, work, &spans[t]);
    }
    double start = 0, end = 0;
    for (int t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        start = t == 0 || spans[t].start < start ? spans[t].start : start;
        end = spans[t].end > end ? spans[t].end : end;
    }
    pthread_barrier_destroy(&all);
    return end - start;
}

int main(int count, char **arguments) {
    int most = count > 1 ? atoi(arguments[1]) : 16;
    int rounds = count > 2 ? atoi(arguments[2]) : 10;
    a = buffer(1);
    b = buffer(2);
    sum = buffer(0);
    double one = 0;
    for (int threads = 1; threads <= most && threads <= MOST; threads *= 2) {
        double best = 1e9;
        for (int i = 0; i < rounds; i++) {
            double time = run(threads);
            best = time < best ? time : best;
        }
        one = threads == 1 ? best : one;
        printf("vadd, 64 M, in C: %2d threads: best %.4f s; %.2f times one\n", threads, best, one / best);
    }
    return 0;
}
