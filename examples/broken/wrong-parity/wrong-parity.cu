// Broken: the wait asks for the phase before the first: it is over at once, and the data are not there.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}

extern "C" __global__ void wrong_parity(int *out) {
    __shared__ __align__(8) unsigned long long barrier;
    __shared__ int values[64];
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(place(&barrier)) : "memory");
    values[t] = 0;
    __syncthreads();
    values[t] = t;
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(place(&barrier)) : "memory");
    wait(place(&barrier), 1);
    out[t] = values[63 - t];
}
