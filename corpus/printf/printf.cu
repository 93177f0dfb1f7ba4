// printf from one lane, with every kind of argument, and from a loop.
// targets: compute_75 compute_80 compute_90a compute_120a
#include <cstdio>

extern "C" __global__ void print(const int *values, int count) {
    if (threadIdx.x != 0) return;
    printf("no arguments, a %% sign\n");
    printf("%d %i %u %x %X %o %c|%s\n", values[0], values[1], unsigned(values[2]), values[3], values[3], values[3], 'q', "a string");
    printf("%lld %llu %llx\n", -123456789012345LL, 18446744073709551615ULL, 0x123456789abcdefULL);
    printf("%f %.3f %10.2f|%-10.1f|%e %g\n", 1.5, 2.0 / 3, 3.25, 4.0, 12345.678, 0.0001);
    printf("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);
    for (int i = 0; i < count; i++) printf("values[%d] = %d\n", i, values[i]);
}
