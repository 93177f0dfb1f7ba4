// Broken: the arrival of a copy says nothing of what its thread stored itself.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}

extern "C" __global__ void race_store_beside_copy(const float4 *in, float *out) {
    __shared__ __align__(8) unsigned long long full;
    __shared__ float4 tile[32];
    __shared__ float scale[32];
    int t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(place(&full)) : "memory");
    __syncthreads();
    if (t < 32) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(place(&tile[t])), "l"(in + t) : "memory");
        scale[t] = 0.5f * t;
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(place(&full)) : "memory");
    } else {
        wait(place(&full), 0);
        out[t - 32] = scale[t - 32] * tile[t - 32].x;
    }
}
