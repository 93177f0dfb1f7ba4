// Repaired: a warp that is not full counts, too.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}

extern "C" __global__ void mbarrier_of_no_arrivals(int *out) {
    __shared__ __align__(8) unsigned long long barrier;
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(place(&barrier)), "r"((blockDim.x + 31) / 32) : "memory");
    __syncthreads();
    if (t % 32 == 0) asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(place(&barrier)) : "memory");
    wait(place(&barrier), 0);
    out[t] = 1;
}
