// D = A * B by clusters of 2 x 2 blocks: each block brings half of its tile of A to both blocks of its row, and half of its tile of
// B to both of its column. A stage is free when the three blocks that read this block's copies have said so, across the cluster.
// targets: compute_90a
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int TILE_N = 32, TILE_K = 64, STAGES = 2;
constexpr int STAGE_BYTES = (64 + TILE_N) * TILE_K * 2;

static __device__ __forceinline__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " NAMES_16 ", %16, %17, p, 1, 1, 0, 0;}"
                 : SIXTEEN("+f", d) : "l"(a), "l"(b));
}

static __device__ __forceinline__ void multicast(void *to, const CUtensorMap *map, int column, int row, Barrier *full, unsigned blocks) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                 ::"r"(shared_address(to)), "l"(map), "r"(column), "r"(row), "r"(shared_address(full)), "h"(static_cast<unsigned short>(blocks)) : "memory");
}

extern "C" __global__ void __cluster_dims__(2, 2) __launch_bounds__(128)
    wgmma_multicast(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *d, int n, int k) {
    __shared__ alignas(1024) __half tile_a[STAGES][64 * TILE_K];
    __shared__ alignas(1024) __half tile_b[STAGES][TILE_N * TILE_K];
    __shared__ Barrier full[STAGES], empty[STAGES];
    unsigned x = blockIdx.x % 2, y = blockIdx.y % 2;   // rank: y * 2 + x
    int tiles = k / TILE_K;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            initialise(&full[stage], 1);
            initialise(&empty[stage], 3);   // itself, its neighbour in the row, its neighbour in the column
        }
        publish_barriers();
    }
    cluster_sync();
    auto load = [&](int tile) {
        int stage = tile % STAGES;
        wait_for_cluster(&empty[stage], (tile / STAGES & 1) ^ 1);
        arrive_expecting(&full[stage], STAGE_BYTES);
        multicast(tile_a[stage] + x * 32 * TILE_K, &map_a, tile * TILE_K, blockIdx.y * 64 + x * 32, &full[stage], 3u << y * 2);
        multicast(tile_b[stage] + y * TILE_N / 2 * TILE_K, &map_b, tile * TILE_K, blockIdx.x * TILE_N + y * TILE_N / 2, &full[stage], 5u << x);
    };
    if (threadIdx.x == 0) for (int tile = 0; tile < STAGES && tile < tiles; tile++) load(tile);
    float sums[16] = {};
    for (int tile = 0; tile < tiles; tile++) {
        int stage = tile % STAGES;
        wait(&full[stage], tile / STAGES & 1);
        begin_group();
#pragma unroll
        for (int step = 0; step < TILE_K / 16; step++) {
            multiply(sums, descriptor<128>(shared_address(tile_a[stage]) + step * 32), descriptor<128>(shared_address(tile_b[stage]) + step * 32));
        }
        commit_group();
        wait_groups();
        __syncthreads();
        if (threadIdx.x < 4 && threadIdx.x != (y * 2 + x ^ 3)) arrive_in(in_block(&empty[stage], threadIdx.x));   // not the one across
        if (threadIdx.x == 0 && tile + STAGES < tiles) load(tile + STAGES);
    }
    for (int i = 0; i < 16; i++) d[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
    cluster_sync();   // no block leaves while another may still arrive in its shared memory
}
