// Block-scaled products of e2m1: mxf4 (a ue8m0 scale for 32 elements), mxf4nvf4 with the same scales, and both kinds with a
// structured-sparse A, whose scales stand for twice as many elements.
// targets: compute_120a
#include "../device/hopper.cuh"

struct Fragments {
    Word a[4], b[4];
};

#define DENSE(KIND, STYPE)                                                                                                          \
    asm("mma.sync.aligned.m16n8k64.row.col.kind::" KIND ".block_scale.scale_vec::2X.f32.e2m1.e2m1.f32." STYPE                       \
        " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {%12, 0}, {%11}, {%12, 0};"                                  \
        : FOUR("+f", d, 0) : FOUR("r", f.a, 0), "r"(f.b[0]), "r"(f.b[1]), "r"(scale_a), "r"(scale_b), "n"(BYTE))

#define SPARSE(KIND, VECTOR, STYPE)                                                                                                 \
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::" KIND ".block_scale.scale_vec::" VECTOR ".f32.e2m1.e2m1.f32." STYPE \
        " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0, {%13}, {0, 0}, {%14}, {0, 0};"                      \
        : FOUR("+f", d, 0) : FOUR("r", f.a, 0), FOUR("r", f.b, 0), "r"(e), "r"(scale_a), "r"(scale_b))

template <int KIND, int BYTE>
static __device__ void multiply(float (&d)[4], const Fragments &f, Word scale_a, Word scale_b) {
    if (KIND == 0) DENSE("mxf4", "ue8m0");
    else DENSE("mxf4nvf4", "ue8m0");
}

template <int KIND>
static __device__ void multiply_sparse(float (&d)[4], const Fragments &f, Word e, Word scale_a, Word scale_b) {
    if (KIND == 0) SPARSE("mxf4", "2X", "ue8m0");
    else SPARSE("mxf4nvf4", "4X", "ue4m3");
}

static __device__ void store(float *d, const float (&sums)[4], int n) {
    for (int i = 0; i < 4; i++) d[(threadIdx.x / 4 + i / 2 * 8) * n + blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2] = sums[i];
}

/// A word of four scales for each row (or column) serves two steps: bytes 0 and 1, then 2 and 3.
template <int KIND>
static __device__ void dense(const Word *a, const Word *b, const Word *scales_a, const Word *scales_b, float *d, int n, int words) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, pairs = words / 16;
    float sums[4] = {};
    for (int pair = 0; pair < pairs; pair++) {
        Word scale_a = scales_a[(g + lane % 2 * 8) * pairs + pair], scale_b = scales_b[(blockIdx.x * 8 + g) * pairs + pair];
        Fragments f[2];
        for (int step = 0; step < 2; step++) {
            int first = (pair * 2 + step) * 8 + t;
            for (int i = 0; i < 4; i++) f[step].a[i] = a[(g + i % 2 * 8) * words + first + i / 2 * 4];
            for (int i = 0; i < 2; i++) f[step].b[i] = b[(blockIdx.x * 8 + g) * words + first + i * 4];
        }
        multiply<KIND, 0>(sums, f[0], scale_a, scale_b);
        multiply<KIND, 2>(sums, f[1], scale_a, scale_b);
    }
    store(d, sums, n);
}

/// A word of scales for each row (or column) and step of 128; `words` are those of a row of B.
template <int KIND>
static __device__ void sparse(const Word *a, const Word *b, const Word *metadata, const Word *scales_a, const Word *scales_b, float *d, int n, int words) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, steps = words / 16;
    float sums[4] = {};
    for (int step = 0; step < steps; step++) {
        Fragments f;
        for (int i = 0; i < 4; i++) {
            f.a[i] = a[(g + i % 2 * 8) * words / 2 + step * 8 + t + i / 2 * 4];
            f.b[i] = b[(blockIdx.x * 8 + g) * words + step * 16 + t + i * 4];
        }
        multiply_sparse<KIND>(sums, f, metadata[step * 32 + lane], scales_a[(g + lane % 2 * 8) * steps + step], scales_b[(blockIdx.x * 8 + g) * steps + step]);
    }
    store(d, sums, n);
}

#define DENSE_KERNEL(NAME, KIND)                                                                                                      \
    extern "C" __global__ void NAME(const Word *a, const Word *b, const Word *scales_a, const Word *scales_b, float *d, int n, int words) { \
        dense<KIND>(a, b, scales_a, scales_b, d, n, words);                                                                           \
    }
#define SPARSE_KERNEL(NAME, KIND)                                                                                                     \
    extern "C" __global__ void NAME(const Word *a, const Word *b, const Word *metadata, const Word *scales_a, const Word *scales_b, float *d, int n, \
                                    int words) {                                                                                      \
        sparse<KIND>(a, b, metadata, scales_a, scales_b, d, n, words);                                                                \
    }
DENSE_KERNEL(dense_mxf4, 0)
DENSE_KERNEL(dense_nvf4, 1)
SPARSE_KERNEL(sparse_mxf4, 0)
SPARSE_KERNEL(sparse_nvf4, 1)
