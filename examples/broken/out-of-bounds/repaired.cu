// Repaired: threads behind the end store nothing.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void out_of_bounds(const float *in, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < count ? in[i] : 0.0f;
    if (i < count) out[i] = 2 * value;
}
