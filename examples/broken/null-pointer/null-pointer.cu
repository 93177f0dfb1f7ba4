// Broken: an optional argument is null, and its use is not guarded.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void null_pointer(const float *in, const float *bias, float *out) {
    out[threadIdx.x] = in[threadIdx.x] + bias[threadIdx.x];
}
