// A ring of blocks passes vectors on by st.async: the store brings its bytes and counts them on the receiver's mbarrier; the
// receiver frees its buffer by an arrival on the sender's. Each of four blocks sees every vector once and adds it up.
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

constexpr int BLOCKS = 4, THREADS = 64;

extern "C" __global__ void __cluster_dims__(BLOCKS) st_async_ring(const uint4 *in, uint4 *out) {
    __shared__ alignas(16) uint4 buffer[2][THREADS];
    __shared__ Barrier full[2], free[2];   // free[i]: the next block's buffer i may be written
    unsigned rank = cluster_rank(), next = (rank + 1) % BLOCKS, before = (rank + BLOCKS - 1) % BLOCKS;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 2; i++) initialise(&full[i], 1), initialise(&free[i], THREADS);
        publish_barriers();
    }
    cluster_sync();
    uint4 mine = in[rank * THREADS + threadIdx.x], sum = mine;
    for (int round = 0; round < BLOCKS - 1; round++) {
        int i = round % 2;
        if (threadIdx.x == 0) arrive_expecting(&full[i], sizeof buffer[i]);
        wait_for_cluster(&free[i], round / 2 & 1 ^ 1);
        unsigned to = in_block(&buffer[i][threadIdx.x], next), barrier = in_block(&full[i], next);
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1,%2,%3,%4}, [%5];"
                     ::"r"(to), "r"(mine.x), "r"(mine.y), "r"(mine.z), "r"(mine.w), "r"(barrier) : "memory");
        wait_for_cluster(&full[i], round / 2 & 1);
        mine = buffer[i][threadIdx.x];
        arrive_in(in_block(&free[i], before));
        sum.x += mine.x, sum.y ^= mine.y, sum.z = min(sum.z, mine.z), sum.w = sum.w * 3 + mine.w;
    }
    out[rank * THREADS + threadIdx.x] = sum;
    cluster_sync();
}
