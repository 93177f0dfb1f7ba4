// A producer warp and a consumer warp, full and empty mbarriers of three stages, phases told by parity.
// targets: compute_80
// flags: -lineinfo
__device__ static void wait(unsigned barrier, unsigned parity) {
    asm volatile("{ .reg .pred p;\nAGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n@!p bra AGAIN; }"
                 :: "r"(barrier), "r"(parity) : "memory");
}
__device__ static void arrive(unsigned barrier) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" :: "r"(barrier) : "memory");
}
extern "C" __global__ void warp_specialized(const int *in, int *out, int rounds) {
    constexpr int STAGES = 3;
    __shared__ __align__(8) unsigned long long full[STAGES], empty[STAGES];
    __shared__ int stage[STAGES][32];
    int lane = threadIdx.x % 32;
    auto place = [](void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); };
    if (threadIdx.x < STAGES) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(place(&full[threadIdx.x])) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" :: "r"(place(&empty[threadIdx.x])) : "memory");
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int round = 0; round < rounds; round++) {
            int s = round % STAGES;
            wait(place(&empty[s]), ~(round / STAGES) & 1);
            stage[s][lane] = in[round * 32 + lane];
            arrive(place(&full[s]));
        }
    } else {
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            int s = round % STAGES;
            wait(place(&full[s]), round / STAGES & 1);
            sum += stage[s][31 - lane];
            arrive(place(&empty[s]));
        }
        out[lane] = sum;
    }
}
