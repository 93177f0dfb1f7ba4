// Part of a warp sums by shuffles: lanes near the end take junk from lanes that have left, and nobody uses their sums.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void partial_warp_reduction(const int *in, int *out) {
    int lane = threadIdx.x;
    if (lane >= 24) return;
    int sum = in[lane];
    for (int step = 16; step > 0; step /= 2) {
        int other = __shfl_down_sync(0x00ffffff, sum, step);
        if (lane + step < 24) sum += other;
    }
    if (lane == 0) out[0] = sum;
}
