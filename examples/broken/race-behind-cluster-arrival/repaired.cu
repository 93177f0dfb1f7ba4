// Repaired: it stores before it arrives.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) race_behind_cluster_arrival(int *out) {
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    own[threadIdx.x] = 0;
    cluster.sync();
    int *other = cluster.map_shared_rank(own, 1 - cluster.block_rank());
    other[threadIdx.x] = threadIdx.x;
    cluster.barrier_arrive();
    cluster.barrier_wait();
    out[blockIdx.x * 64 + threadIdx.x] = own[63 - threadIdx.x];
    cluster.sync();
}
