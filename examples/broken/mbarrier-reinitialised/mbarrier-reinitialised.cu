// Broken: each round initialises the mbarrier anew without ending it.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}

extern "C" __global__ void mbarrier_reinitialised(int *out) {
    __shared__ __align__(8) unsigned long long barrier;
    int t = threadIdx.x;
    for (int round = 0; round < 2; round++) {
        if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(place(&barrier)) : "memory");
        __syncthreads();
        asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(place(&barrier)) : "memory");
        wait(place(&barrier), 0);
        __syncthreads();
        // mbarrier.inval belongs here
    }
    out[t] = 1;
}
