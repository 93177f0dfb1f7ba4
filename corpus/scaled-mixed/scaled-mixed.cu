// Block-scaled products of unlike formats, as quantised models have them: e4m3 activations by e2m1 weights and e3m2 by e5m2, dense
// and with a structured-sparse left side; scales in the bytes and from the lanes that the selectors name.
// targets: compute_120a
#include "../device/hopper.cuh"

#define DENSE(TYPES)                                                                                                          \
    asm("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32." TYPES ".f32.ue8m0 "                               \
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {1, 1}, {%11}, {3, 2};"                                 \
        : FOUR("+f", d, 0) : FOUR("r", a, 0), "r"(b[0]), "r"(b[1]), "r"(scale_a), "r"(scale_b))
#define SPARSE(TYPES)                                                                                                         \
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.f32." TYPES ".f32.ue8m0 "          \
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0, {%13}, {1, 1}, {%14}, {3, 2};"                 \
        : FOUR("+f", d, 0) : FOUR("r", a, 0), FOUR("r", b, 0), "r"(e), "r"(scale_a), "r"(scale_b))
#define PLAIN_SPARSE(TYPES)                                                                                                   \
    asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32." TYPES ".f32 "                              \
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0;"                                               \
        : FOUR("+f", d, 0) : FOUR("r", a, 0), FOUR("r", b, 0), "r"(e))

/// Everything lies in bytes, one element each; `words` are those of a row of B. A scale has four bytes, of which the selectors take one.
template <int KIND>
static __device__ void product(const Word *rows, const Word *columns, const Word *metadata, const Word *scales_a, const Word *scales_b, float *out, int n, int words) {
    constexpr bool SPARSE_A = KIND >= 2;
    constexpr int STEP = SPARSE_A ? 16 : 8;
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, steps = words / STEP, pitch = SPARSE_A ? words / 2 : words;
    float d[4] = {};
    for (int step = 0; step < steps; step++) {
        Word a[4], b[4] = {}, e = SPARSE_A ? metadata[step * 32 + lane] : 0;
        for (int i = 0; i < 4; i++) a[i] = rows[(g + i % 2 * 8) * pitch + step * 8 + t + i / 2 * 4];
        for (int i = 0; i < STEP / 4; i++) b[i] = columns[(blockIdx.x * 8 + g) * words + step * STEP + t + i * 4];
        // thread-id 1: lanes 2 and 3 of a quad supply rows g and g + 8; thread-id 2: lane 2 supplies column g
        Word scale_a = scales_a[(g + lane % 2 * 8) * steps + step], scale_b = scales_b[(blockIdx.x * 8 + g) * steps + step];
        if (KIND == 0) DENSE("e4m3.e2m1");
        if (KIND == 1) DENSE("e3m2.e5m2");
        if (KIND == 2) SPARSE("e2m3.e4m3");
        if (KIND == 3) PLAIN_SPARSE("e5m2.e2m3");
    }
    for (int i = 0; i < 4; i++) out[(g + i / 2 * 8) * n + blockIdx.x * 8 + t * 2 + i % 2] = d[i];
}

#define KERNEL(NAME, KIND)                                                                                                            \
    extern "C" __global__ void NAME(const Word *a, const Word *b, const Word *metadata, const Word *scales_a, const Word *scales_b, float *d, int n, int words) { \
        product<KIND>(a, b, metadata, scales_a, scales_b, d, n, words);                                                               \
    }
KERNEL(scaled_e4m3_e2m1, 0)
KERNEL(scaled_e3m2_e5m2, 1)
KERNEL(scaled_sparse_e2m3_e4m3, 2)
KERNEL(sparse_e5m2_e2m3, 3)
