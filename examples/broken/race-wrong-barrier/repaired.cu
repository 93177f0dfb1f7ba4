// Repaired: both halves meet at one barrier.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_wrong_barrier(const int *in, int *out) {
    __shared__ int tile[128];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 64) asm volatile("bar.sync 1, 128;" ::: "memory");
    else asm volatile("bar.sync 1, 128;" ::: "memory");
    out[threadIdx.x] = tile[127 - threadIdx.x];
}
