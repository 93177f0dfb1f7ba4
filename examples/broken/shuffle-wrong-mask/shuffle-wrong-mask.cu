// Broken: half of the warp calls the shuffle, the mask claims all of it.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void shuffle_wrong_mask(const int *in, int *out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_down_sync(0xffffffff, value, 8);
    out[threadIdx.x] = value;
}
