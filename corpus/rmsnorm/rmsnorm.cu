// Root-mean-square normalisation of bf16 rows with 16-byte loads and stores, sums in f32.
// targets: compute_80 compute_90a compute_120a
#include <cuda_bf16.h>

extern "C" __global__ void rmsnorm(const uint4 *in, const uint4 *weights, uint4 *out, int vectors) {
    __shared__ float partial[32];
    in += blockIdx.x * vectors;
    out += blockIdx.x * vectors;
    float sum = 0;
    for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
        uint4 eight = in[i];
        const auto *pairs = reinterpret_cast<const __nv_bfloat162 *>(&eight);
        for (int k = 0; k < 4; k++) {
            float2 pair = __bfloat1622float2(pairs[k]);
            sum = fmaf(pair.x, pair.x, fmaf(pair.y, pair.y, sum));
        }
    }
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int warp = 0; warp < blockDim.x / 32; warp++) sum += partial[warp];
    float factor = __frsqrt_rn(__fdiv_rn(sum, float(vectors * 8)));
    for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
        uint4 eight = in[i], weight = weights[i];
        auto *pairs = reinterpret_cast<__nv_bfloat162 *>(&eight);
        const auto *weight_pairs = reinterpret_cast<const __nv_bfloat162 *>(&weight);
        for (int k = 0; k < 4; k++) {
            float2 pair = __bfloat1622float2(pairs[k]);
            pairs[k] = __hmul2(__floats2bfloat162_rn(pair.x * factor, pair.y * factor), weight_pairs[k]);
        }
        out[i] = eight;
    }
}
