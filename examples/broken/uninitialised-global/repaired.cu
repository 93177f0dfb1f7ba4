// Repaired: the output is set, not added to.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void uninitialised_global(const float *in, float *out) {
    out[threadIdx.x] = in[threadIdx.x];
}
