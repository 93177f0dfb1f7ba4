// D = A * B by blocks that stay: each asks a counter in global memory for its next tile until there is none. Results go through
// stmatrix into swizzled shared memory and from there out by TMA, while the next tile is multiplied already.
// targets: compute_90a
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int TILE_N = 64, TILE_K = 64, STAGES = 2;
constexpr int STAGE_BYTES = (64 + TILE_N) * TILE_K * 2;

static __device__ __forceinline__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " NAMES_32 ", %32, %33, p, 1, 1, 0, 0;}"
                 : THIRTY_TWO("+f", d) : "l"(a), "l"(b));
}

static __device__ __forceinline__ Word pair(float low, float high) {
    __half2 both = __floats2half2_rn(low, high);
    return *reinterpret_cast<Word *>(&both);
}

/// Accumulators to the rows of 128 bytes that the tensor map swizzles: unit u of 16 bytes of row r stands at unit u ^ r % 8.
static __device__ void stage_results(const float (&sums)[32], const __half *tile) {
    int lane = threadIdx.x % 32, row = threadIdx.x / 32 * 16 + lane % 16;
    for (int i = 0; i < 32; i += 8) {
        int unit = i / 4 + lane / 16;
        Word words[4];
        for (int j = 0; j < 4; j++) words[j] = pair(sums[i + 2 * j], sums[i + 2 * j + 1]);
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};"
                     ::"r"(shared_address(tile) + row * 128 + (unit ^ row % 8) * 16), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]) : "memory");
    }
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_persistent(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const __grid_constant__ CUtensorMap map_d,
                     unsigned *next, int m, int n, int k) {
    __shared__ alignas(1024) __half tile_a[STAGES][64 * TILE_K];
    __shared__ alignas(1024) __half tile_b[STAGES][TILE_N * TILE_K];
    __shared__ alignas(1024) __half results[64 * TILE_N];
    __shared__ Barrier full[STAGES];
    __shared__ unsigned shared_tile;
    int columns = n / TILE_N, tiles = m / 64 * columns, steps = k / TILE_K;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) initialise(&full[stage], 1);
        publish_barriers();
    }
    unsigned turn = 0;   // steps of all tiles so far
    while (true) {
        __syncthreads();
        if (threadIdx.x == 0) shared_tile = atomicAdd(next, 1);
        __syncthreads();
        int tile = shared_tile;
        if (tile >= tiles) break;
        int row = tile / columns * 64, column = tile % columns * TILE_N;
        auto load = [&](int step) {
            int stage = (turn + step) % STAGES;
            arrive_expecting(&full[stage], STAGE_BYTES);
            load_tile(tile_a[stage], &map_a, step * TILE_K, row, &full[stage]);
            load_tile(tile_b[stage], &map_b, step * TILE_K, column, &full[stage]);
        };
        if (threadIdx.x == 0) for (int step = 0; step < STAGES && step < steps; step++) load(step);
        float sums[32] = {};
        for (int step = 0; step < steps; step++) {
            int stage = (turn + step) % STAGES;
            wait(&full[stage], (turn + step) / STAGES & 1);
            begin_group();
#pragma unroll
            for (int i = 0; i < TILE_K / 16; i++) {
                multiply(sums, descriptor<128>(shared_address(tile_a[stage]) + i * 32), descriptor<128>(shared_address(tile_b[stage]) + i * 32));
            }
            commit_group();
            wait_groups();
            __syncthreads();
            if (threadIdx.x == 0 && step + STAGES < steps) load(step + STAGES);
        }
        turn += steps;
        if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");   // the tile before has left
        __syncthreads();
        stage_results(sums, results);
        async_proxy_fence();
        __syncthreads();
        if (threadIdx.x == 0) {
            store_tile(&map_d, column, row, results);
            asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        }
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
