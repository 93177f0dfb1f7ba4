// D = A * B in s8 by two warpgroups that take turns: while one multiplies, the other writes its results. Named barriers pass the
// turn on, one warp brings tiles for both, and each of the two skips the stages of the other.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int TILE_N = 32, TILE_K = 64, STAGES = 3;
constexpr int STAGE_BYTES = (64 + TILE_N) * TILE_K;

static __device__ __forceinline__ void multiply(int (&d)[16], unsigned long long a, unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.s8 " NAMES_16 ", %16, %17, p;}" : SIXTEEN("+r", d) : "l"(a), "l"(b));
}

static __device__ __forceinline__ void take_turn(int group) { asm volatile("barrier.sync %0, 256;" ::"r"(1 + group) : "memory"); }
static __device__ __forceinline__ void pass_turn(int group) { asm volatile("barrier.arrive %0, 256;" ::"r"(2 - group) : "memory"); }

extern "C" __global__ void __launch_bounds__(288)
    wgmma_s8_pingpong(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, int *d, int m, int n, int k) {
    __shared__ alignas(1024) signed char tile_a[STAGES][64 * TILE_K];
    __shared__ alignas(1024) signed char tile_b[STAGES][TILE_N * TILE_K];
    __shared__ Barrier full[STAGES], empty[STAGES];
    int group = threadIdx.x / 128, steps = k / TILE_K, columns = n / TILE_N, outputs = m / 64 * columns;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            initialise(&full[stage], 1);
            initialise(&empty[stage], 128);
        }
        publish_barriers();
    }
    __syncthreads();
    if (group == 2) {
        if (threadIdx.x == 256) {
            for (int turn = 0; turn < outputs * steps; turn++) {
                int stage = turn % STAGES, output = turn / steps, step = turn % steps;
                wait(&empty[stage], (turn / STAGES & 1) ^ 1);
                arrive_expecting(&full[stage], STAGE_BYTES);
                load_tile(tile_a[stage], &map_a, step * TILE_K, output / columns * 64, &full[stage]);
                load_tile(tile_b[stage], &map_b, step * TILE_K, output % columns * TILE_N, &full[stage]);
            }
        }
        return;
    }
    if (group == 1) pass_turn(1);   // the first turn is that of group 0
    for (int output = group; output < outputs; output += 2) {
        int sums[16] = {};
        take_turn(group);
        for (int turn = output * steps; turn < (output + 1) * steps; turn++) {
            int stage = turn % STAGES;
            wait(&full[stage], turn / STAGES & 1);
            begin_group();
#pragma unroll
            for (int i = 0; i < TILE_K / 32; i++) {
                multiply(sums, descriptor<64>(shared_address(tile_a[stage]) + i * 32), descriptor<64>(shared_address(tile_b[stage]) + i * 32));
            }
            commit_group();
            wait_groups();
            arrive(&empty[stage]);
        }
        if (output + 1 < outputs) pass_turn(group);
        for (int i = 0; i < 16; i++) d[(output / columns * 64 + row_of(i)) * n + output % columns * TILE_N + column_of(i)] = sums[i];
    }
}
