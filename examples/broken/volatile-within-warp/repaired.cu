// Repaired: __syncwarp() stands between the store and the load.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void volatile_within_warp(const int *in, int *out) {
    __shared__ volatile int values[32];
    int i = threadIdx.x;
    values[i] = in[i];
    __syncwarp();
    out[i] = values[(i + 1) % 32];
}
