// D = A * B where neither matrix lies along k: A is kept by columns, B by rows. Both descriptors say "MN-major", A with a
// swizzle of 128 bytes and B with one of 64, in two boxes side by side.
// targets: compute_90a
#include "../device/hopper.cuh"
#include <cuda_bf16.h>

constexpr int TILE_N = 64, TILE_K = 32;
constexpr int SPAN = 32;                        // columns of a box of B: 64 bytes
constexpr int BOX_BYTES = SPAN * TILE_K * 2;
constexpr int TILE_BYTES = (64 + TILE_N) * TILE_K * 2;

static __device__ __forceinline__ void multiply(float (&d)[32], unsigned long long a, unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " NAMES_32 ", %32, %33, p, 1, 1, 1, 1;}"
                 : THIRTY_TWO("+f", d) : "l"(a), "l"(b));
}

/// Eight rows along k are a swizzle atom; `leading` bytes lie between the spans along m or n.
template <int SWIZZLE>
static __device__ __forceinline__ unsigned long long across(unsigned address, unsigned long long leading) {
    return (descriptor<SWIZZLE>(address) & ~(0xffffull << 16)) | leading >> 4 << 16;
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_bf16_majors(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *d, int n, int k) {
    __shared__ alignas(1024) __nv_bfloat16 tile_a[TILE_K * 64];
    __shared__ alignas(1024) __nv_bfloat16 tile_b[TILE_N / SPAN][TILE_K * SPAN];
    __shared__ Barrier full;
    if (threadIdx.x == 0) {
        initialise(&full, 1);
        publish_barriers();
    }
    __syncthreads();
    float sums[32] = {};
    for (int tile = 0; tile < k / TILE_K; tile++) {
        if (threadIdx.x == 0) {
            arrive_expecting(&full, TILE_BYTES);
            load_tile(tile_a, &map_a, blockIdx.y * 64, tile * TILE_K, &full);
            for (int box = 0; box < TILE_N / SPAN; box++) load_tile(tile_b[box], &map_b, blockIdx.x * TILE_N + box * SPAN, tile * TILE_K, &full);
        }
        wait(&full, tile & 1);
        begin_group();
#pragma unroll
        for (int step = 0; step < TILE_K / 16; step++) {
            multiply(sums, across<128>(shared_address(tile_a) + step * 16 * 128, 16), across<64>(shared_address(tile_b) + step * 16 * 64, BOX_BYTES));
        }
        commit_group();
        wait_groups();
        __syncthreads();
    }
    for (int i = 0; i < 32; i++) d[(blockIdx.y * 64 + row_of(i)) * n + blockIdx.x * TILE_N + column_of(i)] = sums[i];
}
