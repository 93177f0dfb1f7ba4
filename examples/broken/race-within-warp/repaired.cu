// Repaired: __syncwarp() stands between writing and reading.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_within_warp(const int *in, int *out) {
    __shared__ int values[32];
    values[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    if (threadIdx.x < 16) values[threadIdx.x] += values[threadIdx.x + 16];
    __syncwarp();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 16; i++) sum += values[i];
        *out = sum;
    }
}
