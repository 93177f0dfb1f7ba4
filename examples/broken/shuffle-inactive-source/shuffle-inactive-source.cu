// Broken: the mask is right, but the lanes read from a lane outside of it.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void shuffle_inactive_source(const int *in, int *out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value = __shfl_sync(0x0000ffff, value, 20);
    out[threadIdx.x] = value;
}
