// Broken: the memory of an mbarrier becomes part of a tile, and nothing ended the mbarrier.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}

extern "C" __global__ void mbarrier_overwritten(int *out) {
    __shared__ __align__(8) union { unsigned long long barrier; int tile[64]; } memory;
    int t = threadIdx.x;
    unsigned barrier = place(&memory.barrier);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(barrier) : "memory");
    __syncthreads();
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(barrier) : "memory");
    wait(barrier, 0);
    __syncthreads();
    // mbarrier.inval belongs here
    memory.tile[t] = t;
    __syncthreads();
    out[t] = memory.tile[63 - t];
}
