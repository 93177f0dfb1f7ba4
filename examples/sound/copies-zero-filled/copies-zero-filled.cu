// cp.async of no bytes from behind the end of a buffer: zeros are filled in, nothing is read.
// targets: compute_80
// flags: -lineinfo
extern "C" __global__ void copies_zero_filled(const int4 *in, int4 *out, int count) {
    __shared__ int4 tile[64];
    unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
    int bytes = threadIdx.x < count ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(place), "l"(in + threadIdx.x), "r"(bytes) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}
