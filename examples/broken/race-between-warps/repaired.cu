// Repaired: a barrier stands between filling and reading.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_between_warps(const int *in, int *out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
