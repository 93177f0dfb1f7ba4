// Some lanes of a warp elect one that counts for all of them, and shuffle its result among themselves.
// targets: compute_80
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void warp_aggregated(const int *in, int *count, int *kept) {
    int value = in[threadIdx.x] + threadIdx.x;
    if (value % 3 == 0) {
        auto active = cooperative_groups::coalesced_threads();
        int base = 0;
        if (active.thread_rank() == 0) base = atomicAdd(count, active.size());
        base = active.shfl(base, 0);
        kept[base + active.thread_rank()] = value;
    }
}
