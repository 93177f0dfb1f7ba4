// Blocks of a cluster read each other's shared memory between two barriers of the cluster.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_exchange(int *out) {
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    own[threadIdx.x] = blockIdx.x * 100 + threadIdx.x;
    cluster.sync();
    int *theirs = cluster.map_shared_rank(own, cluster.block_rank() ^ 1);
    int value = theirs[63 - threadIdx.x];
    cluster.sync();
    own[threadIdx.x] = 0;
    out[blockIdx.x * 64 + threadIdx.x] = value;
}
