// Broken: four floats are read at once from an address that is a multiple of four bytes only.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void misaligned(const float *in, float *out, int offset) {
    float4 four = *reinterpret_cast<const float4 *>(in + threadIdx.x * 4 + offset);
    out[threadIdx.x] = four.x + four.y + four.z + four.w;
}
