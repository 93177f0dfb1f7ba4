// D = A * B with a structured-sparse A, as large GEMMs do it: one warp brings the kept half of A and all of B by TMA through a ring
// of stages, two warpgroups multiply with wgmma.sp and fetch their metadata while the tile is on its way.
// targets: compute_90a
// flags: -lineinfo
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int CONSUMERS = 2, TILE_M = 64 * CONSUMERS, TILE_N = 64, TILE_K = 64, STAGES = 2;
constexpr int STAGE_BYTES = TILE_M * TILE_K / 2 * 2 + TILE_N * TILE_K * 2;

template <int SELECTOR>
static __device__ __forceinline__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b, Word e) {
    asm volatile(ALWAYS "wgmma.mma_async.sp.sync.aligned.m64n64k32.f32.f16.f16 " NAMES_32 ", %32, %33, %34, %35, p, 1, 1, 0, 0;}"
                 : THIRTY_TWO("+f", d) : "l"(a), "l"(b), "r"(e), "n"(SELECTOR));
}

extern "C" __global__ void __launch_bounds__(128 * CONSUMERS + 32)
    wgmma_sparse_f16_tma(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const Word *metadata, float *d, int n, int k) {
    __shared__ alignas(1024) __half tile_a[STAGES][TILE_M * TILE_K / 2];
    __shared__ alignas(1024) __half tile_b[STAGES][TILE_N * TILE_K];
    __shared__ Barrier full[STAGES], empty[STAGES];
    int group = threadIdx.x / 128, tiles = k / TILE_K;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            initialise(&full[stage], 1);
            initialise(&empty[stage], CONSUMERS);
        }
        publish_barriers();
    }
    __syncthreads();
    if (group == CONSUMERS) {
        if (threadIdx.x % 128 == 0) {
            for (int tile = 0; tile < tiles; tile++) {
                int stage = tile % STAGES;
                wait(&empty[stage], (tile / STAGES & 1) ^ 1);
                arrive_expecting(&full[stage], STAGE_BYTES);
                load_tile(tile_a[stage], &map_a, tile * TILE_K / 2, blockIdx.y * TILE_M, &full[stage]);
                load_tile(tile_b[stage], &map_b, tile * TILE_K, blockIdx.x * TILE_N, &full[stage]);
            }
        }
        return;
    }
    // a word of metadata serves two instructions, which name the lanes that supply it
    metadata += ((blockIdx.y * CONSUMERS + group) * 4 + threadIdx.x / 32 % 4) * tiles * 32 + threadIdx.x % 32;
    float sums[32] = {};
    for (int tile = 0; tile < tiles; tile++) {
        int stage = tile % STAGES;
        Word e = metadata[tile * 32];
        wait(&full[stage], tile / STAGES & 1);
        unsigned a = shared_address(tile_a[stage]) + group * 64 * TILE_K, b = shared_address(tile_b[stage]);
        begin_group();
        multiply<0>(sums, descriptor<64>(a), descriptor<128>(b), e);
        multiply<1>(sums, descriptor<64>(a + 32), descriptor<128>(b + 64), e);
        commit_group();
        wait_groups();
        if (threadIdx.x % 128 == 0) arrive(&empty[stage]);
    }
    for (int i = 0; i < 32; i++) {
        d[(blockIdx.y * TILE_M + group * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
    }
}
