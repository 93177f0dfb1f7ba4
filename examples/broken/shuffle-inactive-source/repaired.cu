// Repaired: the lanes read from one of their own.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void shuffle_inactive_source(const int *in, int *out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value = __shfl_sync(0x0000ffff, value, 12);
    out[threadIdx.x] = value;
}
