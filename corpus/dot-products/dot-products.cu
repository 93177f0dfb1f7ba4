// The integer dot products of four bytes and of two halves with two bytes, 24-bit products, and multiply-add with high halves.
// targets: compute_75 compute_80 compute_90a compute_120a
extern "C" __global__ void dot_products(const int *a, const int *b, int *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int x = a[i], y = b[i], *results = out + i * 12;
    results[0] = __dp4a(x, y, 7);
    results[1] = __dp4a(unsigned(x), unsigned(y), 9u);
    results[2] = __dp2a_lo(x, y, i);
    results[3] = __dp2a_hi(x, y, -i);
    results[4] = __dp2a_lo(unsigned(x), unsigned(y), 0u);
    results[5] = __mul24(x, y);
    results[6] = __umul24(x, y);
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(results[7]) : "r"(x), "r"(y), "r"(i));
    asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(results[8]) : "r"(x), "r"(y), "r"(i));
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(results[9]) : "r"(x), "r"(y), "r"(i));
    asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(results[10]) : "r"(x), "r"(y), "r"(0x7ffffff0));
    asm("{.reg .b16 p, q; cvt.u16.u32 p, %1; cvt.u16.u32 q, %2; mul.wide.s16 %0, p, q;}" : "=r"(results[11]) : "r"(x), "r"(y));
}
