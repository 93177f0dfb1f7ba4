// Conversions between the number formats with every rounding mode that the intrinsics have, saturation included.
// targets: compute_75 compute_80 compute_90a compute_120a
#include <cuda_fp16.h>

constexpr int INTEGERS = 18, FLOATS = 10;

extern "C" __global__ void conversions(const double *values, long long *integers, double *floats, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    double x = values[i];
    float y = __double2float_rn(x);
    long long *whole = integers + i * INTEGERS;
    whole[0] = __float2int_rn(y);
    whole[1] = __float2int_rz(y);
    whole[2] = __float2int_ru(y);
    whole[3] = __float2int_rd(y);
    whole[4] = __float2uint_rn(y);
    whole[5] = __double2int_rn(x);
    whole[6] = __double2int_ru(x);
    whole[7] = __double2uint_rz(x);
    whole[8] = __float2ll_rd(y);
    whole[9] = __double2ll_rn(x);
    whole[10] = __double2ull_rz(fabs(x));
    whole[11] = (signed char)__double2int_rz(x) + 256 * (unsigned char)__float2int_rz(y);
    whole[12] = (short)__float2int_rn(y);
    whole[13] = __half_as_ushort(__float2half_rn(y));
    whole[14] = __half_as_ushort(__float2half_rz(y));
    whole[15] = __half_as_ushort(__double2half(x));
    unsigned saturated;
    asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(saturated) : "f"(y));
    whole[16] = saturated;
    asm("cvt.sat.s16.s32 %0, %1;" : "=r"(saturated) : "r"(__double2int_rz(x)));
    whole[17] = short(saturated);
    double *real = floats + i * FLOATS;
    long long wide = (long long)(x * 1e9);
    real[0] = __double2float_rn(x);
    real[1] = __double2float_rz(x);
    real[2] = __double2float_ru(x);
    real[3] = __double2float_rd(x);
    real[4] = __ll2float_rn(wide);
    real[5] = __ll2double_rz((long long)((unsigned long long)wide * 4097));
    real[6] = __ull2float_ru((unsigned long long)wide * 3);
    real[7] = __int2float_rz(int(wide));
    real[8] = __uint2double_rn(unsigned(wide));
    real[9] = __half2float(__float2half_rn(y * 0.001f)) + rintf(y) + truncf(y) + floorf(y) + ceilf(y);
}
