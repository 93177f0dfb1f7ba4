// Repaired: the caller has the array.
// targets: compute_80
// flags: -lineinfo
__device__ __noinline__ static void weights(int n, volatile int *table) {
    for (int i = 0; i < 4; i++) table[i] = n * i;
}

extern "C" __global__ void local_after_return(int *out) {
    volatile int table[4];
    weights(threadIdx.x, table);
    out[threadIdx.x] = table[1] + table[2];
}
