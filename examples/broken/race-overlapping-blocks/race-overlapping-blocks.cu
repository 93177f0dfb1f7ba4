// Broken: blocks write tiles of 65 words, 64 apart.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_overlapping_blocks(int *out) {
    for (int i = threadIdx.x; i < 65; i += blockDim.x) out[blockIdx.x * 64 + i] = blockIdx.x;
}
