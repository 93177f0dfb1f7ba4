// A matrix transposed by a cluster: each of four blocks reads a quarter of its rows and stores every element where it belongs in the
// shared memory of the block that owns its column, four elements a store; bulk copies write the quarters out.
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

constexpr int BLOCKS = 4, SIZE = 64, ROWS = SIZE / BLOCKS;

extern "C" __global__ void __cluster_dims__(BLOCKS) cluster_transpose(const float *in, float *out) {
    __shared__ alignas(128) float tile[ROWS * SIZE];   // rows of the result
    unsigned rank = cluster_rank();
    cluster_sync();   // everybody's shared memory is there
    for (int i = threadIdx.x; i < ROWS / 4 * SIZE; i += blockDim.x) {
        int column = i % SIZE, row = i / SIZE * 4;   // four rows of a column are neighbours in the result
        float values[4];
        for (int j = 0; j < 4; j++) values[j] = in[(rank * ROWS + row + j) * SIZE + column];
        unsigned to = in_block(&tile[column % ROWS * SIZE + rank * ROWS + row], column / ROWS);
        asm volatile("st.shared::cluster.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"(to), "f"(values[0]), "f"(values[1]), "f"(values[2]), "f"(values[3]) : "memory");
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    cluster_sync();
    asm volatile("fence.proxy.async;" ::: "memory");
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                     ::"l"(out + rank * ROWS * SIZE), "r"(shared_address(tile)), "r"(static_cast<unsigned>(sizeof tile)) : "memory");
        finish_stores();
    }
}
