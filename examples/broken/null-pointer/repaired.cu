// Repaired: a null pointer is not followed.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void null_pointer(const float *in, const float *bias, float *out) {
    out[threadIdx.x] = in[threadIdx.x] + (bias != nullptr ? bias[threadIdx.x] : 0.0f);
}
