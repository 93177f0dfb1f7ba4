// Broken: the lanes of one warp exchange values through shared memory and trust in lock step; __syncwarp() is missing.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_within_warp(const int *in, int *out) {
    __shared__ volatile int values[32];
    values[threadIdx.x] = in[threadIdx.x];
    for (int width = 16; width > 0; width /= 2) {
        if (threadIdx.x < width) values[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + width];
    }
    if (threadIdx.x == 0) *out = values[0];
}
