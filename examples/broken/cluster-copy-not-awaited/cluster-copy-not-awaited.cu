// Broken: a block may end while its bulk copy to the other block still reads its shared memory.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_copy_not_awaited(int *out) {
    alignas(16) __shared__ int own[32], theirs[32];
    __shared__ uint64_t full;
    auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof theirs);
    }
    own[threadIdx.x] = threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(theirs, 1), own, sizeof own,
                           cluster.map_shared_rank(&full, 1));
    if (cluster.block_rank() == 1) {
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0)) { }
        out[threadIdx.x] = theirs[31 - threadIdx.x];
    }
    // cluster.sync() belongs here
}
