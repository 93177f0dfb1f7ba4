// A pipeline of cp.async that mbarriers watch: every thread's copies arrive at the stage's barrier when they are complete, once with
// the arrival counted beforehand (noinc) and once with one that adds itself. Half of the warps copy, the others add up.
// targets: compute_80 compute_90a compute_120a
using Barrier = unsigned long long;

constexpr int COPIERS = 64, STAGES = 3, VECTORS = COPIERS * 2;   // vectors of sixteen bytes a stage

static __device__ __forceinline__ unsigned shared_address(const void *pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

static __device__ __forceinline__ void arrive(Barrier *barrier) {
    asm volatile("{.reg .b64 state; mbarrier.arrive.shared.b64 state, [%0];}" ::"r"(shared_address(barrier)) : "memory");
}

static __device__ __forceinline__ void wait(Barrier *barrier, unsigned parity) {
    unsigned done = 0;
    while (done == 0) {
        asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                     : "=r"(done) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    }
}

static __device__ __forceinline__ void copy(void *to, const void *from, int bytes) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from), "r"(bytes) : "memory");
}

extern "C" __global__ void __launch_bounds__(128) cp_async_mbarrier(const uint4 *in, uint4 *out, int vectors) {
    __shared__ uint4 tile[STAGES][VECTORS];
    __shared__ Barrier full[STAGES], empty[STAGES];
    int tiles = (vectors + VECTORS - 1) / VECTORS;
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; stage++) {
            // stage 1: each copier arrives itself beside its copies' arrival, which adds to what is pending and takes it away
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&full[stage])), "r"(COPIERS) : "memory");
            asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&empty[stage])), "r"(128 - COPIERS) : "memory");
        }
    }
    __syncthreads();
    if (threadIdx.x < COPIERS) {
        for (int i = 0; i < tiles; i++) {
            int stage = i % STAGES;
            wait(&empty[stage], (i / STAGES & 1) ^ 1);
            for (int j = threadIdx.x; j < VECTORS; j += COPIERS) {
                int at = i * VECTORS + j;
                copy(&tile[stage][j], in + min(at, vectors - 1), at < vectors ? 16 : 0);   // zeros behind the end
            }
            if (stage == 1) {
                asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(shared_address(&full[stage])) : "memory");
                arrive(&full[stage]);
            } else {
                asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&full[stage])) : "memory");
            }
        }
    } else {
        uint4 sum = {};
        for (int i = 0; i < tiles; i++) {
            int stage = i % STAGES;
            wait(&full[stage], i / STAGES & 1);
            for (int j = threadIdx.x - COPIERS; j < VECTORS; j += COPIERS) {
                uint4 value = tile[stage][(j * 5 + 1) % VECTORS];
                sum.x += value.x, sum.y ^= value.y, sum.z = max(sum.z, value.z), sum.w = sum.w * 31 + value.w;
            }
            arrive(&empty[stage]);
        }
        out[threadIdx.x - COPIERS] = sum;
    }
}
