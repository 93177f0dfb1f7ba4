// Repaired: a tile has 64 words.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_overlapping_blocks(int *out) {
    for (int i = threadIdx.x; i < 64; i += blockDim.x) out[blockIdx.x * 64 + i] = blockIdx.x;
}
