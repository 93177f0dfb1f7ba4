// D = A * B on Hopper with A in registers: the threads bring B into shared memory themselves, in core matrices of eight rows of
// sixteen bytes, and make it visible to the asynchronous proxy.
// targets: compute_90a
using Word = unsigned;   // two bf16 numbers
using Result = float;

constexpr int TILE_N = 16, TILE_K = 64;
constexpr int ROW_WORDS = TILE_K / 2;

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// Core matrices that neighbour along k lie 128 bytes apart, those that neighbour along n a whole row of them.
static __device__ __forceinline__ unsigned long long descriptor(unsigned address) {
    return (address & 0x3ffff) >> 4 | (128ull >> 4) << 16 | (ROW_WORDS * 32ull >> 4) << 32;
}

static __device__ __forceinline__ void begin_group() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

static __device__ __forceinline__ void finish_group() {
    asm volatile("wgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;" ::: "memory");
}

static __device__ __forceinline__ void multiply(Result (&d)[8], const Word (&a)[4], unsigned long long b) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %8, 0;\n\t"
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
                 "{%0,%1,%2,%3,%4,%5,%6,%7}, {%9,%10,%11,%12}, %13, p, 1, 1, 0;}"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                   "+f"(d[6]), "+f"(d[7])
                 : "n"(1), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

extern "C" __global__ void __launch_bounds__(128) wgmma_bf16_registers(const Word *a, const Word *b, float *d, int n, int k) {
    __shared__ alignas(128) Word tile_b[TILE_N * ROW_WORDS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int pitch = k / 2;   // words
    a += (blockIdx.y * 64 + warp * 16 + lane / 4) * pitch + lane % 4;
    b += blockIdx.x * TILE_N * pitch;
    float sums[8] = {};
    for (int first = 0; first < pitch; first += ROW_WORDS) {
        for (int i = threadIdx.x; i < TILE_N * ROW_WORDS; i += blockDim.x) {
            int row = i / ROW_WORDS, word = i % ROW_WORDS;
            tile_b[row / 8 * 8 * ROW_WORDS + word / 4 * 32 + row % 8 * 4 + word % 4] = b[row * pitch + first + word];
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        Word fragment[TILE_K / 16][4];
#pragma unroll
        for (int step = 0; step < TILE_K / 16; step++) {
            for (int i = 0; i < 4; i++) fragment[step][i] = a[i % 2 * 8 * pitch + first + step * 8 + i / 2 * 4];
        }
        begin_group();
#pragma unroll
        for (int step = 0; step < TILE_K / 16; step++) multiply(sums, fragment[step], descriptor(shared_address(tile_b) + step * 256));
        finish_group();
        __syncthreads();
    }

    for (int i = 0; i < 8; i++) {
        int row = warp * 16 + lane / 4 + i / 2 % 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        d[(blockIdx.y * 64 + row) * n + blockIdx.x * TILE_N + column] = sums[i];
    }
}
