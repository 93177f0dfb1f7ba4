// Bulk copies from shared memory to shared memory of the next block of a cluster, three rounds through a ring; and reductions of the
// same kind, in which every block adds to, and takes the extremes of, what rank 0 holds.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int BLOCKS = 4, COUNT = 128, BYTES = COUNT * 4;

#define REDUCE(OPERATION, to, from, barrier)                                                                                                        \
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." OPERATION " [%0], [%1], %2, [%3];" ::"r"(to), \
                 "r"(shared_address(from)), "n"(BYTES), "r"(barrier) : "memory")

extern "C" __global__ void __cluster_dims__(BLOCKS) bulk_ring(const int *in, int *out, int *reduced) {
    __shared__ alignas(16) int own[COUNT];
    __shared__ alignas(16) int arrived[BLOCKS - 1][COUNT];
    __shared__ alignas(16) int sums[COUNT], smallest[COUNT], largest[COUNT], either[COUNT], wrapped[COUNT];
    __shared__ Barrier full[BLOCKS - 1], reductions;
    unsigned rank = cluster_rank(), next = (rank + 1) % BLOCKS;
    own[threadIdx.x] = in[rank * COUNT + threadIdx.x];
    sums[threadIdx.x] = 0, smallest[threadIdx.x] = 0x7fffffff, largest[threadIdx.x] = 0x80000000, either[threadIdx.x] = 0, wrapped[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        for (Barrier &barrier : full) initialise(&barrier, 1);
        initialise(&reductions, 1);
        publish_barriers();
        for (Barrier &barrier : full) arrive_expecting(&barrier, BYTES);
        arrive_expecting(&reductions, rank == 0 ? 5 * BLOCKS * BYTES : 0);
    }
    async_proxy_fence();
    cluster_sync();
    for (int round = 0; round < BLOCKS - 1; round++) {
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         ::"r"(in_block(arrived[round], next)), "r"(shared_address(round == 0 ? own : arrived[round - 1])), "n"(BYTES),
                         "r"(in_block(&full[round], next)) : "memory");
        }
        wait_for_cluster(&full[round], 0);
    }
    if (threadIdx.x == 0) {
        unsigned barrier = in_block(&reductions, 0);
        REDUCE("add.s32", in_block(sums, 0), own, barrier);
        REDUCE("min.s32", in_block(smallest, 0), own, barrier);
        REDUCE("max.s32", in_block(largest, 0), own, barrier);
        REDUCE("or.b32", in_block(either, 0), own, barrier);
        REDUCE("inc.u32", in_block(wrapped, 0), own, barrier);
    }
    wait_for_cluster(&reductions, 0);
    for (int round = 0; round < BLOCKS - 1; round++) out[(rank * (BLOCKS - 1) + round) * COUNT + threadIdx.x] = arrived[round][threadIdx.x];
    if (rank == 0) {
        const int *results[] = {sums, smallest, largest, either, wrapped};
        for (int i = 0; i < 5; i++) reduced[i * COUNT + threadIdx.x] = results[i][threadIdx.x];
    }
    cluster_sync();   // sources stay until every copy has read them
}
