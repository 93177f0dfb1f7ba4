// Blackwell's mixed 8-, 6- and 4-bit floats: A in e2m3 (low six bits of a byte), B in e2m1 (bits 5 to 2 of a byte); and e3m2 by e5m2.
// targets: compute_120a
template <int KIND>
static __device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#define TILE(types)                                                                                                         \
    asm("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32." types ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                                                    \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
    if (KIND == 0) TILE("e2m3.e2m1");
    if (KIND == 1) TILE("e3m2.e5m2");
#undef TILE
}

template <int KIND>
static __device__ void product(const unsigned *a, const unsigned *b, float *d, int n, int words) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    float sums[4] = {};
    for (int first = t; first < words; first += 8) {
        unsigned fragment_a[4], fragment_b[2];
        for (int i = 0; i < 4; i++) fragment_a[i] = a[(blockIdx.y * 16 + g + i % 2 * 8) * words + first + i / 2 * 4];
        for (int i = 0; i < 2; i++) fragment_b[i] = b[(blockIdx.x * 8 + g) * words + first + i * 4];
        multiply<KIND>(sums, fragment_a, fragment_b);
    }
    for (int i = 0; i < 4; i++) d[(blockIdx.y * 16 + g + i / 2 * 8) * n + blockIdx.x * 8 + t * 2 + i % 2] = sums[i];
}

extern "C" __global__ void mma_e2m3_e2m1(const unsigned *a, const unsigned *b, float *d, int n, int words) { product<0>(a, b, d, n, words); }
extern "C" __global__ void mma_e3m2_e5m2(const unsigned *a, const unsigned *b, float *d, int n, int words) { product<1>(a, b, d, n, words); }
