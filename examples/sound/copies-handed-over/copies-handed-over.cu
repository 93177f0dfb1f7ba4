// Two stages of cp.async that an mbarrier tracks: their own threads use them once they have waited for them as groups, others
// once the phase is over.
// targets: compute_80
// flags: -lineinfo
__device__ static unsigned place(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }" :: "r"(barrier), "r"(parity) : "memory");
}

extern "C" __global__ void copies_handed_over(const int4 *in, int *out, int tiles) {
    __shared__ __align__(8) unsigned long long full[2], empty[2];
    __shared__ int4 stage[2][32];
    int t = threadIdx.x % 32, sum = 0;
    if (threadIdx.x == 0) {
        for (int s = 0; s < 2; s++) {
            asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(place(&full[s])) : "memory");
            asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(place(&empty[s])) : "memory");
        }
    }
    __syncthreads();
    for (int i = 0; i < tiles; i++) {
        int s = i % 2;
        unsigned parity = i / 2 % 2;
        if (threadIdx.x < 32) {
            wait(place(&empty[s]), parity ^ 1);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(place(&stage[s][t])), "l"(in + 32 * i + t) : "memory");
            asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r"(place(&full[s])) : "memory");
            asm volatile("cp.async.wait_all;" ::: "memory");
            sum += stage[s][t].x;
        } else {
            wait(place(&full[s]), parity);
            sum += stage[s][t ^ 31].y;
            asm volatile("{ .reg .b64 a; mbarrier.arrive.shared.b64 a, [%0]; }" :: "r"(place(&empty[s])) : "memory");
        }
    }
    out[threadIdx.x] = sum;
}
