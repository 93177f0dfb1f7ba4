// D = C + A * B with k divided among blocks: each adds its tile of f32 sums to D by a reducing tensor copy. Sums are integers, so
// that their order does not matter.
// targets: compute_90a
#include "../device/hopper.cuh"
#include <cuda_bf16.h>

constexpr int TILE_N = 32, TILE_K = 64;

static __device__ __forceinline__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b) {
    asm volatile(ALWAYS "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 " NAMES_16 ", %16, %17, p, 1, 1, 0, 0;}"
                 : SIXTEEN("+f", d) : "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_split_k(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, const __grid_constant__ CUtensorMap map_d) {
    __shared__ alignas(1024) __nv_bfloat16 tile_a[64 * TILE_K];
    __shared__ alignas(1024) __nv_bfloat16 tile_b[TILE_N * TILE_K];
    __shared__ alignas(128) float results[64 * TILE_N];
    __shared__ Barrier full;
    if (threadIdx.x == 0) {
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map_a));
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map_b));
        initialise(&full, 1);
        publish_barriers();
        arrive_expecting(&full, sizeof tile_a + sizeof tile_b);
        load_tile(tile_a, &map_a, blockIdx.z * TILE_K, blockIdx.y * 64, &full);
        load_tile(tile_b, &map_b, blockIdx.z * TILE_K, blockIdx.x * TILE_N, &full);
    }
    __syncthreads();
    wait(&full, 0);
    float sums[16] = {};
    // The compiler must not move the zeros behind the fence, which does not name them.
#pragma unroll
    for (int i = 0; i < 16; i++) asm volatile("" : "+f"(sums[i]));
    begin_group();
#pragma unroll
    for (int step = 0; step < TILE_K / 16; step++) {
        multiply(sums, descriptor<128>(shared_address(tile_a) + step * 32), descriptor<128>(shared_address(tile_b) + step * 32));
    }
    commit_group();
    wait_groups();
    for (int i = 0; i < 16; i++) results[row_of(i) * TILE_N + column_of(i)] = sums[i];
    async_proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];"
                     ::"l"(&map_d), "r"(blockIdx.x * TILE_N), "r"(blockIdx.y * 64), "r"(shared_address(results)) : "memory");
        finish_stores();
    }
}
