// Broken: block 0 need not wait for the arrival at its mbarrier before it ends.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_arrival_unordered(int *out) {
    __shared__ uint64_t done;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) ptx::mbarrier_init(&done, 1);
    cluster.sync();
    out[32 * blockIdx.x + threadIdx.x] = threadIdx.x;
    if (cluster.block_rank() == 1 && threadIdx.x == 0)
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&done, 0));
    if (cluster.block_rank() == 0)
        { }  // the wait belongs here
}
