// Broken: the grid covers more than the array, and nothing keeps the last threads back. The last 28 threads of block 1 write
// past the end of `out`.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void out_of_bounds(const float *in, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < count ? in[i] : 0.0f;
    out[i] = 2 * value;
}
