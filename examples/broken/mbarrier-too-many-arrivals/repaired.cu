// Repaired: it arrives for 32.
// targets: compute_90a
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

extern "C" __global__ void mbarrier_too_many_arrivals(int *out) {
    __shared__ __align__(8) unsigned long long barrier;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(place(&barrier)) : "memory");
        asm volatile("{ .reg .b64 s; mbarrier.arrive.release.cta.shared.b64 s, [%0], 32; }" :: "r"(place(&barrier)) : "memory");
    }
    out[threadIdx.x] = 1;
}
