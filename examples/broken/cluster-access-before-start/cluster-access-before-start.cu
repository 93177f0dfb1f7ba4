// Broken: a block of the cluster stores into the shared memory of another that need not have started.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_access_before_start(int *out) {
    __shared__ int received[64];
    auto cluster = cooperative_groups::this_cluster();
    // cluster.sync() belongs here
    cluster.map_shared_rank(received, cluster.block_rank() ^ 1)[threadIdx.x] = threadIdx.x;
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = received[threadIdx.x];
}
