// Broken: the producing warp arrives at the named barrier before it stores what the others wait for.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void race_named_barrier_early(int *out) {
    __shared__ int tile[32];
    int t = threadIdx.x;
    if (t < 32) {
        asm volatile("bar.arrive 1, 96;" ::: "memory");
        tile[t] = t;
    } else {
        asm volatile("bar.sync 1, 96;" ::: "memory");
        out[t - 32] = tile[(t + 3) % 32];
    }
}
