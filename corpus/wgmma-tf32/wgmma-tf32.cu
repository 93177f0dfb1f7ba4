// D = A * B on Hopper, both operands in shared memory without swizzle: tf32 with f32 sums.
// targets: compute_90a
using Word = unsigned;   // one element
using Result = float;

constexpr int TILE_N = 8, STEPS = 2;
constexpr int WORDS_A = 8 * STEPS, WORDS_B = 8 * STEPS;   // words a row and tile

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Core matrices (eight rows of sixteen bytes) that neighbour along k lie 128 bytes apart, those along m or n a whole row of them.
static __device__ __forceinline__ unsigned long long descriptor(unsigned address, int words) {
    return (address & 0x3ffff) >> 4 | (128ull >> 4) << 16 | (words * 32ull >> 4) << 32;
}

static __device__ void load_tile(Word *tile, const Word *from, int rows, int words, int pitch) {
    for (int i = threadIdx.x; i < rows * words; i += blockDim.x) {
        int row = i / words, word = i % words;
        tile[row / 8 * 8 * words + word / 4 * 32 + row % 8 * 4 + word % 4] = from[row * pitch + word];
    }
}

static __device__ __forceinline__ void begin_group() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

static __device__ __forceinline__ void finish_group() {
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
}

static __device__ __forceinline__ void multiply(Result (&d)[4], unsigned long long a, unsigned long long b) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %4, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 "
                 "{%0,%1,%2,%3}, %5, %6, p, 1, 1;}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "n"(1), "l"(a), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128) wgmma_tf32(const Word *a, const Word *b, Result *d, int n, int pitch_a, int pitch_b) {
    __shared__ alignas(128) Word tile_a[64 * WORDS_A];
    __shared__ alignas(128) Word tile_b[TILE_N * WORDS_B];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    a += blockIdx.y * 64 * pitch_a;
    b += blockIdx.x * TILE_N * pitch_b;
    Result sums[4] = {};
    for (int tile = 0; tile < pitch_a / WORDS_A; tile++) {
        load_tile(tile_a, a + tile * WORDS_A, 64, WORDS_A, pitch_a);
        load_tile(tile_b, b + tile * WORDS_B, TILE_N, WORDS_B, pitch_b);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        unsigned at_a = shared_address(tile_a), at_b = shared_address(tile_b);
        begin_group();
        for (int step = 0; step < STEPS; step++) multiply(sums, descriptor(at_a + step * 256, WORDS_A), descriptor(at_b + step * 256, WORDS_B));
        finish_group();
        __syncthreads();
    }

    for (int i = 0; i < 4; i++) {
        int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        d[(blockIdx.y * 64 + row) * n + blockIdx.x * TILE_N + column] = sums[i];
    }
}
