// Conversions to tf32, bf16 and, from sm_89 on, to pairs of 8-bit floats and back.
// targets: compute_80 compute_90a compute_120a
#include <cuda_bf16.h>
#include <cuda_fp8.h>

extern "C" __global__ void conversions_narrow(const float2 *values, unsigned *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float2 pair = values[i];
    unsigned *words = out + i * 6;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(words[0]) : "f"(pair.x));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(words[1]) : "f"(pair.x), "f"(pair.y));          // the first operand goes to the high half
    asm("cvt.rz.relu.bf16x2.f32 %0, %1, %2;" : "=r"(words[2]) : "f"(pair.x), "f"(pair.y));
    __nv_fp8x2_e4m3 small(pair);
    __nv_fp8x2_e5m2 coarse(pair);
    words[3] = small.__x;
    words[4] = coarse.__x;
    float2 back = static_cast<float2>(small);
    words[5] = __float_as_uint(back.x + 2 * back.y);
}
