// D = A * B from packed matrices: ldmatrix unpacks e2m1 (sixteen elements in 8 bytes) and e2m3 (sixteen in 12) to a byte each on the
// way to their fragments, and turns 8-bit matrices over; stmatrix writes a transposed tile of bytes.
// targets: compute_120a
#include "../device/hopper.cuh"

constexpr int STEP = 32;

#define MULTIPLY(TYPES)                                                                                                       \
    asm("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32." TYPES ".f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
        : FOUR("+f", d, 0) : FOUR("r", a, 0), "r"(b[0]), "r"(b[1]))

/// Rows of sixteen elements lie at multiples of sixteen bytes. Lane i points at a row: 0-7 and 8-15 of A along m, then the same 16
/// columns further.
#define UNPACK4(TYPE, a, pointer)                                                                                        \
    asm volatile("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16." TYPE " {%0,%1,%2,%3}, [%4];"                             \
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3]) : "r"(shared_address(pointer)))
#define UNPACK2(TYPE, b, pointer) \
    asm volatile("ldmatrix.sync.aligned.m8n16.x2.shared.b8x16." TYPE " {%0,%1}, [%2];" : "=r"(b[0]), "=r"(b[1]) : "r"(shared_address(pointer)))

/// `rows` and `columns` hold units of sixteen bytes: sixteen elements along k and their padding.
template <bool SIX_BITS>
static __device__ void product(const uint4 *rows, const uint4 *columns, float *out, int n, int k) {
    __shared__ uint4 tile_a[2][16], tile_b[2][8];   // by half of the step
    int lane = threadIdx.x, units = k / 16;
    float d[4] = {};
    for (int step = 0; step < k / STEP; step++) {
        tile_a[lane / 16][lane % 16] = rows[lane % 16 * units + step * 2 + lane / 16];
        if (lane < 16) tile_b[lane / 8][lane % 8] = columns[(blockIdx.x * 8 + lane % 8) * units + step * 2 + lane / 8];
        __syncwarp();
        Word a[4], b[2];
        if (SIX_BITS) {
            UNPACK4("b6x16_p32", a, &tile_a[lane / 16][lane % 16]);
            UNPACK2("b6x16_p32", b, &tile_b[lane / 8 % 2][lane % 8]);
            MULTIPLY("e2m3.e2m3");
        } else {
            UNPACK4("b4x16_p64", a, &tile_a[lane / 16][lane % 16]);
            UNPACK2("b4x16_p64", b, &tile_b[lane / 8 % 2][lane % 8]);
            MULTIPLY("e2m1.e2m1");
        }
        __syncwarp();
    }
    for (int i = 0; i < 4; i++) out[(lane / 4 + i / 2 * 8) * n + blockIdx.x * 8 + lane % 4 * 2 + i % 2] = d[i];
}

extern "C" __global__ void packed_e2m1(const uint4 *a, const uint4 *b, float *d, int n, int k) { product<false>(a, b, d, n, k); }
extern "C" __global__ void packed_e2m3(const uint4 *a, const uint4 *b, float *d, int n, int k) { product<true>(a, b, d, n, k); }

/// B lies by rows (k x n bytes): two matrices of sixteen rows, transposed on the way, are the fragments of two tiles of eight columns.
/// The product leaves as bytes of s8, transposed by stmatrix.
extern "C" __global__ void transposed_s8(const Word *rows, const uint4 *columns, uint4 *out, int k) {
    __shared__ uint4 tile_b[STEP], tile_d[16];
    int lane = threadIdx.x, g = lane / 4, t = lane % 4, words = k / 4;
    int sums[2][4] = {};
    for (int step = 0; step < k / STEP; step++) {
        tile_b[lane] = columns[step * STEP + lane];
        __syncwarp();
        Word a[4], b[4];
        for (int i = 0; i < 4; i++) a[i] = rows[(g + i % 2 * 8) * words + step * 8 + t + i / 2 * 4];
        asm volatile("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%0,%1,%2,%3}, [%4];"
                     : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3]) : "r"(shared_address(&tile_b[lane])));
        for (int half = 0; half < 2; half++) {
            int *d = sums[half];
            asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                : FOUR("+r", d, 0) : FOUR("r", a, 0), "r"(b[half]), "r"(b[2 + half]));
        }
        __syncwarp();
    }
    // a lane's word holds the accumulators of its place: they go to the rows of the transposed tile
    for (int half = 0; half < 2; half++) {
        Word packed = 0;
        for (int i = 0; i < 4; i++) packed |= (sums[half][i] & 255) << 8 * i;
        asm volatile("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%0], {%1};" ::"r"(shared_address(&tile_d[half * 8 + lane % 8])), "r"(packed) : "memory");
    }
    __syncwarp();
    if (lane < 16) out[lane] = tile_d[lane];
}
