// D = A * B with a structured-sparse A in registers (bf16), B by TMA with a swizzle of 128 bytes: the two instructions of a tile
// read one word of metadata from different lanes.
// targets: compute_90a
#include "../device/hopper.cuh"

constexpr int TILE_N = 16, TILE_K = 64;

template <int SELECTOR>
static __device__ __forceinline__ void multiply(float (&d)[8], const Word (&a)[4], unsigned long long b, Word e) {
    asm volatile(ALWAYS "wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.bf16.bf16 " NAMES_8 ", {%8,%9,%10,%11}, %12, %13, %14, p, 1, 1, 0;}"
                 : EIGHT("+f", d) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(e), "n"(SELECTOR));
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_sparse_registers(const Word *a, const __grid_constant__ CUtensorMap map_b, const Word *metadata, float *d, int n, int k) {
    __shared__ alignas(1024) Word tile_b[TILE_N * TILE_K / 2];
    __shared__ Barrier full;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = k / TILE_K, pitch = k / 4;   // words of kept elements
    a += (blockIdx.y * 64 + warp * 16 + lane / 4) * pitch + lane % 4;
    metadata += (blockIdx.y * 4 + warp) * tiles * 32 + lane;
    if (threadIdx.x == 0) {
        initialise(&full, 1);
        publish_barriers();
    }
    __syncthreads();
    float sums[8] = {};
    for (int tile = 0; tile < tiles; tile++) {
        if (threadIdx.x == 0) {
            arrive_expecting(&full, sizeof tile_b);
            load_tile(tile_b, &map_b, tile * TILE_K, blockIdx.x * TILE_N, &full);
        }
        Word fragments[2][4], e = metadata[tile * 32];
        for (int i = 0; i < 8; i++) fragments[i / 4][i % 4] = a[i % 2 * 8 * pitch + tile * TILE_K / 4 + i / 4 * 8 + i / 2 % 2 * 4];
        wait(&full, tile & 1);
        begin_group();
        multiply<0>(sums, fragments[0], descriptor<128>(shared_address(tile_b)), e);
        multiply<1>(sums, fragments[1], descriptor<128>(shared_address(tile_b) + 64), e);
        commit_group();
        wait_groups();
        __syncthreads();
    }
    for (int i = 0; i < 8; i++) d[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
}
