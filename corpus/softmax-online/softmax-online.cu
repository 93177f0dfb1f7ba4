// Softmax of f16 rows in one reading: every lane keeps a running maximum and a sum that it rescales when the maximum grows.
// targets: compute_80 compute_90a compute_120a
#include <cmath>
#include <cuda_fp16.h>

constexpr unsigned ALL_LANES = 0xffffffff;
constexpr float LOG2_E = 1.4426950408889634f;

extern "C" __global__ void softmax_online(const __half *in, __half *out, int rows, int columns) {
    int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows) return;
    in += row * columns;
    out += row * columns;
    float highest = -INFINITY, sum = 0;
    for (int column = lane; column < columns; column += 32) {
        float value = __half2float(in[column]) * LOG2_E, before = highest;
        highest = fmaxf(highest, value);
        sum = sum * exp2f(before - highest) + exp2f(value - highest);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        float other = __shfl_xor_sync(ALL_LANES, highest, distance), other_sum = __shfl_xor_sync(ALL_LANES, sum, distance);
        float both = fmaxf(highest, other);
        sum = sum * exp2f(highest - both) + other_sum * exp2f(other - both);
        highest = both;
    }
    for (int column = lane; column < columns; column += 32) {
        out[column] = __float2half_rn(exp2f(fmaf(__half2float(in[column]), LOG2_E, -highest)) / sum);
    }
}
