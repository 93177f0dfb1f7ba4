// The approximate f32 instructions: ex2, lg2, sin, cos, rcp, rsqrt, sqrt, tanh and division, and what --use_fast_math makes of C++.
// targets: compute_80 compute_90a compute_120a
// flags: --use_fast_math
constexpr int RESULTS = 14;

extern "C" __global__ void fast_math(const float *values, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float x = values[i], positive = fabsf(x) + 0.25f, tangent;
    asm("tanh.approx.f32 %0, %1;" : "=f"(tangent) : "f"(x));
    float *results = out + i * RESULTS;
    results[0] = exp2f(x);
    results[1] = __log2f(positive + 1);
    results[2] = __sinf(positive * 0.25f);
    results[3] = __cosf(x * 0.1f);
    results[4] = __frcp_rn(positive);
    results[5] = rsqrtf(positive);
    results[6] = sqrtf(positive);
    results[7] = tangent;
    results[8] = __fdividef(x, positive);
    results[9] = expf(x);
    results[10] = logf(positive + 1);
    results[11] = powf(positive, 1.5f);
    // A plain sum would leave it to the assembler whether to fuse it with the product inside the division.
    results[12] = __fadd_rn(positive / 3.0f, 1.0f / positive);
    results[13] = __saturatef(x * 0.125f + 0.5f);
}
