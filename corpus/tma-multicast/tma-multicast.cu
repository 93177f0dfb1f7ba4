// Each CTA of a cluster loads a slice of a tile for all of them; rows that others brought are summed, and the sums collected by the first CTA.
// targets: compute_90a
#include <cuda.h>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int COLUMNS = 32, ROWS = 8, RANKS = 4;

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

extern "C" __global__ void __cluster_dims__(RANKS, 1, 1) multicast(const __grid_constant__ CUtensorMap map, int *sums) {
    __shared__ alignas(128) int tile[RANKS][ROWS][COLUMNS];
    __shared__ alignas(8) unsigned long long full;
    __shared__ int collected[RANKS * COLUMNS];
    cg::cluster_group cluster = cg::this_cluster();
    int rank = cluster.block_rank(), thread = threadIdx.x;
    if (thread == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full)), "r"(int(sizeof(tile))) : "memory");
    }
    cluster.sync();
    if (thread == 0) {
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                     ::"r"(shared_address(tile[rank])), "l"(&map), "r"(0), "r"(int(blockIdx.x) * ROWS), "r"(shared_address(&full)),
                       "h"(static_cast<unsigned short>((1 << RANKS) - 1)) : "memory");
    }
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(&full)) : "memory");
    }
    int sum = 0;
    for (int from = 0; from < RANKS; from++) {
        for (int row = 0; row < ROWS; row++) sum += tile[from][row][thread] * (rank + 1);
    }
    cluster.map_shared_rank(collected, 0)[rank * COLUMNS + thread] = sum;
    cluster.sync();
    if (rank == 0) {
        for (int i = 0; i < RANKS; i++) sums[blockIdx.x / RANKS * RANKS * COLUMNS + i * COLUMNS + thread] = collected[i * COLUMNS + thread];
    }
}
