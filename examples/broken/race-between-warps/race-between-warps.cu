// Broken: the barrier between filling the tile and reading the other warp's half is missing.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_between_warps(const int *in, int *out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    // __syncthreads() belongs here
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
