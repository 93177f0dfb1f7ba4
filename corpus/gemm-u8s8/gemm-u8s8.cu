// D = A * B on tensor cores: u8 by s8 with s32 sums that saturate. Tiles come through cp.async in three stages and reach the fragments through ldmatrix.
// A is m x k by rows, B is k x n by columns; m must be a multiple of 64, n of 32, k of 64.
// targets: compute_80 compute_90a compute_120a

using Element = signed char;
using Result = int;

constexpr int TILE_M = 64, TILE_N = 32, TILE_K = 64 / sizeof(Element);
constexpr int STEP_K = 32 / sizeof(Element);
constexpr int STAGES = 3;
constexpr int PITCH = 80;   // bytes a row: 16 more than its 64 keep ldmatrix free of bank conflicts

struct Stage {
    alignas(16) unsigned char a[TILE_M][PITCH];
    alignas(16) unsigned char b[TILE_N][PITCH];
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

static __device__ __forceinline__ void multiply(Result (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

static __device__ void load_stage(Stage &stage, const Element *a, const Element *b, int k, int first) {
    for (int chunk = threadIdx.x; chunk < TILE_M * 4; chunk += blockDim.x) {
        int row = chunk / 4, part = chunk % 4;
        copy_async(&stage.a[row][part * 16], a + row * k + first + part * (16 / sizeof(Element)));
    }
    for (int chunk = threadIdx.x; chunk < TILE_N * 4; chunk += blockDim.x) {
        int row = chunk / 4, part = chunk % 4;
        copy_async(&stage.b[row][part * 16], b + row * k + first + part * (16 / sizeof(Element)));
    }
}

extern "C" __global__ void __launch_bounds__(128) gemm_u8s8(const Element *a, const Element *b, Result *d, int n, int k) {
    __shared__ Stage stages[STAGES];
    a += blockIdx.y * TILE_M * k;
    b += blockIdx.x * TILE_N * k;
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int warp_row = warp / 2 * 32, warp_column = warp % 2 * 16;
    int tiles = k / TILE_K;
    Result sums[2][2][4] = {};

    for (int s = 0; s < STAGES - 1; s++) {
        if (s < tiles) load_stage(stages[s], a, b, k, s * TILE_K);
        asm volatile("cp.async.commit_group;");
    }
    for (int tile = 0; tile < tiles; tile++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        int next = tile + STAGES - 1;
        if (next < tiles) load_stage(stages[next % STAGES], a, b, k, next * TILE_K);
        asm volatile("cp.async.commit_group;");

        const Stage &stage = stages[tile % STAGES];
#pragma unroll
        for (int step = 0; step < TILE_K / STEP_K; step++) {
            unsigned fragment_a[2][4], fragment_b[4];
            for (int i = 0; i < 2; i++) {
                load_matrices(fragment_a[i], &stage.a[warp_row + i * 16 + lane % 16][step * 32 + lane / 16 * 16]);
            }
            load_matrices(fragment_b, &stage.b[warp_column + lane / 16 * 8 + lane % 8][step * 32 + lane / 8 % 2 * 16]);
            for (int i = 0; i < 2; i++) {
                multiply(sums[i][0], fragment_a[i], fragment_b[0], fragment_b[1]);
                multiply(sums[i][1], fragment_a[i], fragment_b[2], fragment_b[3]);
            }
        }
    }

    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            int row = blockIdx.y * TILE_M + warp_row + i * 16 + lane / 4;
            int column = blockIdx.x * TILE_N + warp_column + j * 8 + lane % 4 * 2;
            for (int half = 0; half < 2; half++) {
                d[(row + half * 8) * n + column] = sums[i][j][half * 2];
                d[(row + half * 8) * n + column + 1] = sums[i][j][half * 2 + 1];
            }
        }
    }
}
