// Broken: a block publishes its sum and then says so, with no fence between.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_look_back_without_fence(const int *in, int *sums, volatile int *ready) {
    if (threadIdx.x != 0) return;
    int block = blockIdx.x, before = 0;
    if (block > 0) {
        while (ready[block - 1] == 0) {}
        // and here
        before = sums[block - 1];
    }
    sums[block] = before + in[block];
    // __threadfence() belongs here
    ready[block] = 1;
}
