// Repaired: the mask names the lanes that take part.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void shuffle_wrong_mask(const int *in, int *out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_down_sync(0x0000ffff, value, 8, 16);
    out[threadIdx.x] = value;
}
