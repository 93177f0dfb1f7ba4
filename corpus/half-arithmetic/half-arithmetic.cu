// f16 arithmetic, scalar and packed: rounding, fma, comparison, minimum and maximum, saturation, conversion.
// targets: compute_75 compute_80 compute_90a compute_120a
#include <cuda_fp16.h>

extern "C" __global__ void half_arithmetic(const __half2 *a, const __half2 *b, const __half2 *c, __half2 *out, int *integers, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    __half2 x = a[i], y = b[i], z = c[i];
    __half2 *results = out + i * 10;
    results[0] = __hadd2(x, y);
    results[1] = __hsub2(x, y);
    results[2] = __hmul2(x, y);
    results[3] = __hfma2(x, y, z);
    results[4] = __hfma2_sat(x, y, z);
    results[5] = __hneg2(__habs2(x));
    results[6] = __hgt2(x, y);                                     // 1.0 or 0.0
    results[7] = __lowhigh2highlow(__halves2half2(__hmin(__low2half(x), __low2half(y)), __hmax(__high2half(x), __high2half(y))));
    results[8] = __float22half2_rn(make_float2(__low2float(x) * 1.0009765625f, __high2float(y) * 0.33325195f));
    results[9] = __hadd2_sat(x, z);
    integers[i * 4] = __half2int_rn(__low2half(x));
    integers[i * 4 + 1] = __half2int_rz(__high2half(x));
    integers[i * 4 + 2] = __half2short_rd(__low2half(y));
    integers[i * 4 + 3] = __half_as_ushort(__int2half_rn(i * 4097 - 9999)) + __hbeq2(x, x) * 65536;
}
