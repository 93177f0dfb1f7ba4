// Bits: counts, reversal, first set, byte permutation, funnel shifts, bit fields, three-input logic, shifts past the width.
// targets: compute_75 compute_80 compute_90a compute_120a
constexpr int RESULTS = 20;

extern "C" __global__ void bit_tricks(const unsigned *a, const unsigned *b, unsigned *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned x = a[i], y = b[i];
    unsigned long long wide = (unsigned long long)x << 32 | y;
    unsigned *results = out + i * RESULTS;
    results[0] = __popc(x);
    results[1] = __popcll(wide);
    results[2] = __brev(x);
    results[3] = __clz(x);
    results[4] = __clzll(wide);
    results[5] = __ffs(x);
    results[6] = __ffsll(wide);
    results[7] = __byte_perm(x, y, y >> 7);
    results[8] = __funnelshift_l(x, y, i);
    results[9] = __funnelshift_r(x, y, i);
    results[10] = __funnelshift_lc(x, y, i);
    results[11] = unsigned(__brevll(wide) >> 17);
    unsigned field, inserted, shifted_left, shifted_right, logic, least, sad;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(field) : "r"(x), "r"(y & 31), "r"(y >> 5 & 31));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(inserted) : "r"(x), "r"(y), "r"(x & 31), "r"(x >> 8 & 15));
    asm("shl.b32 %0, %1, %2;" : "=r"(shifted_left) : "r"(x), "r"(y & 63));         // a shift of 32 and more gives zero
    asm("shr.s32 %0, %1, %2;" : "=r"(shifted_right) : "r"(x), "r"(y >> 6 & 63));   // or the sign
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(logic) : "r"(x), "r"(y), "r"(i));
    asm("bfind.u32 %0, %1;" : "=r"(least) : "r"(y));
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(sad) : "r"(x), "r"(y), "r"(7));
    results[12] = field;
    results[13] = inserted;
    results[14] = shifted_left;
    results[15] = shifted_right;
    results[16] = logic;
    results[17] = least;
    results[18] = sad;
    results[19] = __vadd4(x, y) ^ __vabsdiffu2(x, y) ^ __vcmpgtu4(x, y);
}
