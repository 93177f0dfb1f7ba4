// D = A * B in tf32 with A in registers. Two groups of products are under way at a time: while one runs, the threads fetch the
// fragments of the next into other registers. The number of tiles is even.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int TILE_N = 32, TILE_K = 32, STAGES = 3;

static __device__ __forceinline__ void multiply(float (&d)[16], const Word (&a)[4], unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 " NAMES_16 ", {%16,%17,%18,%19}, %20, p, 1, 1;}"
                 : SIXTEEN("+f", d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_tf32_registers(const Word *a, const __grid_constant__ CUtensorMap map_b, float *d, int n, int k) {
    __shared__ alignas(1024) float tile_b[STAGES][TILE_N * TILE_K];
    __shared__ Barrier full[STAGES];
    int lane = threadIdx.x % 32, tiles = k / TILE_K;
    a += (blockIdx.y * 64 + threadIdx.x / 32 * 16 + lane / 4) * k + lane % 4;

    auto load = [&](int tile) {
        arrive_expecting(&full[tile % STAGES], TILE_N * TILE_K * 4);
        load_tile(tile_b[tile % STAGES], &map_b, tile * TILE_K, blockIdx.x * TILE_N, &full[tile % STAGES]);
    };
    auto fetch = [&](Word (&fragments)[TILE_K / 8][4], int tile) {
        for (int step = 0; step < TILE_K / 8; step++) {
            for (int i = 0; i < 4; i++) fragments[step][i] = a[i % 2 * 8 * k + tile * TILE_K + step * 8 + i / 2 * 4];
        }
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) initialise(&full[stage], 1);
        publish_barriers();
    }
    __syncthreads();
    if (threadIdx.x == 0) for (int tile = 0; tile < STAGES - 1 && tile < tiles; tile++) load(tile);

    float sums[16] = {};
    Word even[TILE_K / 8][4], odd[TILE_K / 8][4];
    fetch(even, 0);
    auto multiply_tile = [&](Word (&now)[TILE_K / 8][4], Word (&next)[TILE_K / 8][4], int tile) {
        wait(&full[tile % STAGES], tile / STAGES & 1);
        begin_group();
#pragma unroll
        for (int step = 0; step < TILE_K / 8; step++) multiply(sums, now[step], descriptor<128>(shared_address(tile_b[tile % STAGES]) + step * 32));
        commit_group();
        wait_groups<1>();   // the group before has read its registers and its stage
        __syncthreads();
        if (threadIdx.x == 0 && tile + STAGES - 1 < tiles) load(tile + STAGES - 1);
        fetch(next, min(tile + 1, tiles - 1));
    };
    for (int tile = 0; tile < tiles; tile += 2) {
        multiply_tile(even, odd, tile);
        multiply_tile(odd, even, tile + 1);
    }
    wait_groups();
    for (int i = 0; i < 16; i++) d[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
}
