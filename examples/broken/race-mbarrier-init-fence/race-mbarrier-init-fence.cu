// Broken: fence.mbarrier_init orders what mbarrier.init has made, and not the words stored beside it.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) race_mbarrier_init_fence(int *out) {
    __shared__ unsigned long long full;
    __shared__ int table[64];
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        unsigned at = (unsigned)__cvta_generic_to_shared(&full);
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
    }
    table[threadIdx.x] = 2 * threadIdx.x;
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    int *other = cluster.map_shared_rank(table, 1 - cluster.block_rank());
    out[blockIdx.x * 64 + threadIdx.x] = other[63 - threadIdx.x];
    cluster.sync();
}
