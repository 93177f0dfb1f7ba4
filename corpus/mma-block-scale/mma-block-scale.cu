// Block-scaled products of Blackwell: e4m3 with one ue8m0 scale for 32 elements, e2m1 with a ue4m3 scale for 16, and the first with
// a structured-sparse A. A word of four scales serves four steps along k in the first kernel, by its byte selector.
// targets: compute_120a
using Word = unsigned;

template <int BYTE>
static __device__ void multiply_e4m3(float (&d)[4], const Word (&a)[4], const Word (&b)[2], Word scale_a, Word scale_b) {
    asm("mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {%12, 0}, {%11}, {%12, 0};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(scale_a), "r"(scale_b), "n"(BYTE));
}

static __device__ void load(Word (&a)[4], Word (&b)[2], const Word *rows, const Word *columns, int words) {
    for (int i = 0; i < 4; i++) a[i] = rows[i % 2 * 8 * words + i / 2 * 4];
    for (int i = 0; i < 2; i++) b[i] = columns[i * 4];
}

static __device__ void store(float *d, const float (&sums)[4], int n) {
    for (int i = 0; i < 4; i++) d[(threadIdx.x / 4 + i / 2 * 8) * n + blockIdx.x * 8 + threadIdx.x % 4 * 2 + i % 2] = sums[i];
}

// scales: a byte for each row (or column) and step of k
extern "C" __global__ void scaled_e4m3(const Word *a, const Word *b, const Word *scales_a, const Word *scales_b, float *d, int n, int words) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    a += g * words + t;
    b += (blockIdx.x * 8 + g) * words + t;
    float sums[4] = {};
    for (int first = 0; first < words; first += 32) {
        // lanes 0 and 1 of each quad supply the scales of rows g and g + 8, lane 0 that of column g
        Word scale_a = scales_a[(g + lane % 2 * 8) * (words / 32) + first / 32], scale_b = scales_b[(blockIdx.x * 8 + g) * (words / 32) + first / 32];
        Word fragment_a[4], fragment_b[2];
        load(fragment_a, fragment_b, a + first, b + first, words);
        multiply_e4m3<0>(sums, fragment_a, fragment_b, scale_a, scale_b);
        load(fragment_a, fragment_b, a + first + 8, b + first + 8, words);
        multiply_e4m3<1>(sums, fragment_a, fragment_b, scale_a, scale_b);
        load(fragment_a, fragment_b, a + first + 16, b + first + 16, words);
        multiply_e4m3<2>(sums, fragment_a, fragment_b, scale_a, scale_b);
        load(fragment_a, fragment_b, a + first + 24, b + first + 24, words);
        multiply_e4m3<3>(sums, fragment_a, fragment_b, scale_a, scale_b);
    }
    store(d, sums, n);
}

// four scales, one word, for each row (or column) and step of 64 along k
extern "C" __global__ void scaled_e2m1(const Word *a, const Word *b, const Word *scales_a, const Word *scales_b, float *d, int n, int words) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    a += g * words + t;
    b += (blockIdx.x * 8 + g) * words + t;
    float sums[4] = {};
    for (int first = 0; first < words; first += 8) {
        Word scale_a = scales_a[(g + lane % 2 * 8) * (words / 8) + first / 8], scale_b = scales_b[(blockIdx.x * 8 + g) * (words / 8) + first / 8];
        Word fragment_a[4], fragment_b[2];
        load(fragment_a, fragment_b, a + first, b + first, words);
        asm("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3}, {%10}, {0, 0}, {%11}, {0, 0};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(fragment_a[0]), "r"(fragment_a[1]), "r"(fragment_a[2]), "r"(fragment_a[3]), "r"(fragment_b[0]), "r"(fragment_b[1]), "r"(scale_a), "r"(scale_b));
    }
    store(d, sums, n);
}

// A holds half of its elements; a word of scales for each row (or column) and step of 64 along k, of which the selectors take byte 2
// from the second pair of lanes (A) and byte 1 from the last lane (B)
extern "C" __global__ void scaled_sparse(const Word *a, const Word *b, const unsigned *metadata, const Word *scales_a, const Word *scales_b, float *d, int n, int words) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, steps = words / 16;
    float sums[4] = {};
    for (int step = 0; step < steps; step++) {
        Word scale_a = scales_a[(g + lane % 2 * 8) * steps + step], scale_b = scales_b[(blockIdx.x * 8 + g) * steps + step];
        Word fragment_a[4], fragment_b[4];
        for (int i = 0; i < 4; i++) {
            fragment_a[i] = a[(g + i % 2 * 8) * words / 2 + step * 8 + t + i / 2 * 4];
            fragment_b[i] = b[(blockIdx.x * 8 + g) * words + step * 16 + t + i * 4];
        }
        asm("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 "
            "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0, {%13}, {2, 1}, {%14}, {1, 3};"
            : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
            : "r"(fragment_a[0]), "r"(fragment_a[1]), "r"(fragment_a[2]), "r"(fragment_a[3]), "r"(fragment_b[0]), "r"(fragment_b[1]), "r"(fragment_b[2]),
              "r"(fragment_b[3]), "r"(metadata[step * 32 + lane]), "r"(scale_a), "r"(scale_b));
    }
    store(d, sums, n);
}
