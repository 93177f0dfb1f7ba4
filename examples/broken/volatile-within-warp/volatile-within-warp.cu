// Broken: lanes pass values on as before Volta: by volatile accesses, and trust in lanes that run in step.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void volatile_within_warp(const int *in, int *out) {
    __shared__ volatile int values[32];
    int i = threadIdx.x;
    values[i] = in[i];
    // __syncwarp() belongs here
    out[i] = values[(i + 1) % 32];
}
