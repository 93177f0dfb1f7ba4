// D = A * B by specialised warpgroups: one brings tiles by TMA and gives its registers away, two multiply; a ring of four stages
// with a full and an empty mbarrier each stands between them.
// targets: compute_90a
// flags: -lineinfo
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int CONSUMERS = 2, TILE_M = 64 * CONSUMERS, TILE_N = 32, TILE_K = 32, STAGES = 4;
constexpr int STAGE_BYTES = (TILE_M + TILE_N) * TILE_K * sizeof(__half);

static __device__ __forceinline__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " NAMES_16 ", %16, %17, p, 1, 1, 0, 0;}"
                 : SIXTEEN("+f", d) : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128 * (CONSUMERS + 1), 1)
    wgmma_specialised_f16(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *d, int n, int k) {
    __shared__ alignas(1024) __half tile_a[STAGES][TILE_M * TILE_K];
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
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x % 128 == 0) {
            for (int tile = 0; tile < tiles; tile++) {
                int stage = tile % STAGES;
                wait(&empty[stage], (tile / STAGES & 1) ^ 1);   // the phase before the first counts as over
                arrive_expecting(&full[stage], STAGE_BYTES);
                load_tile(tile_a[stage], &map_a, tile * TILE_K, blockIdx.y * TILE_M, &full[stage]);
                load_tile(tile_b[stage], &map_b, tile * TILE_K, blockIdx.x * TILE_N, &full[stage]);
            }
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float sums[16] = {};
        for (int tile = 0; tile < tiles; tile++) {
            int stage = tile % STAGES;
            wait(&full[stage], tile / STAGES & 1);
            unsigned a = shared_address(tile_a[stage]) + group * 64 * TILE_K * sizeof(__half), b = shared_address(tile_b[stage]);
            begin_group();
#pragma unroll
            for (int step = 0; step < TILE_K / 16; step++) multiply(sums, descriptor<64>(a + step * 32), descriptor<64>(b + step * 32));
            commit_group();
            wait_groups();
            if (threadIdx.x % 128 == 0) arrive(&empty[stage]);
        }
        for (int i = 0; i < 16; i++) {
            d[(blockIdx.y * TILE_M + group * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
        }
    }
}
