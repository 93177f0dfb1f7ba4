// D = A * B where A is kept in 4 bits: each thread unpacks its fragment to s8 in registers, eight weights of a word at a time, and
// multiplies it with u8 from shared memory; sums of s32 saturate.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int TILE_N = 32, TILE_K = 64;

static __device__ __forceinline__ void multiply(int (&d)[16], const Word (&a)[4], unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n32k32.s32.s8.u8.satfinite " NAMES_16 ", {%16,%17,%18,%19}, %20, p;}"
                 : SIXTEEN("+r", d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

/// Four of the eight weights of a word, those of the low or of the high halves of its bytes, less eight.
static __device__ __forceinline__ Word weights(Word packed, int high) { return __vsub4(packed >> high * 4 & 0x0f0f0f0f, 0x08080808); }

/// A word of `a` holds what a thread needs of one row and 32 columns: its low halves are columns 4t to 4t + 3, the high ones 16 more.
extern "C" __global__ void __launch_bounds__(128)
    wgmma_u8_dequantised(const Word *a, const __grid_constant__ CUtensorMap map_b, const int *start, int *d, int n, int k) {
    __shared__ alignas(1024) unsigned char tile_b[TILE_N * TILE_K];
    __shared__ Barrier full;
    int lane = threadIdx.x % 32, pitch = k / 8;
    a += (blockIdx.y * 64 + threadIdx.x / 32 * 16 + lane / 4) * pitch + lane % 4;
    if (threadIdx.x == 0) {
        initialise(&full, 1);
        publish_barriers();
    }
    __syncthreads();
    int sums[16];
    for (int i = 0; i < 16; i++) sums[i] = start[blockIdx.y * 64 + row_of(i)];
    for (int tile = 0; tile < k / TILE_K; tile++) {
        if (threadIdx.x == 0) {
            arrive_expecting(&full, TILE_N * TILE_K);
            load_tile(tile_b, &map_b, tile * TILE_K, blockIdx.x * TILE_N, &full);
        }
        Word fragments[TILE_K / 32][4];
        for (int step = 0; step < TILE_K / 32; step++) {
            Word upper = a[(tile * 2 + step) * 4], lower = a[8 * pitch + (tile * 2 + step) * 4];
            for (int i = 0; i < 4; i++) fragments[step][i] = weights(i % 2 == 0 ? upper : lower, i / 2);
        }
        wait(&full, tile & 1);
        begin_group();
#pragma unroll
        for (int step = 0; step < TILE_K / 32; step++) multiply(sums, fragments[step], descriptor<64>(shared_address(tile_b) + step * 32));
        commit_group();
        wait_groups();
        __syncthreads();
    }
    for (int i = 0; i < 16; i++) d[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
}
