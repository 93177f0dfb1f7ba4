// Broken: the two halves fill one tile and meet at different barriers.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_wrong_barrier(const int *in, int *out) {
    __shared__ int tile[128];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
    else asm volatile("bar.sync 2, 64;" ::: "memory");
    out[threadIdx.x] = tile[127 - threadIdx.x];
}
