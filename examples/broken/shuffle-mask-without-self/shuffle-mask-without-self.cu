// Broken: the mask of the vote leaves out lanes that execute it.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void shuffle_mask_without_self(const int *in, int *out) {
    out[threadIdx.x] = __any_sync(0x0000ffff, in[threadIdx.x] > 0);
}
