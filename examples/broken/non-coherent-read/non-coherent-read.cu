// Broken: what the neighbour wrote is read by __ldg, through the read-only cache.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void non_coherent_read(int *a, int *b) {
    int t = threadIdx.x;
    a[t] = t * t;
    __syncthreads();
    b[t] = __ldg(&a[t ^ 32]);
}
