// Repaired: all meet once more before they end.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_end_unordered(int *out) {
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    own[threadIdx.x] = threadIdx.x;
    cluster.sync();
    int value = 0;
    if (cluster.block_rank() == 1) value = cluster.map_shared_rank(own, 0)[63 - threadIdx.x];
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = value;
}
