// D = A * B on Hopper: tiles arrive by TMA with 128-byte swizzle, an mbarrier a stage counts their bytes, wgmma reads them in place.
// targets: compute_90a
// flags: -lineinfo
#include <cuda.h>
#include <cuda_fp16.h>

using Result = float;

constexpr int TILE_M = 64, TILE_N = 32, TILE_K = 64, STAGES = 2;
constexpr int STAGE_BYTES = (TILE_M + TILE_N) * TILE_K * sizeof(__half);

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// A tile whose rows are 128 swizzled bytes: groups of eight rows lie 1024 bytes apart.
static __device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    return (address & 0x3ffff) >> 4 | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}

static __device__ __forceinline__ void load_tile(void *to, const CUtensorMap *map, int column, int row, unsigned long long *full) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"(shared_address(to)), "l"(map), "r"(column), "r"(row), "r"(shared_address(full)) : "memory");
}

static __device__ __forceinline__ void wait(unsigned long long *full, unsigned parity) {
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(full)), "r"(parity) : "memory");
    }
}

static __device__ __forceinline__ void begin_group() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

static __device__ __forceinline__ void finish_group() {
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
}

static __device__ __forceinline__ void multiply(Result (&d)[16], unsigned long long a, unsigned long long b) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %16, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}, %17, %18, p, 1, 1, 0, 0;}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                   "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]),
                   "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
                 : "n"(1), "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128)
    wgmma_f16_tma(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float *d, int n, int k) {
    __shared__ alignas(1024) __half tile_a[STAGES][TILE_M * TILE_K];
    __shared__ alignas(1024) __half tile_b[STAGES][TILE_N * TILE_K];
    __shared__ alignas(8) unsigned long long full[STAGES];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, tiles = k / TILE_K;

    auto load = [&](int tile) {
        int stage = tile % STAGES;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&full[stage])), "r"(STAGE_BYTES) : "memory");
        load_tile(tile_a[stage], &map_a, tile * TILE_K, blockIdx.y * TILE_M, &full[stage]);
        load_tile(tile_b[stage], &map_b, tile * TILE_K, blockIdx.x * TILE_N, &full[stage]);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full[stage])) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int tile = 0; tile < STAGES && tile < tiles; tile++) load(tile);
    }

    float sums[16] = {};
    for (int tile = 0; tile < tiles; tile++) {
        int stage = tile % STAGES;
        wait(&full[stage], tile / STAGES & 1);
        begin_group();
#pragma unroll
        for (int step = 0; step < TILE_K / 16; step++) {
            multiply(sums, descriptor(shared_address(tile_a[stage]) + step * 32), descriptor(shared_address(tile_b[stage]) + step * 32));
        }
        finish_group();
        __syncthreads();
        if (threadIdx.x == 0 && tile + STAGES < tiles) load(tile + STAGES);
    }

    for (int i = 0; i < 16; i++) {
        int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        d[(blockIdx.y * 64 + row) * n + blockIdx.x * TILE_N + column] = sums[i];
    }
}
