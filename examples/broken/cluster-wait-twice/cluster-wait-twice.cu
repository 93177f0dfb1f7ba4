// Broken: blocks of a cluster wait a second time without having arrived again.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_wait_twice(int *out) {
    __shared__ int own[64];
    auto cluster = cooperative_groups::this_cluster();
    own[threadIdx.x] = threadIdx.x;
    cluster.barrier_arrive();
    cluster.barrier_wait();
    int value = cluster.map_shared_rank(own, cluster.block_rank() ^ 1)[63 - threadIdx.x];
    // cluster.barrier_arrive() belongs here
    cluster.barrier_wait();
    out[blockIdx.x * 64 + threadIdx.x] = value;
}
