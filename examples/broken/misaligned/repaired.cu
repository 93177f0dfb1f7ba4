// Repaired: the offset is rounded down to a multiple of four elements.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void misaligned(const float *in, float *out, int offset) {
    float4 four = *reinterpret_cast<const float4 *>(in + threadIdx.x * 4 + offset / 4 * 4);
    out[threadIdx.x] = four.x + four.y + four.z + four.w;
}
