// The narrow integers of mma: s4 and u4 (m16n8k64), single bits under exclusive or and under and (m16n8k256), one tile each.
// targets: compute_80 compute_90a compute_120a
template <int KIND>
static __device__ void multiply(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#define TILE(opcode)                                                                                              \
    asm(opcode " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                           \
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                                                          \
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
    if (KIND == 0) TILE("mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32");
    if (KIND == 1) TILE("mma.sync.aligned.m16n8k64.row.col.satfinite.s32.u4.s4.s32");
    if (KIND == 2) TILE("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc");
    if (KIND == 3) TILE("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc");
#undef TILE
}

template <int KIND>
static __device__ void tile(const unsigned *a, const unsigned *b, int *d) {
    int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    unsigned fragment_a[4], fragment_b[2];
    for (int i = 0; i < 4; i++) fragment_a[i] = a[(g + i % 2 * 8) * 8 + t + i / 2 * 4];
    for (int i = 0; i < 2; i++) fragment_b[i] = b[g * 8 + t + i * 4];
    int sums[4] = {KIND, KIND, KIND, KIND};
    multiply<KIND>(sums, fragment_a, fragment_b);
    for (int i = 0; i < 4; i++) d[KIND * 128 + (g + i / 2 * 8) * 8 + t * 2 + i % 2] = sums[i];
}

extern "C" __global__ void mma_integer(const unsigned *a, const unsigned *b, int *d) {
    tile<0>(a, b, d);
    tile<1>(a, b, d);
    tile<2>(a, b, d);
    tile<3>(a, b, d);
}
