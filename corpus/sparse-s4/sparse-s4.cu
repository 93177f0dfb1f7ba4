// D = A * B with a structured-sparse A: s4 with s32 sums, two pairs of four kept, m16n8k64 and m16n8k128.
// One warp computes a tile of 16 x 8. A holds the kept elements, m x k/2 by rows; B is k x n by columns; one block of 32 metadata
// words serves as many instructions along k as the form has selectors.
// targets: compute_80 compute_90a compute_120a
using Word = unsigned;   // eight elements
using Result = int;

struct K64 {
    template <int SELECTOR>
    static __device__ void one(Result (&d)[4], const Word (&a)[2], const Word (&b)[2], unsigned e) {
        asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, %9;"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(e), "n"(SELECTOR));
    }
    static __device__ void all(Result (&d)[4], const Word (&a)[2][2], const Word (&b)[2][2], unsigned e) {
        one<0>(d, a[0], b[0], e);
        one<1>(d, a[1], b[1], e);
    }
};

struct K128 {
    template <int SELECTOR>
    static __device__ void one(Result (&d)[4], const Word (&a)[4], const Word (&b)[4], unsigned e) {
        asm("mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, %13;"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e), "n"(SELECTOR));
    }
    static __device__ void all(Result (&d)[4], const Word (&a)[1][4], const Word (&b)[1][4], unsigned e) {
        one<0>(d, a[0], b[0], e);
    }
};

template <typename Multiply, int WORDS, int SELECTORS>
static __device__ void sparse_tile(const Word *a, const Word *b, const unsigned *metadata, Result *d, int n, int a_pitch, int b_pitch) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    a += (blockIdx.y * 16 + g) * a_pitch + t;
    b += (blockIdx.x * 8 + g) * b_pitch + t;
    int blocks = a_pitch / (WORDS * 2 * SELECTORS);
    metadata += blockIdx.y * blocks * 32 + lane;
    Result sums[4] = {};
    for (int block = 0; block < blocks; block++) {
        unsigned e = metadata[block * 32];
        Word fragment_a[SELECTORS][WORDS], fragment_b[SELECTORS][WORDS];
#pragma unroll
        for (int selector = 0; selector < SELECTORS; selector++) {
            int step = block * SELECTORS + selector;
#pragma unroll
            for (int i = 0; i < WORDS; i++) {
                fragment_a[selector][i] = a[i % 2 * 8 * a_pitch + step * WORDS * 2 + i / 2 * 4];
                fragment_b[selector][i] = b[step * WORDS * 4 + i * 4];
            }
        }
        Multiply::all(sums, fragment_a, fragment_b, e);
    }
    for (int i = 0; i < 4; i++) d[(blockIdx.y * 16 + g + i / 2 * 8) * n + blockIdx.x * 8 + t * 2 + i % 2] = sums[i];
}

extern "C" __global__ void sparse_s4_k64(const Word *a, const Word *b, const unsigned *metadata, Result *d, int n, int a_pitch, int b_pitch) {
    sparse_tile<K64, 2, 2>(a, b, metadata, d, n, a_pitch, b_pitch);
}

extern "C" __global__ void sparse_s4_k128(const Word *a, const Word *b, const unsigned *metadata, Result *d, int n, int a_pitch, int b_pitch) {
    sparse_tile<K128, 4, 1>(a, b, metadata, d, n, a_pitch, b_pitch);
}
