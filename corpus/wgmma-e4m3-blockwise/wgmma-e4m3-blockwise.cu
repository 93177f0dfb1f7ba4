// D = A * B in e4m3 with a scale for every row of A and every block of 128 along k: each block's products start from zero (scale-d)
// and are added, scaled, to sums in f32 registers. Scales of B belong to 128 x 128 blocks.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int TILE_N = 32, TILE_K = 128, STAGES = 2;
constexpr int STAGE_BYTES = (64 + TILE_N) * TILE_K;

static __device__ __forceinline__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %18, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 " NAMES_16 ", %16, %17, p, 1, 1;}"
                 : SIXTEEN("+f", d) : "l"(a), "l"(b), "r"(add));
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_e4m3_blockwise(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const float *scales_a, const float *scales_b,
                         float *d, int n, int k) {
    __shared__ alignas(1024) unsigned char tile_a[STAGES][64 * TILE_K];
    __shared__ alignas(1024) unsigned char tile_b[STAGES][TILE_N * TILE_K];
    __shared__ Barrier full[STAGES];
    int blocks = k / TILE_K;
    auto load = [&](int block) {
        Barrier *barrier = &full[block % STAGES];
        arrive_expecting(barrier, STAGE_BYTES);
        load_tile(tile_a[block % STAGES], &map_a, block * TILE_K, blockIdx.y * 64, barrier);
        load_tile(tile_b[block % STAGES], &map_b, block * TILE_K, blockIdx.x * TILE_N, barrier);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) initialise(&full[stage], 1);
        publish_barriers();
        for (int block = 0; block < STAGES && block < blocks; block++) load(block);
    }
    __syncthreads();
    float sums[16] = {}, products[16];
    for (int block = 0; block < blocks; block++) {
        int stage = block % STAGES;
        float scale_b = scales_b[blockIdx.x * TILE_N / 128 * blocks + block], scale_a[2];
        for (int half = 0; half < 2; half++) scale_a[half] = scales_a[(blockIdx.y * 64 + row_of(half * 2)) * blocks + block];
        wait(&full[stage], block / STAGES & 1);
        begin_group();
#pragma unroll
        for (int step = 0; step < TILE_K / 32; step++) {
            multiply(products, descriptor<128>(shared_address(tile_a[stage]) + step * 32), descriptor<128>(shared_address(tile_b[stage]) + step * 32), step);
        }
        commit_group();
        wait_groups();
        __syncthreads();
        if (threadIdx.x == 0 && block + STAGES < blocks) load(block + STAGES);
        for (int i = 0; i < 16; i++) sums[i] = __fmaf_rn(products[i], scale_a[i / 2 % 2] * scale_b, sums[i]);
    }
    for (int i = 0; i < 16; i++) d[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
}
