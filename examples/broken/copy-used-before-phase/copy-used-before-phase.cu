// Broken: a thread uses what it copies itself before the mbarrier that tracks its copy says that it is complete.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}

extern "C" __global__ void copy_used_before_phase(const float4 *in, float *out) {
    __shared__ __align__(8) unsigned long long full;
    __shared__ float4 tile[64];
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" :: "r"(place(&full)) : "memory");
    __syncthreads();
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(place(&tile[t])), "l"(in + t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(place(&full)) : "memory");
    float own = tile[t].x;
    wait(place(&full), 0);
    out[t] = own + tile[63 - t].x;
}
