// Repaired: a fence stands before the flag is set, and after it is seen.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_look_back_without_fence(const int *in, int *sums, volatile int *ready) {
    if (threadIdx.x != 0) return;
    int block = blockIdx.x, before = 0;
    if (block > 0) {
        while (ready[block - 1] == 0) {}
        __threadfence();
        before = sums[block - 1];
    }
    sums[block] = before + in[block];
    __threadfence();
    ready[block] = 1;
}
