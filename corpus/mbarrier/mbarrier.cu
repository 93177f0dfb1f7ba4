// Producers and consumers in one block, two mbarriers a slot of a ring in shared memory: warp 0 fills, the others drain.
// targets: compute_80 compute_90a compute_120a
constexpr int SLOTS = 2, THREADS = 96, CONSUMERS = THREADS - 32;

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

static __device__ void arrive(unsigned long long *barrier) {
    [[maybe_unused]] unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(barrier)) : "memory");
}

static __device__ void wait(unsigned long long *barrier, unsigned parity) {
    unsigned done;
    do {
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    } while (done == 0);
}

extern "C" __global__ void ring(const unsigned *words, unsigned *out, int rounds) {
    __shared__ unsigned slots[SLOTS][32];
    __shared__ alignas(8) unsigned long long filled[SLOTS], drained[SLOTS];
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < SLOTS; slot++) {
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&filled[slot])), "r"(32) : "memory");
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&drained[slot])), "r"(CONSUMERS) : "memory");
        }
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int round = 0; round < rounds; round++) {
            int slot = round % SLOTS;
            if (round >= SLOTS) wait(&drained[slot], (round / SLOTS - 1) & 1);
            slots[slot][lane] = words[round * 32 + lane];
            arrive(&filled[slot]);
        }
    } else {
        unsigned hash = threadIdx.x;
        for (int round = 0; round < rounds; round++) {
            int slot = round % SLOTS;
            wait(&filled[slot], round / SLOTS & 1);
            for (int i = 0; i < 32; i++) hash = hash * 33 + slots[slot][(lane + i) % 32];
            arrive(&drained[slot]);
        }
        out[threadIdx.x - 32] = hash;
    }
}
