/* The four kernels of anchors.cu in C, 32 lanes at a time, as a compiler vectorises them: what
 * heddle's times stand beside. Prints for each kernel its name, the best and the median time in
 * seconds, and a hash of every word of the result (FNV-1a over 32-bit words).
 *
 * cc -O3 -march=native -ffp-contract=off -o anchors anchors.c -lm && ./anchors [ROUNDS]
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 32, LENGTH = 1 << 22, N = 512 };

static float *a, *b;
static uint32_t *out;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

/* java.util.Random, so that both sides have the same numbers. */
static void fill(float *values, int64_t seed) {
    uint64_t state = (seed ^ 0x5DEECE66DLL) & ((1ULL << 48) - 1);
    for (int i = 0; i < LENGTH; i++) {
        state = (state * 0x5DEECE66DLL + 0xB) & ((1ULL << 48) - 1);
        values[i] = (float)(state >> 24) * 0x1p-24f - 0.5f;
    }
}

typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef float floats __attribute__((vector_size(4 * LANES)));

/* By vectors of the compiler's: not every gcc finds them in the loops over lanes. Half of f is
 * exact, so that its sum with x is rounded once, as by fma. */
static void alu(void) {
    for (int warp = 0; warp < 512; warp++) {
        words x;
        floats f = {0};
        for (int l = 0; l < LANES; l++) {
            x[l] = (uint32_t)(warp * LANES + l) * 2654435761u + 12345u;
        }
        for (int i = 0; i < 1000; i++) {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            f = f * 0.5f + __builtin_convertvector(x, floats);
        }
        memcpy(out + warp * LANES, &f, sizeof f);
    }
}

static void vadd(void) {
    float *sum = (float *)out;
    for (int i = 0; i < LENGTH; i++) {
        sum[i] = a[i] + b[i];
    }
}

static void sgemm(void) {
    float *c = (float *)out;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j += 64) {
            float sum[64] = {0};
            for (int k = 0; k < N; k++) {
                float factor = a[i * N + k];
                for (int l = 0; l < 64; l++) {
                    sum[l] = fmaf(factor, b[k * N + j + l], sum[l]);
                }
            }
            memcpy(c + i * N + j, sum, sizeof sum);
        }
    }
}

static void mandelbrot(void) {
    float step = 3.0f / N;
    for (int first = 0; first < N * N; first += LANES) {
        float x[LANES] = {0}, y[LANES] = {0}, cx[LANES], cy[LANES];
        uint32_t count[LANES] = {0}, live[LANES];
        for (int l = 0; l < LANES; l++) {
            cx[l] = fmaf((float)((first + l) % N), step, -2.0f);
            cy[l] = fmaf((float)((first + l) / N), step, -1.5f);
            live[l] = 1;
        }
        for (int i = 0; i < 256; i++) {
            uint32_t any = 0;
            for (int l = 0; l < LANES; l++) {
                float x2 = x[l] * x[l], y2 = y[l] * y[l];
                live[l] &= x2 + y2 > 4.0f ? 0 : 1;
                y[l] = fmaf(x[l] + x[l], y[l], cy[l]);
                x[l] = x2 - y2 + cx[l];
                count[l] += live[l];
                any |= live[l];
            }
            if (!any) {
                break;
            }
        }
        memcpy(out + first, count, sizeof count);
    }
}

static int ascending(const void *p, const void *q) {
    double d = *(const double *)p - *(const double *)q;
    return (d > 0) - (d < 0);
}

static void measure(const char *name, void (*kernel)(void), int words, int rounds) {
    double *times = malloc(rounds * sizeof *times);
    for (int i = 0; i < rounds; i++) {
        double start = now();
        kernel();
        times[i] = now() - start;
    }
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < words; i++) {
        hash = (hash ^ out[i]) * 0x100000001b3u;
    }
    qsort(times, rounds, sizeof *times, ascending);
    printf("%s %.6f %.6f %016llx\n", name, times[0], times[rounds / 2], (unsigned long long)hash);
    free(times);
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 40;
    a = malloc(4 * LENGTH);
    b = malloc(4 * LENGTH);
    out = malloc(4 * LENGTH);
    memset(out, 0, 4 * LENGTH);
    fill(a, 1);
    fill(b, 2);
    measure("ALU", alu, 64 * 256, rounds);
    measure("VADD", vadd, LENGTH, rounds);
    measure("SGEMM", sgemm, N * N, rounds);
    measure("MANDELBROT", mandelbrot, N * N, rounds);
    return 0;
}
