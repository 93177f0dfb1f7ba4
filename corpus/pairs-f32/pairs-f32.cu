// Arithmetic on pairs of f32 in one register of 64 bits (add, sub, mul, fma; four roundings, with and without flushing), and min and
// max of three numbers.
// targets: compute_120a
#include "../device/hopper.cuh"

constexpr int PAIRS = 12, SINGLES = 8;

#define TWO(i, OPERATION) asm(OPERATION ".f32x2 %0, %1, %2;" : "=l"(pairs[i]) : "l"(x), "l"(y))
#define FUSED(i, OPERATION) asm(OPERATION ".f32x2 %0, %1, %2, %3;" : "=l"(pairs[i]) : "l"(x), "l"(y), "l"(z))
#define THREE(i, OPERATION) asm(OPERATION ".f32 %0, %1, %2, %3;" : "=f"(singles[i]) : "f"(a), "f"(b), "f"(c))

extern "C" __global__ void pairs_f32(const unsigned long long *values, unsigned long long *out, float *extremes, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    unsigned long long x = values[i * 3], y = values[i * 3 + 1], z = values[i * 3 + 2], *pairs = out + i * PAIRS;
    float *singles = extremes + i * SINGLES, a = __uint_as_float(x), b = __uint_as_float(y), c = __uint_as_float(z);
    TWO(0, "add.rn");
    TWO(1, "add.rz");
    TWO(2, "add.rm.ftz");
    TWO(3, "sub.rp");
    TWO(4, "sub.rn.ftz");
    TWO(5, "mul.rn");
    TWO(6, "mul.rm");
    TWO(7, "mul.rn.ftz");
    FUSED(8, "fma.rn");
    FUSED(9, "fma.rz");
    FUSED(10, "fma.rp");
    FUSED(11, "fma.rn.ftz");
    THREE(0, "min");
    THREE(1, "max");
    THREE(2, "min.ftz");
    THREE(3, "max.NaN");
    THREE(4, "min.abs");
    THREE(5, "max.ftz.abs");
    THREE(6, "min.NaN");
    THREE(7, "max.NaN.abs");
}
