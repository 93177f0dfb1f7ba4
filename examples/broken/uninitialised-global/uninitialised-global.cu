// Broken: the kernel adds to its output, but the output was never set to zero.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void uninitialised_global(const float *in, float *out) {
    out[threadIdx.x] += in[threadIdx.x];
}
