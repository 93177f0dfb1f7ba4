// Broken: a block stores into the other of its cluster, which waits for its own threads only.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) race_between_cluster_blocks(int *out) {
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    own[threadIdx.x] = 0;
    cluster.sync();
    cluster.map_shared_rank(own, 1 - cluster.block_rank())[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] = own[63 - threadIdx.x];
    cluster.sync();
}
