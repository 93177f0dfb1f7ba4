// D = A * B with a structured-sparse A in e5m2 and B in e4m3, sums in f16, two stages of TMA with swizzles of 32 and 64 bytes. The
// second block of a row of blocks begins with what lies in C (beta = 1), negating A (imm-scale-a = -1).
// targets: compute_90a
#include "../device/hopper.cuh"
#include <cuda_fp16.h>

constexpr int TILE_N = 32, TILE_K = 64, STAGES = 2;
constexpr int STAGE_BYTES = 64 * TILE_K / 2 + TILE_N * TILE_K;

template <int SIGN>
static __device__ __forceinline__ void multiply(Word (&d)[8], unsigned long long a, unsigned long long b, Word e) {
    asm volatile(ALWAYS "wgmma.mma_async.sp.sync.aligned.m64n32k64.f16.e5m2.e4m3 " NAMES_8 ", %8, %9, %10, 0, p, %11, 1;}"
                 : EIGHT("+r", d) : "l"(a), "l"(b), "r"(e), "n"(SIGN));
}

template <int SIGN>
static __device__ void product(const CUtensorMap *map_a, const CUtensorMap *map_b, const Word *metadata, const Word *c, Word *d, int n, int k) {
    __shared__ alignas(1024) unsigned char tile_a[STAGES][64 * TILE_K / 2];
    __shared__ alignas(1024) unsigned char tile_b[STAGES][TILE_N * TILE_K];
    __shared__ Barrier full[STAGES];
    int tiles = k / TILE_K;
    auto load = [&](int tile) {
        Barrier *barrier = &full[tile % STAGES];
        arrive_expecting(barrier, STAGE_BYTES);
        load_tile(tile_a[tile % STAGES], map_a, tile * TILE_K / 2, blockIdx.y * 64, barrier);
        load_tile(tile_b[tile % STAGES], map_b, tile * TILE_K, blockIdx.x * TILE_N, barrier);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) initialise(&full[stage], 1);
        publish_barriers();
        for (int tile = 0; tile < STAGES && tile < tiles; tile++) load(tile);
    }
    __syncthreads();
    // a register holds two neighbours of a row: accumulators 2i and 2i + 1
    Word sums[8];
    for (int i = 0; i < 8; i++) {
        int place = ((blockIdx.y * 64 + row_of(2 * i)) * n + blockIdx.x * TILE_N + column_of(2 * i)) / 2;
        sums[i] = c == nullptr ? 0 : c[place];
    }
    metadata += (blockIdx.y * 4 + threadIdx.x / 32) * tiles * 32 + threadIdx.x % 32;
    for (int tile = 0; tile < tiles; tile++) {
        int stage = tile % STAGES;
        Word e = metadata[tile * 32];
        wait(&full[stage], tile / STAGES & 1);
        begin_group();
        multiply<SIGN>(sums, descriptor<32>(shared_address(tile_a[stage])), descriptor<64>(shared_address(tile_b[stage])), e);
        commit_group();
        wait_groups();
        __syncthreads();
        if (threadIdx.x == 0 && tile + STAGES < tiles) load(tile + STAGES);
    }
    for (int i = 0; i < 8; i++) d[((blockIdx.y * 64 + row_of(2 * i)) * n + blockIdx.x * TILE_N + column_of(2 * i)) / 2] = sums[i];
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_sparse_fp8_tma(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const Word *metadata, const Word *c, Word *d,
                         int n, int k) {
    if (blockIdx.x == 0) product<1>(&map_a, &map_b, metadata, nullptr, d, n, k);
    else product<-1>(&map_a, &map_b, metadata, c, d, n, k);
}
