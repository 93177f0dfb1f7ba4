// bf16 arithmetic, scalar and packed, and its conversions.
// targets: compute_80 compute_90a compute_120a
#include <cuda_bf16.h>

extern "C" __global__ void bf16_arithmetic(const __nv_bfloat162 *a, const __nv_bfloat162 *b, const __nv_bfloat162 *c, __nv_bfloat162 *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    __nv_bfloat162 x = a[i], y = b[i], z = c[i];
    __nv_bfloat162 *results = out + i * 8;
    results[0] = __hadd2(x, y);
    results[1] = __hmul2(x, y);
    results[2] = __hfma2(x, y, z);
    results[3] = __hfma2_relu(x, y, z);
    results[4] = __hmax2(x, y);
    results[5] = __hneg2(__habs2(x));
    float2 wide = __bfloat1622float2(x);
    results[6] = __floats2bfloat162_rn(fmaf(wide.x, 1.00390625f, 1.0f), wide.y * 3.0f);
    results[7] = __halves2bfloat162(__float2bfloat16_rz(wide.x * 1.0078125f), __float2bfloat16_rn(__bfloat162float(z.y) - wide.y));
}
