// An mbarrier's phases taken apart: arriving and waiting are two instructions with work between them, half of the threads leave for
// good (arrive_drop), bytes are expected and completed by hand, counts are read from states, a phase is tested without waiting.
// targets: compute_90a compute_120a
#include "../device/hopper.cuh"

constexpr int THREADS = 64, PHASES = 5, LEAVING = 2;

static __device__ __forceinline__ unsigned pending(unsigned long long state) {
    unsigned count;
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(state));
    return count;
}

static __device__ __forceinline__ unsigned is_over(Barrier *barrier, unsigned parity) {
    unsigned over;
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(over) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    return over;
}

/// Bytes that nobody copies: expected by one thread, completed by two others.
static __device__ void count_bytes(Barrier *bytes) {
    unsigned at = shared_address(bytes);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 256;" ::"r"(at) : "memory");
        arrive(bytes);
    }
    if (threadIdx.x == 1) asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 100;" ::"r"(at) : "memory");
    if (threadIdx.x == 2) asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 156;" ::"r"(at) : "memory");
    wait(bytes, 0);
}

extern "C" __global__ void mbarrier_phases(const unsigned *in, unsigned *out, unsigned *observed) {
    __shared__ Barrier written, read, bytes;
    __shared__ unsigned values[THREADS], most[PHASES];
    if (threadIdx.x == 0) {
        initialise(&written, THREADS);
        initialise(&read, THREADS);
        initialise(&bytes, 1);
        observed[0] = is_over(&written, 0);
        observed[1] = is_over(&written, 1);   // the phase before the first
    }
    if (threadIdx.x < PHASES) most[threadIdx.x] = 0;
    __syncthreads();
    count_bytes(&bytes);
    unsigned own = in[threadIdx.x];
    for (int phase = 0; phase < PHASES; phase++) {
        values[threadIdx.x] = own + phase;
        unsigned long long state;
        if (phase == LEAVING && threadIdx.x >= THREADS / 2) {
            asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(shared_address(&read)) : "memory");
            asm volatile("mbarrier.arrive_drop.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(&written)) : "memory");
            atomicMax(&most[phase], pending(state));
            break;
        }
        asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(&written)) : "memory");
        atomicMax(&most[phase], pending(state));   // the first to arrive sees all that are expected
        own = own * 1664525 + 1013904223;          // between the halves
        unsigned done = 0;
        while (done == 0) {
            asm volatile("{.reg .pred p; mbarrier.try_wait.acquire.cta.shared::cta.b64 p, [%1], %2, 1000; selp.u32 %0, 1, 0, p;}"
                         : "=r"(done) : "r"(shared_address(&written)), "l"(state) : "memory");
        }
        own ^= values[(threadIdx.x + 1) % (phase <= LEAVING ? THREADS : THREADS / 2)];
        // nobody writes before its neighbour has read: each thread arrives once, even ones for themselves and the next
        __syncwarp();
        if (threadIdx.x % 2 == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], 2;" ::"r"(shared_address(&read)) : "memory");
        wait(&read, phase & 1);
    }
    out[threadIdx.x] = own;
    __syncthreads();
    if (threadIdx.x < PHASES) observed[2 + threadIdx.x] = most[threadIdx.x];
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(shared_address(&written)) : "memory");
        initialise(&written, 3);
        unsigned long long state;
        asm volatile("mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %0, [%1], 2;" : "=l"(state) : "r"(shared_address(&written)) : "memory");
        observed[2 + PHASES] = pending(state);
        arrive(&written);
        observed[3 + PHASES] = is_over(&written, 0);
    }
}
