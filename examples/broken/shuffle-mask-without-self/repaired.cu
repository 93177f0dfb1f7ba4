// Repaired: the mask names all lanes that vote.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void shuffle_mask_without_self(const int *in, int *out) {
    out[threadIdx.x] = __any_sync(0xffffffff, in[threadIdx.x] > 0);
}
