// Softmax over the rows of a matrix, one block a row, the row held in registers between the three passes.
// targets: compute_80 compute_90a compute_120a
// flags: -lineinfo
#include <cmath>

constexpr unsigned ALL_LANES = 0xffffffff;
constexpr int THREADS = 128, PER_THREAD = 4;

template <typename Operation>
__device__ float block_reduce(float value, float *scratch, Operation operation) {
    for (int distance = 16; distance > 0; distance /= 2) value = operation(value, __shfl_xor_sync(ALL_LANES, value, distance));
    __syncthreads();
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = value;
    __syncthreads();
    value = scratch[0];
    for (int warp = 1; warp < THREADS / 32; warp++) value = operation(value, scratch[warp]);
    return value;
}

extern "C" __global__ void softmax_fused(const float *in, float *out, int columns) {
    __shared__ float scratch[THREADS / 32];
    in += blockIdx.x * columns;
    out += blockIdx.x * columns;
    float values[PER_THREAD], highest = -INFINITY, sum = 0;
#pragma unroll
    for (int i = 0; i < PER_THREAD; i++) {
        int column = i * THREADS + threadIdx.x;
        values[i] = column < columns ? in[column] : -INFINITY;
        highest = fmaxf(highest, values[i]);
    }
    highest = block_reduce(highest, scratch, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll
    for (int i = 0; i < PER_THREAD; i++) {
        values[i] = __expf(values[i] - highest);
        sum += values[i];
    }
    sum = block_reduce(sum, scratch, [](float a, float b) { return a + b; });
#pragma unroll
    for (int i = 0; i < PER_THREAD; i++) {
        int column = i * THREADS + threadIdx.x;
        if (column < columns) out[column] = __fdividef(values[i], sum);
    }
}
