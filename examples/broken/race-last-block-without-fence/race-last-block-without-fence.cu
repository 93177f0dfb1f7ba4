// Broken: the last block adds up what the others left, which no fence hands over.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_last_block_without_fence(const int *in, int *partial, unsigned *count, int *out) {
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += in[blockIdx.x * 32 + i];
    partial[blockIdx.x] = sum;
    // __threadfence() belongs here
    if (atomicInc(count, gridDim.x - 1) != gridDim.x - 1) return;
    // and here
    int total = 0;
    for (int block = 0; block < gridDim.x; block++) total += partial[block];
    *out = total;
}
