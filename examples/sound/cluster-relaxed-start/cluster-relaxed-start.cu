// A relaxed arrival at the barrier of the cluster orders no memory, and shows that all blocks have started.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(4, 1, 1) cluster_relaxed_start(int *out) {
    __shared__ int received[64];
    auto cluster = cooperative_groups::this_cluster();
    asm volatile("barrier.cluster.arrive.relaxed;");
    int next = (cluster.block_rank() + 1) % 4;
    asm volatile("barrier.cluster.wait;");
    cluster.map_shared_rank(received, next)[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = received[threadIdx.x];
}
