// Broken: the threads arrive at the barrier of the cluster with .relaxed semantics, which releases nothing.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) race_relaxed_cluster_arrival(int *out) {
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    own[threadIdx.x] = 0;
    cluster.sync();
    cluster.map_shared_rank(own, 1 - cluster.block_rank())[threadIdx.x] = threadIdx.x;
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    out[blockIdx.x * 64 + threadIdx.x] = own[63 - threadIdx.x];
    cluster.sync();
}
