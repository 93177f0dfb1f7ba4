// A matrix product on tensor cores with its epilogue: D = relu(A * B + bias), bf16 in and out, sums in f32.
// targets: compute_80
// flags: -lineinfo
//
// A is m x k by rows, B is k x n by columns, the bias belongs to columns. m and n must be multiples of 64, k of 32.
//
// A block of four warps makes a tile of 64 x 64, each warp 32 x 32. Tiles come through cp.async in four stages and reach the
// fragments through ldmatrix. The finished tile goes through shared memory once more, so that rows leave in pieces of sixteen bytes.
#include <cuda_bf16.h>

constexpr int TILE = 64, TILE_K = 32, STAGES = 4;
constexpr int ROW_BYTES = TILE_K * 2;                 // four chunks of sixteen bytes
constexpr int OUT_PITCH = TILE + 8;                   // elements

/// A chunk stands crossed with its row, so that the eight rows that ldmatrix reads at a time fall on different banks.
struct Stage {
    alignas(16) unsigned char a[TILE * ROW_BYTES];
    alignas(16) unsigned char b[TILE * ROW_BYTES];

    static __device__ int place(int row, int chunk) { return row * ROW_BYTES + (chunk ^ (row / 2 & 3)) * 16; }
};

union Shared {
    Stage stages[STAGES];
    alignas(16) __nv_bfloat16 out[TILE][OUT_PITCH];
};

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

static __device__ __forceinline__ void copy_async(void *to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from));
}

static __device__ __forceinline__ void load_matrices(unsigned (&r)[4], const void *row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)));
}

static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

static __device__ void load(Stage &stage, const __nv_bfloat16 *a, const __nv_bfloat16 *b, int k, int tile) {
#pragma unroll
    for (int i = threadIdx.x; i < TILE * 4; i += 128) {
        int row = i / 4, chunk = i % 4, from = row * k + tile * TILE_K + chunk * 8;
        copy_async(stage.a + Stage::place(row, chunk), a + from);
        copy_async(stage.b + Stage::place(row, chunk), b + from);
    }
}

extern "C" __global__ void __launch_bounds__(128)
    dense_gemm_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, const float *bias, __nv_bfloat16 *d, int n, int k) {
    __shared__ Shared shared;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int warp_row = warp / 2 * 32, warp_column = warp % 2 * 32;
    int tiles = k / TILE_K;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE * k;

    float sums[2][4][4] = {};
    for (int tile = 0; tile < STAGES - 1; tile++) {
        if (tile < tiles) load(shared.stages[tile], a, b, k, tile);
        asm volatile("cp.async.commit_group;");
    }
    for (int tile = 0; tile < tiles; tile++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        int next = tile + STAGES - 1;
        if (next < tiles) load(shared.stages[next % STAGES], a, b, k, next);
        asm volatile("cp.async.commit_group;");
        const Stage &stage = shared.stages[tile % STAGES];
#pragma unroll
        for (int step = 0; step < 2; step++) {
            unsigned fragment_a[2][4];
#pragma unroll
            for (int i = 0; i < 2; i++) {
                load_matrices(fragment_a[i], stage.a + Stage::place(warp_row + i * 16 + lane % 16, step * 2 + lane / 16));
            }
#pragma unroll
            for (int j = 0; j < 2; j++) {   // sixteen columns at a time
                unsigned fragment_b[4];
                load_matrices(fragment_b, stage.b + Stage::place(warp_column + j * 16 + lane / 16 * 8 + lane % 8, step * 2 + lane / 8 % 2));
#pragma unroll
                for (int i = 0; i < 2; i++) {
                    multiply(sums[i][j * 2], fragment_a[i], fragment_b[0], fragment_b[1]);
                    multiply(sums[i][j * 2 + 1], fragment_a[i], fragment_b[2], fragment_b[3]);
                }
            }
        }
    }
    asm volatile("cp.async.wait_all;");
    __syncthreads();   // the stages' memory now holds the tile of D

#pragma unroll
    for (int i = 0; i < 2; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int row = warp_row + i * 16 + lane / 4, column = warp_column + j * 8 + lane % 4 * 2;
            float2 own = *reinterpret_cast<const float2 *>(&bias[blockIdx.x * TILE + column]);
#pragma unroll
            for (int half = 0; half < 2; half++) {
                float x = fmaxf(sums[i][j][half * 2] + own.x, 0.0f), y = fmaxf(sums[i][j][half * 2 + 1] + own.y, 0.0f);
                *reinterpret_cast<__nv_bfloat162 *>(&shared.out[row + half * 8][column]) = __floats2bfloat162_rn(x, y);
            }
        }
    }
    __syncthreads();
#pragma unroll
    for (int i = threadIdx.x; i < TILE * TILE / 8; i += 128) {
        int row = i / 8, column = i % 8 * 8;
        uint4 eight = *reinterpret_cast<const uint4 *>(&shared.out[row][column]);
        *reinterpret_cast<uint4 *>(&d[(blockIdx.y * TILE + row) * n + blockIdx.x * TILE + column]) = eight;
    }
}
