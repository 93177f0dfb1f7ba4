// A 2:4 sparse matrix product on tensor cores: D = A * B in s8 with s32 sums.
// targets: compute_80
// flags: -lineinfo
//
// A is m x k and structured-sparse: of every four elements in a row two may differ from zero. `a` holds those alone (m x k/2,
// by rows), `metadata` says where they stood. B is k x n, given by columns. m and n must be multiples of 64, k of 128.
//
// A block of four warps makes a tile of 64 x 64, each warp 32 x 32. Tiles of A, B and the metadata come through cp.async in three
// stages; ldmatrix brings them into fragments. The host has put the metadata words in the order in which lanes need them: for
// each 16 rows and each step of 64 along k stand the words of lanes 0 to 31, so that a warp reads 128 bytes in one piece.

using Element = signed char;
using Result = int;

constexpr int TILE_M = 64, TILE_N = 64, STAGES = 3;
constexpr int STEP_K = 64;                                    // k of one mma.sp.m16n8k64
constexpr int STEPS = 2;                                       // instructions along k in a tile
constexpr int TILE_K = STEPS * STEP_K;
constexpr int BYTES_A = TILE_K / 2 * sizeof(Element);          // a row of a tile: 64 bytes of A, four chunks of sixteen
constexpr int BYTES_B = TILE_K * sizeof(Element);              // 128 bytes of B, eight chunks
constexpr int WORDS_E = 64;                                    // metadata words for 16 rows of a tile
static_assert(BYTES_A == 64 && BYTES_B == 128);

/// One stage of the pipeline. A chunk of sixteen bytes stands crossed with its row, so that the eight rows that ldmatrix reads at a
/// time fall on different banks.
struct Stage {
    alignas(16) unsigned char a[TILE_M * BYTES_A];
    alignas(16) unsigned char b[TILE_N * BYTES_B];
    alignas(16) unsigned metadata[TILE_M / 16 * WORDS_E];

    __device__ unsigned char *chunk_a(int row, int chunk) { return a + row * BYTES_A + (chunk ^ (row / 2 & 3)) * 16; }
    __device__ unsigned char *chunk_b(int row, int chunk) { return b + row * BYTES_B + (chunk ^ (row & 7)) * 16; }
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

template <int SELECTOR>
static __device__ __forceinline__ void multiply(Result (&d)[4], const unsigned (&a)[4], const unsigned (&b)[4], unsigned e) {
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, %13;"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e), "n"(SELECTOR));
}

/// Starts the copies of tile `tile` along k.
static __device__ void load(Stage &stage, const Element *a, const Element *b, const unsigned *metadata, int k, int tile) {
#pragma unroll
    for (int i = threadIdx.x; i < TILE_M * 4; i += 128) {
        int row = i / 4, chunk = i % 4;
        copy_async(stage.chunk_a(row, chunk), a + row * (k / 2) + tile * (TILE_K / 2) + chunk * (16 / sizeof(Element)));
    }
#pragma unroll
    for (int i = threadIdx.x; i < TILE_N * 8; i += 128) {
        int row = i / 8, chunk = i % 8;
        copy_async(stage.chunk_b(row, chunk), b + row * k + tile * TILE_K + chunk * (16 / sizeof(Element)));
    }
    int i = threadIdx.x;
    if (i < TILE_M / 16 * WORDS_E / 4) {
        int rows = i / (WORDS_E / 4), chunk = i % (WORDS_E / 4);
        copy_async(&stage.metadata[i * 4], metadata + (rows * (k / TILE_K) + tile) * WORDS_E + chunk * 4);
    }
}

/// One instruction's worth of k for the 32 x 32 of a warp: two row tiles by four column tiles.
template <int STEP>
static __device__ __forceinline__ void multiply_step(Result (&sums)[2][4][4], Stage &stage, int warp_row, int warp_column, int lane) {
    unsigned a[2][4], e[2];
#pragma unroll
    for (int i = 0; i < 2; i++) {
        int row = warp_row + i * 16;
        load_matrices(a[i], stage.chunk_a(row + lane % 16, STEP * 2 + lane / 16));
        e[i] = stage.metadata[row / 16 * WORDS_E + STEP * 32 + lane];
    }
#pragma unroll
    for (int j = 0; j < 4; j++) {
        unsigned b[4];
        load_matrices(b, stage.chunk_b(warp_column + j * 8 + lane % 8, STEP * 4 + lane / 8));
        multiply<0>(sums[0][j], a[0], b, e[0]);
        multiply<0>(sums[1][j], a[1], b, e[1]);
    }
}

extern "C" __global__ void __launch_bounds__(128)
    sparse_gemm_s8(const Element *a, const unsigned *metadata, const Element *b, Result *d, int n, int k) {
    __shared__ Stage stages[STAGES];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int warp_row = warp / 2 * 32, warp_column = warp % 2 * 32;
    int tiles = k / TILE_K;
    a += blockIdx.y * TILE_M * (k / 2);
    b += blockIdx.x * TILE_N * k;
    metadata += blockIdx.y * (TILE_M / 16) * tiles * WORDS_E;

    Result sums[2][4][4] = {};
    for (int tile = 0; tile < STAGES - 1; tile++) {
        if (tile < tiles) load(stages[tile], a, b, metadata, k, tile);
        asm volatile("cp.async.commit_group;");
    }
    for (int tile = 0; tile < tiles; tile++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        int next = tile + STAGES - 1;
        if (next < tiles) load(stages[next % STAGES], a, b, metadata, k, next);
        asm volatile("cp.async.commit_group;");
        multiply_step<0>(sums, stages[tile % STAGES], warp_row, warp_column, lane);
        multiply_step<1>(sums, stages[tile % STAGES], warp_row, warp_column, lane);
    }

#pragma unroll
    for (int i = 0; i < 2; i++) {
#pragma unroll
        for (int j = 0; j < 4; j++) {
            int row = blockIdx.y * TILE_M + warp_row + i * 16 + lane / 4;
            int column = blockIdx.x * TILE_N + warp_column + j * 8 + lane % 4 * 2;
            *reinterpret_cast<int2 *>(&d[row * n + column]) = {sums[i][j][0], sums[i][j][1]};
            *reinterpret_cast<int2 *>(&d[(row + 8) * n + column]) = {sums[i][j][2], sums[i][j][3]};
        }
    }
}
