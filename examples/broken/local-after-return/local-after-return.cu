// Broken: weights() returns the address of its own array, which ends with the call.
// targets: compute_80
// flags: -lineinfo
__device__ __noinline__ static const volatile int *weights(int n) {
    volatile int table[4];
    for (int i = 0; i < 4; i++) table[i] = n * i;
    const volatile int *start = table;
    asm volatile("" : "+l"(start));
    return start;
}

extern "C" __global__ void local_after_return(int *out) {
    const volatile int *table = weights(threadIdx.x);
    out[threadIdx.x] = table[1] + table[2];
}
