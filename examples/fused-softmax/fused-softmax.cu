// Scale, causal mask and softmax of attention scores in one kernel: f16 in and out, one warp a row.
// targets: compute_80
// flags: -lineinfo
//
// `scores` holds for each head a square of size x size; row r may look at columns 0 to r alone, the rest becomes zero. size must be a
// multiple of 8 and at most 1024. A row stays in registers between its maximum, its sum and its store: memory is read once.
#include <cmath>
#include <cuda_fp16.h>

constexpr unsigned ALL_LANES = 0xffffffff;
constexpr float LOG2_E = 1.4426950408889634f;
constexpr int CHUNKS = 4;   // of eight elements a lane: 1024 columns

extern "C" __global__ void __launch_bounds__(128) fused_softmax(const __half *scores, __half *weights, int size, float scale) {
    int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= size) return;
    int first = (blockIdx.y * size + row) * size;
    float values[CHUNKS][8], highest = -INFINITY, sum = 0;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        int column = (i * 32 + lane) * 8;
        uint4 eight = column <= row ? *reinterpret_cast<const uint4 *>(&scores[first + column]) : uint4{};
        const __half2 *pairs = reinterpret_cast<const __half2 *>(&eight);
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float value = __half2float(k % 2 == 0 ? __low2half(pairs[k / 2]) : __high2half(pairs[k / 2]));
            values[i][k] = column + k <= row ? value * scale * LOG2_E : -INFINITY;
            highest = fmaxf(highest, values[i][k]);
        }
    }
    for (int distance = 16; distance > 0; distance /= 2) highest = fmaxf(highest, __shfl_xor_sync(ALL_LANES, highest, distance));
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            values[i][k] = exp2f(values[i][k] - highest);
            sum += values[i][k];
        }
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(ALL_LANES, sum, distance);
    float factor = 1 / sum;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        int column = (i * 32 + lane) * 8;
        if (column < size) {
            uint4 eight;
            __half2 *pairs = reinterpret_cast<__half2 *>(&eight);
#pragma unroll
            for (int k = 0; k < 4; k++) pairs[k] = __floats2half2_rn(values[i][2 * k] * factor, values[i][2 * k + 1] * factor);
            *reinterpret_cast<uint4 *>(&weights[first + column]) = eight;
        }
    }
}
