// Repaired: the copy begins at the first element of a row.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void copy_misaligned(const float *in, float *out) {
    __shared__ float4 tile[32];
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(in + threadIdx.x * 4) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = tile[threadIdx.x].x;
}
