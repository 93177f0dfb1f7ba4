// A block gives its buffer to the other one by a bulk copy, and fills it again once that one says that it has it.
// targets: compute_90a
// flags: -lineinfo
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
namespace ptx = cuda::ptx;

extern "C" __global__ void __cluster_dims__(2, 1, 1) cluster_copy_ring(int *out) {
    alignas(16) __shared__ int own[32], theirs[32];
    __shared__ uint64_t full, empty;
    auto cluster = cooperative_groups::this_cluster();
    unsigned other = cluster.block_rank() ^ 1;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&empty, 32);
    }
    cluster.sync();
    for (int turn = 0; turn < 4; turn++) {
        own[threadIdx.x] = 100 * turn + 32 * blockIdx.x + threadIdx.x;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncwarp();
        if (threadIdx.x == 0) {
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof theirs);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, cluster.map_shared_rank(theirs, other), own, sizeof own,
                               cluster.map_shared_rank(&full, other));
        }
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, turn & 1)) { }
        out[128 * blockIdx.x + 32 * turn + threadIdx.x] = theirs[31 - threadIdx.x];
        ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, cluster.map_shared_rank(&empty, other));
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &empty, turn & 1)) { }
    }
}
